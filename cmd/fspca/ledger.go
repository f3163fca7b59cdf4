package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/letters"
	"github.com/fspca/fspca/selector"
)

// runnersUp is the number of columns that were nearly chosen and are shown.
const runnersUp = 5

// describeRunnersUp writes which columns come next and what stands for them.
func describeRunnersUp(b *strings.Builder, entries []selector.LedgerEntry, room int) {
	byRank := ranked(entries)
	out := slices.DeleteFunc(slices.Clone(byRank), func(e selector.LedgerEntry) bool { return e.Chosen || barred(e) })
	if len(out) == 0 {
		return
	}
	last := lowestChosen(byRank)
	b.WriteString("\nnext in line:\n")
	t := letters.Table{Room: room}
	for _, e := range out[:min(runnersUp, len(out))] {
		t.Add("  %s\tscore %.4g, %s%s", e.Name, e.Score, against(e, last), besides(e))
	}
	_, _ = t.WriteTo(b) // a strings.Builder takes everything
}

// describeLedger writes a line for every column, by rank.
func describeLedger(w io.Writer, m *selector.Model) error {
	entries := m.Ledger()
	if entries == nil {
		_, err := fmt.Fprintf(w, "\nthe model does not say why columns were left out: fit it with --ledger (in YAML ledger: true)\n")
		return err
	}
	var b strings.Builder
	byRank := ranked(entries)
	last := lowestChosen(byRank)
	fmt.Fprintf(&b, "\nscore: the part of a column's variance that the components explain; margin: to the\nhighest score left out, or to the lowest chosen, %.4g (%s)\n\n", last.Score, letters.Plain(last.Name))
	t := letters.Table{Room: roomOf(w), Names: 1}
	t.Add("rank\tcolumn\t\tscore\tmargin\tR²\twhy")
	for _, e := range byRank {
		if e.Excluded {
			t.Add("–\t%s\texcluded\t–\t–\t–\tas told", e.Name)
			continue
		}
		told := "–"
		if e.R2 != nil {
			told = fmt.Sprintf("%.3f", *e.R2)
		}
		if e.Unmeasured {
			t.Add("–\t%s\tunmeasured\t%.4g\t–\t%s\tas told%s", e.Name, e.Score, told, besides(e))
			continue
		}
		t.Add("%d\t%s\t%s\t%.4g\t%+.3g\t%s\t%s", e.Rank, e.Name, state(e), e.Score, e.Margin+0, told, reason(e, last))
	}
	_, _ = t.WriteTo(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func ranked(entries []selector.LedgerEntry) []selector.LedgerEntry {
	byRank := slices.Clone(entries)
	last := func(e selector.LedgerEntry) int {
		if barred(e) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(byRank, func(a, b selector.LedgerEntry) int {
		return cmp.Or(cmp.Compare(last(a), last(b)), cmp.Compare(a.Rank, b.Rank))
	})
	return byRank
}

// barred reports whether a column could not be chosen.
func barred(e selector.LedgerEntry) bool { return e.Excluded || e.Unmeasured }

// lowestChosen is the chosen column of lowest score.
func lowestChosen(byRank []selector.LedgerEntry) selector.LedgerEntry {
	for _, e := range slices.Backward(byRank) {
		if e.Chosen {
			return e
		}
	}
	return selector.LedgerEntry{}
}

func state(e selector.LedgerEntry) string {
	if e.Chosen {
		return "in"
	}
	return "out"
}

// reason says why a column is in or out.
func reason(e, last selector.LedgerEntry) string {
	switch {
	case e.Chosen && e.Margin >= 0:
		return "score above all that were left out"
	case e.Chosen:
		return "chosen for what it adds beside the others, or as told"
	}
	return against(e, last) + besides(e)
}

// against compares a column that was left out with the last one chosen.
func against(e, last selector.LedgerEntry) string {
	if last.Score <= 0 || e.Margin > 0 {
		return "left out for what the others add, or as told"
	}
	return fmt.Sprintf("%.0f%% of the last chosen", 100*e.Score/last.Score)
}

// besides names the chosen column that is most like one left out.
func besides(e selector.LedgerEntry) string {
	if e.Nearest == "" {
		return "; does not vary"
	}
	return fmt.Sprintf("; nearest chosen %s, r = %+.2f", e.Nearest, e.Correlation)
}
