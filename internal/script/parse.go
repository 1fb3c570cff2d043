package script

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// File is a script as read.
type File struct {
	Path   string
	Blocks []Block
	lines  []string
}

// Block is one step of a script and what it must print.
type Block struct {
	Verb Verb
	// Line is where the verb stands, from 1; line k of Body is k lines further down, from 1.
	Line int
	Body []string
	Want []string

	// Table and Split narrow rows, messages, end, pause, resume, down, up, watermark, splits and promise; Split is AllSplits without one. A topic is Table, and has Splits.
	Table  string
	Split  int
	Splits int
	// Clock moves the wall clock, before anything else.
	Clock Move
	// Restartable is an argument of sql; see variation.go.
	Restartable bool
	// Word is what a promise says.
	Word Word

	title string // the verb's line
	want  span   // of Want in the lines of the file
}

type span struct{ from, to int }

// AllSplits is the split of a block that names none.
const AllSplits = -1

// Verb is what a block does.
type Verb string

// The verbs. docs/testing.md describes each.
const (
	SQL       Verb = "sql"
	Topic     Verb = "topic"
	Rows      Verb = "rows"
	Messages  Verb = "messages"
	Clock     Verb = "clock"
	End       Verb = "end"
	Pause     Verb = "pause"
	Resume    Verb = "resume"
	Watermark Verb = "watermark"
	System    Verb = "system"
	Down      Verb = "down"
	Up        Verb = "up"
	Splits    Verb = "splits"
	Late      Verb = "late"
	Counts    Verb = "counts"
	Snapshot  Verb = "snapshot"
	Crash     Verb = "crash"
	Drain     Verb = "drain"
	Promise   Verb = "promise"
)

// usages say how each verb is written.
var usages = []struct {
	verb  Verb
	usage string
	body  bool
}{
	{SQL, "sql [restartable]", true},
	{Topic, "topic NAME [splits N]", false},
	{Rows, "rows TABLE [split N] [at TIME]", true},
	{Messages, "messages TABLE [split N] [at TIME]", true},
	{Clock, "clock TIME, clock +DURATION, or clock set TIME", false},
	{End, "end [TABLE [split N]]", false},
	{Pause, "pause TABLE [split N]", false},
	{Resume, "resume TABLE [split N]", false},
	{Watermark, "watermark [TABLE]", false},
	{System, "system", false},
	{Down, "down TABLE [split N]", false},
	{Up, "up TABLE [split N]", false},
	{Splits, "splits [TABLE]", false},
	{Late, "late", false},
	{Counts, "counts", false},
	{Snapshot, "snapshot", false},
	{Crash, "crash", false},
	{Drain, "drain", false},
	{Promise, "promise TABLE by WRITER TIME|none [idle|stopped|ended] [at TIME]", false},
}

// Move is a move of the wall clock: to Micros since its start, or by them if Relative. The zero Move stays. With AtOnce the clock is set, and nothing happens on the way.
type Move struct {
	Set      bool
	Relative bool
	AtOnce   bool
	Micros   int64
}

// Error is a fault of the script itself, as opposed to an output that differs.
type Error struct {
	Path    string
	Line    int
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Message) }

// separator stands between what a block does and what it prints.
const separator = "----"

