package javaregexp

import (
	"errors"
	"regexp"
	"strings"
	"testing"
)

// TestMatch has what Java says, most of it asked of Flink 2.3.
func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"b", "abc", true}, {"^b", "abc", false}, {"(?i)b", "aBc", true}, {`\d`, "a1", true}, {`\\d`, "a1", false},
		{"a.b", "a\rb", false}, {"a.b", "a\u2028b", false}, {"(?s)a.b", "a\nb", true}, {"(?d)a.b", "a\rb", true}, {`a\s`, "a\x0b", true},
		{"(?i)ä", "Ä", false}, {"(?iu)ä", "Ä", true}, {"(?i)[^a]", "A", false}, {"(?iu)[^ä]", "Ä", false}, {"(?i)k", "\u212a", false}, {"(?iu)k", "\u212a", true},
		{"(?i)[a-z]", "Q", true}, {"(?i)a(?-i)b", "AB", false}, {"(?i:a)b", "Ab", true}, {"(?i:a)b", "AB", false}, {"((?i)a)b", "AB", false},
		{"[a-z&&[^c]]", "c", false}, {"[a-z&&[^c]]", "d", true}, {"[a-d[m-p]]", "n", true}, {"[^a-d[m-p]]", "n", false}, {"[abc&&bcd&&cde]", "b", false},
		{"[]a]", "]", true}, {"[a-]", "-", true}, {"[-a]", "-", true}, {`[\]]`, "]", true}, {"[[:alpha:]]", "q", false}, {"[[:alpha:]]", "h", true},
		{`[\d\-x]`, "-", true}, {`[\Q]^\E]`, "^", true}, {`\Qa.b\E+`, "a.bb", true}, {`\Qa.b`, "axb", false}, {`[^\D]`, "5", true},
		{`\p{Alpha}`, "a", true}, {`\p{Alpha}`, "ä", false}, {`\p{L}`, "ä", true}, {`\pL`, "ä", true}, {`\P{L}`, "ä", false}, {`\p{IsLatin}`, "ä", true},
		{`\p{IsAlphabetic}`, "ä", true}, {`\p{script=Greek}`, "α", true}, {`\p{gc=Lu}`, "Ä", true}, {`(?i)\p{Lower}`, "A", true}, {`\p{Punct}`, "~", true},
		{`\x41\u0042\x{43}\0104\t\cA`, "ABCD\t\x01", true}, {`\ud83d\ude00`, "😀", true}, {`^.$`, "😀", true}, {`\h\H`, "\u00a0x", true}, {`\R`, "\u0085", true},
		{`\v`, "\u2028", true}, {"(?x) a b # c\n c", "abc", true}, {"(?x)a[ b ]", "ab", true}, {"a{2}", "aa", true}, {"^a{2,}$", "aaaa", true}, {"^a{1,2}?$", "aaa", false},
		{"(?m)^b$", "a\nb\nc", true}, {`\Ab`, "a\nb", false}, {`\bb`, "a b", true}, {`\Bb`, "ab", true}, {"(?<name>a)", "a", true}, {"a|", "b", true}, {"a]b}", "a]b}", true},
		{"[a&b]", "&", true}, {"()", "", true}, {"(a|b)*c", "abac", true},
	} {
		p, err := Compile(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		if got := p.Match([]byte(c.text)); got != c.want {
			t.Errorf("%s on %q is %v (%s)", c.pattern, c.text, got, p.re)
		}
	}
}

