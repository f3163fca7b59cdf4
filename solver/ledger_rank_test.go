package solver

import "testing"

// TestRankOfTies: scores that differ by rounding are equal, and those that differ by more are not.
func TestRankOfTies(t *testing.T) {
	entries := []Entry{
		{Score: 0.5}, {Score: 1 - 2e-16, Chosen: true}, {Score: 1 + 4e-16, Chosen: true}, {Score: 3, Excluded: true},
		{Score: 1, Chosen: true}, {Score: 1 + 1e-9, Chosen: true}, {Score: 0.5 + 1e-16},
	}
	Rank(entries)
	for j, want := range []int{5, 2, 3, 0, 4, 1, 6} {
		if got := entries[j].Rank; got != want {
			t.Errorf("entry %d has rank %d, want %d", j, got, want)
		}
	}
}