// Parse reads a script. The error is an *Error.
func Parse(path, text string) (*File, error) {
	p := &parser{file: &File{Path: path, lines: strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")}}
	for p.at < len(p.file.lines) {
		if line := strings.TrimSpace(p.line()); line == "" || strings.HasPrefix(line, "#") {
			p.at++
			continue
		}
		b, err := p.block()
		if err != nil {
			return nil, err
		}
		p.file.Blocks = append(p.file.Blocks, b)
	}
	if len(p.file.Blocks) == 0 {
		return nil, p.errorf(0, "the script has no block and so tests nothing; begin with: %s", SQL)
	}
	return p.file, nil
}

type parser struct {
	file *File
	at   int // index of the line at hand
}

func (p *parser) line() string { return p.file.lines[p.at] }

// errorf places a fault at the line with index at.
func (p *parser) errorf(at int, format string, args ...any) error {
	return &Error{p.file.Path, at + 1, fmt.Sprintf(format, args...)}
}

func (p *parser) block() (Block, error) {
	start := p.at
	b := Block{Line: start + 1, Split: AllSplits, title: strings.TrimSpace(cutComment(p.line()))}
	hasBody, err := p.head(&b, strings.Fields(b.title))
	if err != nil {
		return b, err
	}
	for p.at++; ; p.at++ {
		switch {
		case p.at == len(p.file.lines):
			return b, p.errorf(start, "the block '%s' has no line %s", b.title, separator)
		case strings.TrimRight(p.line(), " \t") == separator:
			return b, p.output(&b, hasBody)
		case strings.TrimSpace(p.line()) == "" && b.Verb != SQL:
			return b, p.errorf(p.at, "expected %s before the blank line: the block '%s' is not over", separator, b.title)
		case !hasBody:
			return b, p.errorf(p.at, "expected %s: %s takes nothing below its line", separator, b.Verb)
		}
		b.Body = append(b.Body, p.line())
	}
}

// output reads the lines behind the separator.
func (p *parser) output(b *Block, hasBody bool) error {
	if hasBody && strings.TrimSpace(strings.Join(b.Body, "")) == "" {
		return p.errorf(p.at, "%s has nothing between its line and %s", b.Verb, separator)
	}
	p.at++
	b.want.from = p.at
	for ; p.at < len(p.file.lines) && strings.TrimSpace(p.line()) != ""; p.at++ {
		line := strings.TrimRight(p.line(), " \t")
		if line == separator {
			return p.errorf(p.at, "%s within the output of the block of line %d: put a blank line before the next block", separator, b.Line)
		}
		b.Want = append(b.Want, line)
	}
	b.want.to = p.at
	return nil
}

// head reads the line of a verb.
func (p *parser) head(b *Block, words []string) (hasBody bool, err error) {
	b.Verb = Verb(words[0])
	usage := ""
	var names []string
	for _, u := range usages {
		names = append(names, string(u.verb))
		if u.verb == b.Verb {
			usage, hasBody = u.usage, u.body
		}
	}
	if usage == "" {
		hint := "; the verbs are: " + strings.Join(names, ", ")
		if near := source.Nearest(words[0], names); near != "" {
			hint = fmt.Sprintf("; did you mean '%s'?", near)
		}
		return false, p.errorf(p.at, "unknown verb '%s'%s", words[0], hint)
	}
	if err := b.arguments(words[1:]); err != nil {
		return false, p.errorf(p.at, "%s; write: %s", err, usage)
	}
	return hasBody, nil
}

func (b *Block) arguments(words []string) (err error) {
	if b.Verb == Clock {
		set := len(words) > 0 && words[0] == "set"
		if set {
			words = words[1:]
		}
		if len(words) != 1 {
			return fmt.Errorf("clock takes one time")
		}
		b.Clock, err = parseMove(words[0])
		b.Clock.AtOnce = set
		return err
	}
	if b.Verb == Topic {
		return b.topic(words)
	}
	if b.Verb == Promise {
		if words, err = b.promise(words); err != nil {
			return err
		}
	}
	if b.Verb == SQL && len(words) > 0 && words[0] == "restartable" {
		b.Restartable, words = true, words[1:]
	}
	ofTable := slices.Contains([]Verb{Rows, Messages, Pause, Resume, Down, Up}, b.Verb)
	ofSplit := ofTable || b.Verb == End
	if (ofSplit || b.Verb == Watermark || b.Verb == Splits) && len(words) > 0 {
		b.Table, words = words[0], words[1:]
	}
	if ofTable && b.Table == "" {
		return fmt.Errorf("%s of which table?", b.Verb)
	}
	if ofSplit && len(words) > 1 && words[0] == "split" {
		if b.Split, err = strconv.Atoi(words[1]); err != nil || b.Split < 0 {
			return fmt.Errorf("'%s' is not the number of a split, which count from 0", words[1])
		}
		words = words[2:]
	}
	if (b.Verb == Rows || b.Verb == Messages || b.Verb == Promise) && len(words) > 1 && words[0] == "at" {
		if b.Clock, err = parseMove(words[1]); err != nil {
			return err
		}
		words = words[2:]
	}
	if len(words) > 0 {
		return fmt.Errorf("'%s' is not understood here", words[0])
	}
	return nil
}

// topic reads the arguments of topic.
func (b *Block) topic(words []string) (err error) {
	b.Splits = 1
	switch {
	case len(words) == 0:
		return fmt.Errorf("which topic?")
	case len(words) == 3 && words[1] == "splits":
		if b.Splits, err = strconv.Atoi(words[2]); err != nil || b.Splits < 1 || b.Splits > maxSplits {
			return fmt.Errorf("'%s' is not a number of splits, 1 to %d", words[2], maxSplits)
		}
	case len(words) > 1:
		return fmt.Errorf("'%s' is not understood here", words[1])
	}
	b.Table = words[0]
	return nil
}

// parseMove reads 5s, +200ms, 00:00:05 or 2026-01-01T00:00:00.
func parseMove(word string) (Move, error) {
	if text, relative := strings.CutPrefix(word, "+"); relative || !strings.Contains(word, ":") {
		if _, bare := strconv.Atoi(text); bare == nil {
			return Move{}, fmt.Errorf("'%s' has no unit, such as ms or s", word)
		}
		micros, err := connector.ParseDuration(text)
		return Move{Set: true, Relative: relative, Micros: micros}, err
	}
	micros, zoned, ok := parseTime(word)
	if !ok || zoned {
		return Move{}, fmt.Errorf("'%s' is not a time of the clock, such as 5s or 00:00:05", word)
	}
	return Move{Set: true, Micros: micros}, nil
}

// cutComment takes a comment, '#' behind a blank or at the start, off the end of a line. In quotes it is none.
func cutComment(line string) string {
	quoted := false
	for i := range len(line) {
		switch {
		case line[i] == '\'':
			quoted = !quoted
		case line[i] == '#' && !quoted && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t'):
			return line[:i]
		}
	}
	return line
}
