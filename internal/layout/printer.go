package layout

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/textwidth"
)

// op is a step of a layout: text, a place where a line may or must break, or the edge of a group, which breaks as a whole or not at all.
type op struct {
	kind opKind
	text string
}

type opKind uint8

const (
	opText   opKind = iota
	opSpace         // a blank between two texts of a line; several are one
	opLine          // a blank, or a line end if the group breaks
	opCut           // nothing, or a line end if the group breaks
	opHard          // a line end; several are one
	opEmpty         // a line end and an empty line
	opOpen          // a group begins
	opClose         // a group ends
	opIndent        // lines that begin from here on are further in
	opDedent
)

func (b *builder) put(kind opKind)    { b.ops = append(b.ops, op{kind: kind}) }
func (b *builder) write(text string)  { b.ops = append(b.ops, op{opText, text}) }
func (b *builder) group(body func())  { b.put(opOpen); body(); b.put(opClose) }
func (b *builder) indent(body func()) { b.put(opIndent); body(); b.put(opDedent) }

const indentation = 2

// print turns the steps into text.
func (b *builder) print() string {
	sizes := measure(b.ops)
	var out strings.Builder
	var flat []bool // of the open groups
	column, depth, empty, space := 0, 0, true, false
	newLine := func() {
		if !empty {
			out.WriteByte('\n')
		}
		empty, space = true, false
	}
	for i, o := range b.ops {
		breaks := len(flat) > 0 && !flat[len(flat)-1]
		switch o.kind {
		case opText:
			if empty {
				column = depth * indentation
				out.WriteString(strings.Repeat(" ", column))
			} else if space {
				out.WriteByte(' ')
				column++
			}
			empty, space = false, false
			out.WriteString(o.text)
			if last := strings.LastIndexByte(o.text, '\n'); last >= 0 {
				column = width(o.text[last+1:])
			} else {
				column += width(o.text)
			}
		case opSpace:
			space = true
		case opLine, opCut:
			if breaks {
				newLine()
			} else if o.kind == opLine {
				space = true
			}
		case opHard:
			newLine()
		case opEmpty:
			newLine()
			out.WriteByte('\n')
		case opOpen:
			start := column
			if empty {
				start = depth * indentation
			} else if space {
				start++
			}
			inside := len(flat) > 0 && flat[len(flat)-1]
			s := sizes[i]
			flat = append(flat, inside || !s.broken && start+s.width+behind(b.ops[s.end+1:]) <= Width)
		case opClose:
			flat = flat[:len(flat)-1]
		case opIndent:
			depth++
		case opDedent:
			depth--
		}
	}
	return out.String()
}

// size is what a group takes on one line, whether it cannot be on one, and where it ends.
type size struct {
	width  int
	broken bool
	end    int
}

// measure finds the size of every group; it stands at the index of the group's beginning.
func measure(ops []op) map[int]size {
	sizes := map[int]size{}
	widths, ends := make([]int, len(ops)+1), make([]int, len(ops)+1)
	var open []int
	for i, o := range ops {
		wide, end := 0, 0
		switch o.kind {
		case opText:
			wide = width(o.text)
			end = strings.Count(o.text, "\n")
		case opSpace, opLine:
			wide = 1
		case opHard, opEmpty:
			end = 1
		case opOpen:
			open = append(open, i)
		case opClose:
			at := open[len(open)-1]
			open = open[:len(open)-1]
			sizes[at] = size{widths[i] - widths[at], ends[i] > ends[at], i}
		}
		widths[i+1], ends[i+1] = widths[i]+wide, ends[i]+end
	}
	return sizes
}

// behind is how much follows before a line may break again.
func behind(ops []op) int {
	n := 0
	for _, o := range ops {
		switch o.kind {
		case opText:
			n += width(o.text)
		case opSpace:
			n++
		case opLine, opCut, opHard, opEmpty, opOpen:
			return n
		}
	}
	return n + len(";")
}

func width(text string) int {
	n := 0
	for _, r := range text {
		n += textwidth.Rune(r)
	}
	return n
}
