package tokens

import "strings"

// Printer collects the text of a tree, in lines with an indent of two blanks for each block that is open. Its zero value is ready.
type Printer struct {
	strings.Builder
	indent int
}

// Words writes all parts.
func (p *Printer) Words(parts ...string) {
	for _, part := range parts {
		p.WriteString(part)
	}
}

// When writes text if a condition holds.
func (p *Printer) When(condition bool, text string) {
	if condition {
		p.WriteString(text)
	}
}

// NewLine begins another line.
func (p *Printer) NewLine() {
	p.Words("\n", strings.Repeat("  ", p.indent))
}

// Block writes body on lines of its own between two signs.
func (p *Printer) Block(opening, closing string, body func()) {
	p.WriteString(opening)
	p.indent++
	p.NewLine()
	body()
	p.indent--
	p.NewLine()
	p.WriteString(closing)
}

// Commas writes items with a comma between them.
func Commas[T any](p *Printer, items []T, write func(T)) {
	for i, item := range items {
		p.When(i > 0, ", ")
		write(item)
	}
}

// Lines writes items one a line with commas between them.
func Lines[T any](p *Printer, items []T, write func(T)) {
	for i, item := range items {
		if i > 0 {
			p.WriteByte(',')
			p.NewLine()
		}
		write(item)
	}
}
