package javaregexp

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// runeSet is a set of characters as ranges, first and last in turn, ascending and apart.
type runeSet []rune

func setOf(bounds ...rune) runeSet { return runeSet(bounds) }

// ofTable is the set of a table of package unicode.
func ofTable(table *unicode.RangeTable) runeSet {
	var set runeSet
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			set = append(set, lo, hi)
			return
		}
		for r := lo; r <= hi; r += stride {
			set = append(set, r, r)
		}
	}
	for _, r := range table.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range table.R32 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return set.normal()
}

// normal orders the ranges and joins those that touch.
func (s runeSet) normal() runeSet {
	type pair struct{ lo, hi rune }
	pairs := make([]pair, 0, len(s)/2)
	for i := 0; i < len(s); i += 2 {
		pairs = append(pairs, pair{s[i], s[i+1]})
	}
	slices.SortFunc(pairs, func(a, b pair) int { return int(a.lo) - int(b.lo) })
	var out runeSet
	for _, p := range pairs {
		if n := len(out); n > 0 && p.lo <= out[n-1]+1 {
			out[n-1] = max(out[n-1], p.hi)
			continue
		}
		out = append(out, p.lo, p.hi)
	}
	return out
}

func (s runeSet) union(o runeSet) runeSet { return append(slices.Clone(s), o...).normal() }

func (s runeSet) intersect(o runeSet) runeSet { return s.negated().union(o.negated()).negated() }

func (s runeSet) negated() runeSet {
	var out runeSet
	from := rune(0)
	for i := 0; i < len(s); i += 2 {
		if from < s[i] {
			out = append(out, from, s[i]-1)
		}
		from = s[i+1] + 1
	}
	if from <= unicode.MaxRune {
		out = append(out, from, unicode.MaxRune)
	}
	return out
}

// folded adds the letters that differ in case only, of ASCII or of all.
func (s runeSet) folded(all bool) runeSet {
	out := slices.Clone(s)
	for i := 0; i < len(s); i += 2 {
		if !all {
			out = append(out, shifted(s[i], s[i+1], 'a', 'z', 'A'-'a')...)
			out = append(out, shifted(s[i], s[i+1], 'A', 'Z', 'a'-'A')...)
			continue
		}
		for _, cased := range unicode.CaseRanges {
			for r := max(s[i], rune(cased.Lo)); r <= min(s[i+1], rune(cased.Hi)); r++ {
				for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
					out = append(out, f, f)
				}
			}
		}
	}
	return out.normal()
}

// shifted is what lo to hi has of from to to, moved by so much.
func shifted(lo, hi, from, to, by rune) runeSet {
	if lo, hi = max(lo, from), min(hi, to); lo > hi {
		return nil
	}
	return runeSet{lo + by, hi + by}
}

// write writes s as a class of RE2.
func (s runeSet) write(out *strings.Builder) {
	if len(s) == 0 {
		out.WriteString(`[^\x{0}-\x{10FFFF}]`)
		return
	}
	out.WriteByte('[')
	for i := 0; i < len(s); i += 2 {
		writeRune(out, s[i])
		if s[i] != s[i+1] {
			out.WriteByte('-')
			writeRune(out, s[i+1])
		}
	}
	out.WriteByte(']')
}

func writeRune(out *strings.Builder, r rune) {
	if '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z' {
		out.WriteRune(r)
		return
	}
	out.WriteString(`\x{`)
	out.WriteString(strconv.FormatInt(int64(r), 16))
	out.WriteByte('}')
}