// TestRefused has what is no pattern in Java, and what RE2 cannot do, with its place.
func TestRefused(t *testing.T) {
	for pattern, want := range map[string]string{
		"(": "'(' is no regular expression: a ( without a ) at character 1", "a)": "'a)' is no regular expression: a ) without a ( at character 2",
		"a**": "'a**' is no regular expression: nothing to repeat at character 3", "*a": "'*a' is no regular expression: nothing to repeat at character 1",
		"ä{":      "'ä{' is no regular expression: a { that begins no number of repetitions at character 2",
		"a{2}{3}": "'a{2}{3}' is no regular expression: a { that begins no number of repetitions at character 5",
		"a{3,2}":  "'a{3,2}' is no regular expression: a greatest number of repetitions that is less than the least at character 2",
		"[a":      "'[a' is no regular expression: a [ without a ] at character 1", "[b-a]": "'[b-a]' is no regular expression: a range that ends before it begins at character 2",
		`\y`: `'\y' is no regular expression: an unknown escape at character 1`, `\x4`: `'\x4' is no regular expression: an escape without its digits at character 1`,
		`\p{Foo}`: `'\p{Foo}' is no regular expression: an unknown property of characters at character 1`, "a\\": `'a\' is no regular expression: it breaks off at character 3`,
		"(?q)": "'(?q)' is no regular expression: an unknown flag or kind of group at character 1", "(?<1>a)": "'(?<1>a)' is no regular expression: the name of a group is of letters and digits at character 1",
		"a(?=b)": "look-ahead groups in regular expressions are not supported: character 2 of 'a(?=b)'", "(?<!b)a": "look-behind groups in regular expressions are not supported: character 1 of '(?<!b)a'",
		"(?>a)": "atomic groups in regular expressions are not supported: character 1 of '(?>a)'", "ab++": "possessive quantifiers in regular expressions are not supported: character 3 of 'ab++'",
		`(a)\1`: `back-references in regular expressions are not supported: character 4 of '(a)\1'`, `\k<a>`: `back-references in regular expressions are not supported: character 1 of '\k<a>'`,
		"a{1001}": "more than 1000 repetitions in regular expressions are not supported: character 2 of 'a{1001}'", `\ud83d`: `halves of characters in regular expressions are not supported: character 1 of '\ud83d'`,
		"(?:(?:a{100}){100}){100}": "so many repetitions, or so deep groups, in regular expressions are not supported: character 1 of '(?:(?:a{100}){100}){100}'",
		`\p{InGreek}`:              `blocks of Unicode in regular expressions are not supported: character 1 of '\p{InGreek}'`,
	} {
		if _, err := Compile(pattern); err == nil || err.Error() != want {
			t.Errorf("%s: %v\nwant %s", pattern, err, want)
		}
	}
}

// TestAll has the matches that Java's Matcher finds, the empty ones included.
func TestAll(t *testing.T) {
	for _, c := range []struct{ pattern, text, want string }{
		{"a*", "aab", "aa,,"}, {"", "abc", ",,,"}, {"b*", "abc", ",b,,"}, {"aa", "aaa", "aa"}, {`\b`, "ab c", ",,,"}, {"^|a", "aa", ",a"}, {"a|", "ab", "a,,"},
		{"(?m)$", "a\nb", ","}, {"ä*", "xäy", ",ä,,"}, {`a*\b`, "aa b", "aa,,,"},
	} {
		p, err := Compile(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		p.All([]byte(c.text), func(m []int) { got = append(got, c.text[m[0]:m[1]]) })
		if strings.Join(got, ",") != c.want {
			t.Errorf("%s in %q: %q, want %s", c.pattern, c.text, got, c.want)
		}
	}
}

// TestSplit has what Java's String.split gives.
func TestSplit(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		most          int
		want          string
	}{
		{",", "a,b", 0, "a|b"}, {",", ",a,,b,,", 0, "|a||b"}, {",", "", 0, ""}, {",", "a", 0, "a"}, {"", "abc", 0, "a|b|c"}, {"=", "a=1=2", 2, "a|1=2"}, {"=", "a=", 2, "a|"},
		{"", "a:1", 2, "a|:1"}, {",", ",,", 0, ""}, {"x*", "axxb", 0, "a||b"},
	} {
		p, err := Compile(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		p.Split([]byte(c.text), c.most, func(s []byte) { got = append(got, string(s)) })
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s of %q: %q, want %s", c.pattern, c.text, got, c.want)
		}
	}
}

// FuzzCompile expects of any pattern that it is refused by one of the two errors or compiles, and that all matches are found in order.
func FuzzCompile(f *testing.F) {
	for _, seed := range []string{`a|b*[^c-d&&[e]]\p{L}(?i:x)$`, `(?x) # \Q.\E`, `[\d-a]{2,3}?`, `\Q\E*`, `[[a]&&&&b]`, "(?<n>a)+", `\0777`} {
		f.Add(seed, "aabbc")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		p, err := Compile(pattern)
		if err != nil {
			var syntax *SyntaxError
			var unsupported *UnsupportedError
			if !errors.As(err, &syntax) && !errors.As(err, &unsupported) || err.Error() == "" {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		last := -1
		p.All([]byte(text), func(m []int) {
			if m[0] < last || m[1] < m[0] || m[1] > len(text) {
				t.Fatalf("match %v behind %d", m, last)
			}
			last = m[1]
		})
		if plain, err := regexp.Compile(pattern); err == nil && isPlain(pattern) && plain.MatchString(text) != p.Match([]byte(text)) {
			t.Fatalf("%q on %q differs from RE2", pattern, text)
		}
	})
}

// isPlain reports whether a pattern means the same to Java and RE2 by its letters alone.
func isPlain(pattern string) bool {
	return strings.Trim(pattern, "abcxyz|()*+?") == ""
}

func BenchmarkMatch(b *testing.B) {
	p, err := Compile(`^/api/v\d+/users/([a-z]+)$`)
	if err != nil {
		b.Fatal(err)
	}
	s := []byte("/api/v2/users/somebody")
	b.ReportAllocs()
	for b.Loop() {
		if !p.Match(s) {
			b.Fatal("no match")
		}
	}
}
