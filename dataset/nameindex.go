package dataset

import "hash/maphash"

// nameIndex finds names in a list by their keys: a table of places in the list, which takes a third
// of what a map of the names would. The zero value has room for none.
type nameIndex struct {
	seed  maphash.Seed
	slots []int32 // a place + 1, 0 for none: at most half of them are taken
}

// newNameIndex returns an index with room for n names.
func newNameIndex(n int) nameIndex {
	size := 2
	for size < 2*n {
		size *= 2
	}
	return nameIndex{maphash.MakeSeed(), make([]int32, size)}
}

// find returns the place of a name, of which nameAt tells the names that were added.
func (x nameIndex) find(name string, nameAt func(place int) string) (place int, ok bool) {
	if len(x.slots) == 0 {
		return 0, false
	}
	slot := x.slot(name, nameAt)
	return int(x.slots[slot]) - 1, x.slots[slot] > 0
}

// add notes the place of a name, unless it has one, which is returned then.
func (x nameIndex) add(name string, place int, nameAt func(place int) string) (before int, twice bool) {
	slot := x.slot(name, nameAt)
	if p := x.slots[slot]; p > 0 {
		return int(p) - 1, true
	}
	x.slots[slot] = int32(place + 1)
	return 0, false
}

// slot returns the slot of a name, or the empty one where it would be.
func (x nameIndex) slot(name string, nameAt func(place int) string) int {
	mask := uint64(len(x.slots) - 1)
	for i := maphash.String(x.seed, nameKey(name)) & mask; ; i = (i + 1) & mask {
		if p := x.slots[i]; p == 0 || SameName(nameAt(int(p-1)), name) {
			return int(i)
		}
	}
}
