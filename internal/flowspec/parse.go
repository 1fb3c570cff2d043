package flowspec

import (
	"strings"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Codes of errors. They are stable.
const (
	codeSyntax   = "syntax"
	codeSpec     = "pipeline-spec"
	codeGraph    = "pipeline-graph"
	codeUnknown  = "pipeline-name"
	codeStrategy = "watermark-strategy"
)

// maxText bounds a spec, in bytes.
const maxText = 4 << 20

// Is reports whether a text is the spec of a pipeline: a map with computations, or with a spec that has them. It can be true for one that has mistakes in it.
func Is(body string) bool {
	if !strings.Contains(body, "computations") {
		return false
	}
	if len(body) > maxText {
		return looksLike(body)
	}
	if isYSON(body) {
		return true
	}
	n, err := Read(source.Text{Body: body})
	if err != nil {
		return looksLike(body)
	}
	return n.Get("computations") != nil || n.Get("spec") != nil
}

// looksLike tells a spec that cannot be read from a text in another language: a line of it is the name of the part, as no statement has it.
func looksLike(body string) bool {
	for line := range strings.Lines(body) {
		word, rest, found := strings.Cut(strings.TrimLeft(line, " {\t"), ":")
		rest = strings.TrimSpace(rest)
		if found && strings.Trim(word, `" `) == "computations" && (rest == "" || rest[0] == '{' || rest[0] == '&') {
			return true
		}
	}
	return false
}

// Parse reads a spec and checks it. The error is a *source.Error; what a spec has beyond what is known are warnings of the pipeline.
func Parse(text source.Text) (*Pipeline, error) {
	if len(text.Body) > maxText {
		return nil, fault(text, source.Span{}, "a spec has at most 4 MiB", "the spec is too long")
	}
	for at, c := range text.Body {
		if c == utf8.RuneError && !strings.HasPrefix(text.Body[at:], string(c)) {
			return nil, fault(text, source.Span{Start: at, End: at + 1}, "save it in that encoding", "the spec is not UTF-8")
		}
	}
	root, err := Read(text)
	if err != nil {
		return nil, err
	}
	p, err := decode(text, root)
	if err != nil {
		return nil, err
	}
	return p, p.validate()
}

// Read reads a text in YAML, JSON or YSON, whatever it is about.
func Read(text source.Text) (*Node, error) {
	if isYSON(text.Body) {
		return readYSON(text)
	}
	return readYAML(text)
}
