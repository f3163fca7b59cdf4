package delimited

import (
	"slices"

	"github.com/fspca/fspca/internal/memory"
)

// reserve makes room for the rows of a block.
func (m *merger) reserve(b *block) {
	need := m.Rows + b.rows
	if need <= m.room {
		return
	}
	for m.copying > 0 {
		m.turn.Wait()
	}
	room := max(need, m.source.expectedRows(need, b.share))
	if m.roomFor(room) != nil { // the estimate may be too high
		room = need + need/64
		if err := m.roomFor(room); err != nil {
			m.stop(err)
			return
		}
	}
	m.room = room
	if m.spill == nil {
		values := memory.Numbers(m.room * m.layout.numbers)
		copy(values, m.Values[:m.Rows*m.layout.numbers])
		m.Values = values
	}
	for k := range m.Codes {
		m.Codes[k] = enlarge(m.Codes[k], m.Rows, m.room)
	}
}

// roomFor returns an error if there is no memory for so many rows beside those at hand.
func (m *merger) roomFor(rows int) error {
	bytes := int64(rows) * int64(8*m.layout.numbers+4*m.layout.texts)
	if m.spill != nil {
		bytes = int64(rows) * int64(4*m.layout.texts)
	}
	return memory.Check("the table", bytes)
}

// enlarge returns a slice of n elements that starts with the first used ones of s.
func enlarge[T any](s []T, used, n int) []T {
	to := make([]T, n)
	copy(to, s[:used])
	return to
}

// mergeTexts adds the dictionaries of a block to those of the table and changes
// the block's codes to the table's.
func (m *merger) mergeTexts(b *block) {
	slices.Sort(b.used)
	l := m.layout
	for _, i := range b.used {
		to := m.merge(b.dictionaries[i], i)
		if at := l.columnOf(int(i)); l.MostTexts > 0 && !l.Columns[at].Names && len(m.merged[i].texts) > l.MostTexts {
			m.stop(&TextsError{Column: at, Line: m.line, Most: l.MostTexts})
		}
		if to == nil {
			continue
		}
		if int(i) >= l.numbers {
			for at := int(i) - l.numbers; at < len(b.codes); at += l.texts {
				if code := b.codes[at]; code >= 0 {
					b.codes[at] = to[code]
				}
			}
			continue
		}
		for at := int(i); at < len(b.values); at += l.numbers {
			if v := b.values[at]; v != v {
				if code, isText := TextCode(v); isText {
					b.values[at] = textNaN(to[code])
				}
			}
		}
	}
}

// merge adds the texts of a dictionary to that of the column and returns their codes there;
// nil if they are the same.
func (m *merger) merge(from *dictionary, column int32) []int32 {
	into := m.merged[column]
	if into == nil {
		m.merged[column] = from
		return nil
	}
	to := make([]int32, len(from.texts))
	same := true
	for code, text := range from.texts {
		c, ok := into.codes[text]
		if !ok {
			c = into.add(text)
		}
		to[code] = c
		same = same && c == int32(code)
	}
	if same {
		return nil
	}
	return to
}
