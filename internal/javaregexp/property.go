package javaregexp

import (
	"strings"
	"unicode"
)

// posix are the properties that Java takes from POSIX, of ASCII.
var posix = map[string]runeSet{
	"Lower": setOf('a', 'z'), "Upper": setOf('A', 'Z'), "ASCII": setOf(0, 0x7f), "Alpha": setOf('A', 'Z', 'a', 'z'), "Digit": digits,
	"Alnum": setOf('0', '9', 'A', 'Z', 'a', 'z'), "Punct": setOf('!', '/', ':', '@', '[', '`', '{', '~'), "Graph": setOf('!', '~'),
	"Print": setOf(' ', '~'), "Blank": setOf('\t', '\t', ' ', ' '), "Cntrl": setOf(0, 0x1f, 0x7f, 0x7f),
	"XDigit": setOf('0', '9', 'A', 'F', 'a', 'f'), "Space": spaces,
}

// binary are properties of Unicode that Java calls by Is and a name, in lower case.
var binary = map[string][]*unicode.RangeTable{
	"alphabetic": {unicode.Letter, unicode.Nl, unicode.Other_Alphabetic}, "ideographic": {unicode.Ideographic}, "letter": {unicode.Letter},
	"lowercase": {unicode.Ll, unicode.Other_Lowercase}, "uppercase": {unicode.Lu, unicode.Other_Uppercase}, "titlecase": {unicode.Lt},
	"punctuation": {unicode.P}, "digit": {unicode.Nd}, "white_space": {unicode.White_Space},
}

// property reads the name of a property behind \p.
func (t *translator) property(at int) runeSet {
	name := string(t.next())
	if name == "{" {
		end := strings.IndexByte(t.pattern[t.at:], '}')
		if end < 0 {
			t.fail(at, "the name of a property does not end")
		}
		name = t.pattern[t.at : t.at+end]
		t.at += end + 1
	}
	if set, ok := posix[name]; ok {
		if t.flags.fold && (name == "Lower" || name == "Upper") {
			return posix["Alpha"]
		}
		return set
	}
	key, value, keyed := strings.Cut(name, "=")
	switch {
	case keyed && (strings.EqualFold(key, "script") || strings.EqualFold(key, "sc")):
		if table := scriptTable(value); table != nil {
			return ofTable(table)
		}
	case keyed && (strings.EqualFold(key, "general_category") || strings.EqualFold(key, "gc")):
		if table := unicode.Categories[value]; table != nil {
			return ofTable(table)
		}
	case keyed && (strings.EqualFold(key, "block") || strings.EqualFold(key, "blk")), strings.HasPrefix(name, "In"):
		t.unsupported(at, "blocks of Unicode")
	case strings.HasPrefix(name, "java"):
		t.unsupported(at, "properties of Java's Character class")
	}
	short := strings.TrimPrefix(name, "Is")
	if table := unicode.Categories[short]; table != nil && !keyed {
		return ofTable(table)
	}
	if short != name {
		if tables := binary[strings.ToLower(short)]; tables != nil {
			var set runeSet
			for _, table := range tables {
				set = set.union(ofTable(table))
			}
			return set
		}
		if table := scriptTable(short); table != nil {
			return ofTable(table)
		}
	}
	if short == "L1" {
		return setOf(0, 0xff)
	}
	t.fail(at, "an unknown property of characters")
	return nil
}

func scriptTable(name string) *unicode.RangeTable {
	for script, table := range unicode.Scripts {
		if strings.EqualFold(script, name) {
			return table
		}
	}
	return nil
}
