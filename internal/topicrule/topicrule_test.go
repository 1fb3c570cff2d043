package topicrule

import (
	"strings"
	"testing"
)

func TestName(t *testing.T) {
	for name, want := range map[string]string{
		"a": "", "A.b_c-9": "", "...": "", strings.Repeat("x", MaxName): "",
		"": "empty", ".": "folders", "..": "folders", strings.Repeat("x", MaxName+1): "250 characters",
		"a b": "' '", "a/b": "'/'", "größe": "'ö'", "a\x00": `'\x00'`, "\xff": "'�'", "a:b": "':'",
	} {
		if got := Name(name); got != want && (want == "" || !strings.Contains(got, want)) {
			t.Errorf("%.20q: %q, want %q", name, got, want)
		}
	}
}

func TestCollide(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{{"a.b", "a_b", true}, {"a.b", "a.b", false}, {"a_b.c", "a.b_c", true}, {"a.b", "a-b", false}} {
		if got := Collide(c.a, c.b); got != c.want {
			t.Errorf("%s and %s: %t", c.a, c.b, got)
		}
	}
}
