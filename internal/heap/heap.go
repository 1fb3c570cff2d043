// Package heap keeps items in a slice so that the first of them is at hand: a binary heap for any type, without an interface call per step.
//
// All functions on one slice must be given the same order, which is strict and total.
package heap

// Push adds x to h and returns it.
func Push[T any](h []T, x T, before func(a, b T) bool) []T {
	h = append(h, x)
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !before(h[i], h[up]) {
			break
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
	return h
}

// Pop takes the first item off h, which is not empty, and returns both.
func Pop[T any](h []T, before func(a, b T) bool) (top T, rest []T) {
	top = h[0]
	n := len(h) - 1
	h[0] = h[n]
	h = h[:n]
	for i := 0; ; {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < n; c++ {
			if before(h[c], h[least]) {
				least = c
			}
		}
		if least == i {
			return top, h
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}
