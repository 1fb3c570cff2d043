package flowspec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// maxNodes bounds what the aliases of a text come to.
const maxNodes = 100_000

// readYAML reads a text in YAML, of which JSON is a part.
func readYAML(text source.Text) (*Node, error) {
	d := yaml.NewDecoder(bytes.NewReader([]byte(text.Body)))
	var root yaml.Node
	if err := d.Decode(&root); errors.Is(err, io.EOF) {
		return nil, fault(text, source.Span{}, "a spec has computations", "there is nothing in it")
	} else if err != nil {
		return nil, misread(text, err)
	}
	var more yaml.Node
	if err := d.Decode(&more); err == nil {
		y := &yamlReader{text: text, lines: lineStarts(text.Body)}
		return nil, fault(text, y.at(&more), "one file is one pipeline", "there is more than one document in it")
	} else if !errors.Is(err, io.EOF) {
		return nil, misread(text, err)
	}
	y := &yamlReader{text: text, lines: lineStarts(text.Body)}
	return y.node(root.Content[0])
}

var yamlLine = regexp.MustCompile(`line (\d+): (.*)`)

var yamlAnchor = regexp.MustCompile(`anchor '([^']+)'`)

// misread is that a text is not YAML, with the line if the library tells one.
func misread(text source.Text, err error) error {
	if at := strings.IndexFunc(text.Body, isControl); at >= 0 {
		c, size := utf8.DecodeRuneInString(text.Body[at:])
		return fault(text, source.Span{Start: at, End: at + size}, "leave it out, or write it in double quotes as \"\\u"+fmt.Sprintf("%04x", c)+"\"", "this is not YAML: the control character U+%04X cannot stand in a text", c)
	}
	at, message := source.Span{}, strings.TrimPrefix(err.Error(), "yaml: ")
	if version := strings.Index(text.Body, "%YAML"); version >= 0 && strings.Contains(message, "incompatible YAML document") { // any but 1.1
		return fault(text, source.Span{Start: version, End: version + len(firstLine(text.Body[version:]))}, "leave the line out", "a spec does not say what version of YAML it is in")
	}
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		starts := lineStarts(text.Body)
		line, _ := strconv.Atoi(m[1])
		if line = min(max(line, 1), len(starts)); line > 0 {
			at.Start = starts[line-1]
			at.End = at.Start + len(firstLine(text.Body[at.Start:]))
		}
		message = m[2]
		begins := text.Body[at.Start:at.End]
		if tab := strings.IndexByte(begins, '\t'); tab >= 0 && strings.TrimLeft(begins[:tab], " ") == "" {
			at.Start += tab
			at.End = at.Start + 1
			return fault(text, at, "indent with spaces", "this is not YAML: a tab cannot indent a line")
		}
	} else if m := yamlAnchor.FindStringSubmatch(message); m != nil {
		at.Start = max(strings.Index(text.Body, "*"+m[1]), 0)
		at.End = at.Start + 1 + len(m[1])
	}
	return &source.Error{Code: codeSyntax, Span: at, Message: "this is not YAML: " + message, Text: text}
}

// isControl reports whether YAML 1.2 does not let a character stand in a text (section 5.1, printable characters).
func isControl(c rune) bool {
	switch {
	case c == '\t' || c == '\n' || c == '\r' || c == 0x85:
		return false
	case c < 0x20 || c >= 0x7F && c < 0xA0:
		return true
	}
	return c == 0xFFFE || c == 0xFFFF
}

