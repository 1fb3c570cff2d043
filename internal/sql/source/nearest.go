package source

import "strings"

// Nearest returns the candidate that name was probably meant to be, ignoring
// case, or "" when none is close. One typing error in three characters is close;
// a swap of two neighbours is one error; a single
// character is close only to itself. Of equally close candidates the first wins.
func Nearest(name string, candidates []string) string {
	folded := []rune(strings.ToLower(name))
	best, bestDistance := "", min((len(folded)+2)/3+1, len(folded))
	for _, candidate := range candidates {
		d := editDistance(folded, []rune(strings.ToLower(candidate)), bestDistance)
		if d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// editDistance counts insertions, deletions, replacements and swaps of two
// neighbours that turn a into b; it may stop at any value from limit on.
func editDistance(a, b []rune, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	twoBack := make([]int, len(b)+1)
	previous := make([]int, len(b)+1)
	current := make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		current[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(previous[j]+1, current[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, twoBack[j-2]+1)
			}
			current[j] = d
		}
		twoBack, previous, current = previous, current, twoBack
	}
	return previous[len(b)]
}
