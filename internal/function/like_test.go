package function

import (
	"math/rand/v2"
	"testing"
)

// fits is LIKE by trying everything.
func fits(pattern, s []rune) bool {
	switch {
	case len(pattern) == 0:
		return len(s) == 0
	case pattern[0] == '%':
		return fits(pattern[1:], s) || (len(s) > 0 && fits(pattern, s[1:]))
	}
	return len(s) > 0 && (pattern[0] == '_' && s[0] != '\n' || pattern[0] == s[0]) && fits(pattern[1:], s[1:])
}

func TestLikeAgainstTryingEverything(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	word := func(alphabet []rune, most int) []rune {
		w := make([]rune, random.IntN(most))
		for i := range w {
			w[i] = alphabet[random.IntN(len(alphabet))]
		}
		return w
	}
	for range 50_000 {
		pattern, s := word([]rune("aä%%__b"), 7), word([]rune("aäb\n"), 8)
		compiled, err := compileLike([]byte(string(pattern)), -1)
		if err != nil {
			t.Fatal(err)
		}
		if got := compiled.match([]byte(string(s))); got != fits(pattern, s) {
			t.Fatalf("'%s' LIKE '%s' is %v", string(s), string(pattern), got)
		}
	}
}