func lineStarts(body string) []int {
	starts := []int{0}
	for i := range len(body) {
		if body[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return strings.TrimSuffix(line, "\r")
}

type yamlReader struct {
	text  source.Text
	lines []int
	nodes int
	open  []*yaml.Node // aliases that are being followed
	last  spot         // where offset was asked for last: a line can be long
}

// spot is a place as the library counts, from 1, and in bytes.
type spot struct{ line, column, at int }

// offset is the place of a node in bytes; the library counts lines and characters.
func (y *yamlReader) offset(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(y.lines) {
		return len(y.text.Body)
	}
	s := spot{n.Line, 1, y.lines[n.Line-1]}
	if y.last.line == n.Line && y.last.column <= n.Column {
		s = y.last
	}
	for ; s.column < n.Column && s.at < len(y.text.Body); s.column++ {
		_, size := utf8.DecodeRuneInString(y.text.Body[s.at:])
		s.at += size
	}
	y.last = s
	return s.at
}

// at is where a node stands. A scalar in quotes has its quotes around it, and a block has its lines.
func (y *yamlReader) at(n *yaml.Node) source.Span {
	start := y.offset(n)
	rest := y.text.Body[start:]
	switch {
	case n.Kind == yaml.ScalarNode && n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 && rest != "":
		if close := strings.IndexByte(rest[1:], rest[0]); close >= 0 && strings.IndexByte(rest[1:1+close], '\n') < 0 {
			return source.Span{Start: start, End: start + close + 2}
		}
	case n.Kind == yaml.ScalarNode && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 && strings.HasPrefix(rest, n.Value):
		return source.Span{Start: start, End: start + len(n.Value)}
	case n.Kind == yaml.MappingNode && len(n.Content) > 0 && n.Style&yaml.FlowStyle == 0:
		return y.at(n.Content[0])
	case n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode:
		return source.Span{Start: start, End: min(start+1, len(y.text.Body))}
	}
	return source.Span{Start: start, End: start + len(firstLine(rest))}
}

func (y *yamlReader) node(n *yaml.Node) (*Node, error) {
	if y.nodes++; y.nodes > maxNodes {
		return nil, fault(y.text, y.at(n), "write fewer aliases", "the spec comes to more than %d values", maxNodes)
	}
	switch n.Kind {
	case yaml.AliasNode:
		for _, o := range y.open {
			if o == n.Alias {
				return nil, fault(y.text, y.at(n), "write the value out", "the alias '%s' holds itself", n.Value)
			}
		}
		y.open = append(y.open, n.Alias)
		v, err := y.node(n.Alias)
		y.open = y.open[:len(y.open)-1]
		return v, err
	case yaml.ScalarNode:
		return y.scalar(n), nil
	case yaml.SequenceNode:
		v := &Node{Kind: List, Span: y.at(n)}
		for _, c := range n.Content {
			item, err := y.node(c)
			if err != nil {
				return nil, err
			}
			v.Items = append(v.Items, item)
		}
		return v, nil
	}
	return y.mapping(n)
}

func (y *yamlReader) mapping(n *yaml.Node) (*Node, error) {
	v := &Node{Kind: Map, Span: y.at(n)}
	var merged []Entry
	named := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			return nil, fault(y.text, y.at(key), "write a word", "a name is not a list or a map")
		}
		at := y.at(key)
		child, err := y.node(value)
		if err != nil {
			return nil, err
		}
		if key.Tag == "!!merge" {
			if child.Kind != Map {
				return nil, fault(y.text, at, "give << an alias of a map", "<< takes the members of a map, and this is %s", child.Kind)
			}
			merged = append(merged, child.Entries...)
			continue
		}
		if named[key.Value] {
			return nil, twice(y.text, at, key.Value)
		}
		named[key.Value] = true
		v.Entries = append(v.Entries, Entry{Word{key.Value, at}, child})
	}
	for _, e := range merged {
		if !named[e.Key.Text] {
			named[e.Key.Text] = true
			v.Entries = append(v.Entries, e)
		}
	}
	return v, nil
}

func (y *yamlReader) scalar(n *yaml.Node) *Node {
	v := &Node{Kind: String, Text: n.Value, Span: y.at(n)}
	body := y.text.Body
	switch {
	case n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		inside := source.Span{Start: v.Span.Start + 1, End: v.Span.End - 1}
		if inside.End >= inside.Start && y.text.Slice(inside) == n.Value {
			v.Verbatim = true
		}
		return v
	case n.Style&yaml.LiteralStyle != 0:
		v.Span, v.Verbatim = y.block(n, v.Span)
		return v
	case n.Style&yaml.FoldedStyle != 0:
		return v
	}
	v.Verbatim = strings.HasPrefix(body[min(v.Span.Start, len(body)):], n.Value)
	switch n.Tag {
	case "!!int", "!!float":
		v.Kind = Number
	case "!!bool":
		v.Kind, v.Text = Bool, strings.ToLower(n.Value)
	case "!!null":
		v.Kind, v.Text = Null, ""
	}
	return v
}

// block is where the lines of a literal block stand, if they are those of its text with blanks before them.
func (y *yamlReader) block(n *yaml.Node, head source.Span) (source.Span, bool) {
	line := n.Line // the first line of the block, counted from 0
	lines := strings.Split(strings.TrimRight(n.Value, "\n"), "\n")
	if line >= len(y.lines) || len(lines) == 0 {
		return head, false
	}
	at := source.Span{Start: y.lines[line]}
	for i, l := range lines {
		if line+i >= len(y.lines) {
			return head, false
		}
		start := y.lines[line+i]
		written := firstLine(y.text.Body[start:])
		if strings.TrimLeft(written, " ") != strings.TrimLeft(l, " ") {
			return head, false
		}
		at.End = start + len(written)
	}
	return at, true
}

func twice(text source.Text, at source.Span, key string) error {
	return fault(text, at, "write it once", "'%s' stands here twice", key)
}

// fault is an error about the text itself.
func fault(text source.Text, at source.Span, hint, format string, args ...any) error {
	return &source.Error{Code: codeSyntax, Span: at, Message: fmt.Sprintf(format, args...), Hint: hint, Text: text}
}
