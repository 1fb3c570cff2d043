package javaregexp

import "unicode/utf8"

// Groups is the number of capturing groups.
func (p *Pattern) Groups() int { return p.re.NumSubexp() }

// Match reports whether there is a match in s.
func (p *Pattern) Match(s []byte) bool { return p.re.Match(s) }

// Find gives the first match as regexp.FindSubmatchIndex does: begin and end of group n stand at 2n and 2n+1, -1 if it took no part; nil if there is no
// match.
func (p *Pattern) Find(s []byte) []int { return p.re.FindSubmatchIndex(s) }

// All calls found with every match, in order, as Java's Matcher finds them: also the empty one that stands right behind another, which Go leaves out.
func (p *Pattern) All(s []byte, found func(match []int)) {
	matches := p.re.FindAllSubmatchIndex(s, -1)
	for k, m := range matches {
		found(m)
		if p.after == nil || m[0] == m[1] || k+1 < len(matches) && matches[k+1][0] == m[1] {
			continue
		}
		if empty := p.emptyAt(s, m[1]); empty != nil {
			found(empty)
		}
	}
}

// emptyAt is the match that stands at position at, which is not the first, nil if there is none.
func (p *Pattern) emptyAt(s []byte, at int) []int {
	_, width := utf8.DecodeLastRune(s[:at])
	from := at - width
	m := p.after.FindSubmatchIndex(s[from:])
	if m == nil {
		return nil
	}
	m = m[2:]
	for i := range m {
		if m[i] >= 0 {
			m[i] += from
		}
	}
	return m
}

// Split cuts s as Java's String.split does: into most parts at most, or, if most is 0, into all without the empty ones at the end. An empty match at the
// beginning does not cut. Text without a match is one part.
func (p *Pattern) Split(s []byte, most int, part func(s []byte)) {
	from, parts, empty := 0, 1, 0 // empty parts wait for one that is not
	emit := func(s []byte) {
		if most == 0 && len(s) == 0 {
			empty++
			return
		}
		for ; empty > 0; empty-- {
			part(nil)
		}
		part(s)
	}
	p.All(s, func(m []int) {
		if m[1] == 0 || most > 0 && parts == most {
			return
		}
		emit(s[from:m[0]])
		from = m[1]
		parts++
	})
	if parts == 1 {
		part(s)
		return
	}
	emit(s[from:])
}
