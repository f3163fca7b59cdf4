// Package lists makes lists from lists: what the package slices has no function for. No function
// keeps or changes a list that it is given, and all keep the order.
package lists

// Map returns f of every element, as a list that is never nil.
func Map[S, T any](s []S, f func(S) T) []T {
	out := make([]T, len(s))
	for i, v := range s {
		out[i] = f(v)
	}
	return out
}

// Make returns f(0) … f(n−1), as a list that is never nil.
func Make[T any](n int, f func(int) T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

// At returns the elements of s at the places given, in their order and as often as they stand there.
func At[T any, I int | int32](s []T, places []I) []T {
	out := make([]T, len(places))
	for i, p := range places {
		out[i] = s[p]
	}
	return out
}

// Pick is At where nil stands for all elements, or for all places.
func Pick[T any](s []T, places []int) []T {
	if s == nil || places == nil {
		return s
	}
	return At(s, places)
}

// Upto returns 0 … n−1.
func Upto[I int | int32 | uint32 | float64](n int) []I {
	out := make([]I, n)
	for i := range out {
		out[i] = I(i)
	}
	return out
}

// Where returns the elements for which keep is true, nil for none.
func Where[T any](s []T, keep func(T) bool) []T {
	var out []T
	for _, v := range s {
		if keep(v) {
			out = append(out, v)
		}
	}
	return out
}

// Places returns those of 0 … n−1 for which keep is true, nil for none.
func Places(n int, keep func(int) bool) []int {
	var out []int
	for i := range n {
		if keep(i) {
			out = append(out, i)
		}
	}
	return out
}

// Marks returns n marks, which are true at the places given.
func Marks[I int | int32](n int, places []I) []bool {
	out := make([]bool, n)
	for _, p := range places {
		out[p] = true
	}
	return out
}

// Marked returns the places of the marks that are true, nil for none.
func Marked(marks []bool) []int { return Places(len(marks), func(i int) bool { return marks[i] }) }

// Count returns the number of elements for which is is true.
func Count[T any](s []T, is func(T) bool) int {
	n := 0
	for _, v := range s {
		if is(v) {
			n++
		}
	}
	return n
}

// Sum adds the elements one after another.
func Sum[T int | int32 | int64 | float64](s []T) T {
	var sum T
	for _, v := range s {
		sum += v
	}
	return sum
}

// Set returns the elements as keys.
func Set[T comparable](s []T) map[T]bool {
	out := make(map[T]bool, len(s))
	for _, v := range s {
		out[v] = true
	}
	return out
}

// Index returns the place of every element: the last one, where several are equal.
func Index[T comparable](s []T) map[T]int {
	out := make(map[T]int, len(s))
	for i, v := range s {
		out[v] = i
	}
	return out
}

// Without returns the elements of s that are not among others, as a list that is never nil.
func Without[T comparable](s, others []T) []T {
	drop := Set(others)
	out := make([]T, 0, len(s))
	for _, v := range s {
		if !drop[v] {
			out = append(out, v)
		}
	}
	return out
}

// Tally returns how often each of 0 … n−1 occurs; an element below 0 stands for none.
func Tally[I int | int32](n int, s []I) []int {
	out := make([]int, n)
	for _, v := range s {
		if v >= 0 {
			out[v]++
		}
	}
	return out
}

// Occurring returns those of 0 … n−1 that are among the elements, nil for none; an element below 0 stands for none.
func Occurring[I int | int32](n int, s []I) []int {
	counts := Tally(n, s)
	return Places(n, func(i int) bool { return counts[i] > 0 })
}

// Distinct returns the elements, each at its first place alone, nil for none.
func Distinct[T comparable](s []T) []T {
	seen := make(map[T]bool, len(s))
	return Where(s, func(v T) bool {
		first := !seen[v]
		seen[v] = true
		return first
	})
}

// Gather stores in dst the elements at the places given: of s, or, where a place is below 0, of made
// at its complement.
func Gather[T any](dst []T, places []int, s, made []T) {
	for j, i := range places {
		if i < 0 {
			dst[j] = made[^i]
		} else {
			dst[j] = s[i]
		}
	}
}

// Groups returns the elements with the same key together, in the order of the first of each.
func Groups[K comparable, T any](s []T, key func(T) K) [][]T {
	var groups [][]T
	place := map[K]int{}
	for _, v := range s {
		at, there := place[key(v)]
		if !there {
			at = len(groups)
			place[key(v)] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], v)
	}
	return groups
}
