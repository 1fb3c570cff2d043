package shell

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/manual"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Options make a Shell.
type Options struct {
	// Place is where statements run; nil is this process.
	Place Place
	// Connectors are the values that 'connector' can have, as far as this process knows.
	Connectors []connector.Connector
	// Stdout is where results go, Stderr what is said about them.
	Stdout, Stderr io.Writer
	// Language is how what is typed is to be read.
	Language language.Language
	// Form is how rows are written when there is no terminal: table, jsonl or csv.
	Form string
	// Parallelism is the number of workers and of tasks per aggregation in this process unless 'parallelism.default' is set.
	Parallelism int
	// HistoryFile keeps what is typed; "" keeps nothing.
	HistoryFile string
	// Now and After are those of package time; tests have their own.
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
	// Progress says on one line how far a query of this process has come, and Summarize what became of one, in lines with line ends.
	Progress  func(s runtime.Stats, took time.Duration) string
	Summarize func(w io.Writer, s runtime.Stats, took time.Duration)
}

// Shell is a session with the settings and commands of the client. It belongs to one goroutine at a time.
type Shell struct {
	options Options
	place   Place
	client  map[string]string
	// language is that of what is typed.
	language language.Language
	history  *history
	topics   []manual.Topic
	printer  *printer // what connectors write to Stdout
}

// The settings of the client. They never reach the engine. Confluent's shell has the same ones.
const (
	keyFormat  = "client.output-format"
	keyTimeout = "client.results-timeout"
)

var clientKeys = []string{keyFormat, keyTimeout}

// defaults are the values of the settings of the client.
var defaults = map[string]string{keyFormat: formatTable, keyTimeout: "600000"}

const (
	formatTable = "standard"   // results fold into a table
	formatPlain = "plain-text" // results are the changes, one a line
)

// New makes a shell with an empty session. The error tells why the history cannot be read; the shell works without it.
func New(o Options) (*Shell, error) {
	h, err := newHistory(o.HistoryFile)
	s := &Shell{printer: &printer{w: o.Stdout}, options: o, client: map[string]string{}, history: h, topics: manual.Topics(o.Connectors), place: o.Place, language: o.Language}
	if s.place == nil {
		s.place = newLocal(&s.options, s.printer)
	}
	return s, err
}

// HistoryFile is where a user's history is kept by default; "" if there is no place for it.
func HistoryFile() string {
	if folder := os.Getenv("XDG_STATE_HOME"); folder != "" {
		return folder + "/tidemark/history"
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return home + "/.local/state/tidemark/history"
}

// setting is a setting of the client.
func (s *Shell) setting(key string) string {
	if v, ok := s.client[key]; ok {
		return v
	}
	return defaults[key]
}

// step is one thing to do: a statement, or a command of the shell.
type step struct {
	text      source.Text
	at        source.Span
	statement language.Statement
	command   *command
	argument  string
	depth     int // how many SOURCEs it stands in
}

// steps reads an input: a command of the shell, or statements. A command ends with its line or its semicolon.
func (s *Shell) steps(text source.Text, depth int) ([]step, error) {
	steps, err := s.read(text)
	for i := range steps {
		steps[i].depth = depth
	}
	return steps, err
}

func (s *Shell) read(text source.Text) ([]step, error) {
	if c, argument := findCommand(text.Body); c != nil {
		return []step{{text: text, command: c, argument: argument}}, nil
	}
	if err := unknownCommand(text); err != nil {
		return nil, err
	}
	statements, err := language.Parse(text, s.language)
	if err == nil {
		steps := make([]step, len(statements))
		for i, statement := range statements {
			steps[i] = step{text: text, statement: statement}
		}
		return steps, nil
	}
	return s.mixed(text, err)
}

// mixed reads a script in which commands of the shell stand between statements; otherwise is the error if there are none.
func (s *Shell) mixed(text source.Text, otherwise error) ([]step, error) {
	var steps []step
	var rest []language.Piece
	pieces := language.Cut(text, s.language)
	for _, p := range pieces {
		if c, argument := findCommand(text.Slice(p.Span)); c != nil {
			steps = append(steps, step{text: text, at: p.Span, command: c, argument: argument})
		} else {
			rest = append(rest, p)
		}
	}
	if len(steps) == 0 {
		return nil, otherwise
	}
	statements, err := language.Read(text, rest)
	if err != nil {
		return nil, err
	}
	for _, statement := range statements {
		steps = append(steps, step{text: text, at: statement.Span(), statement: statement})
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(a.at.Start, b.at.Start) })
	return steps, nil
}

// execute runs a statement, or makes its query ready.
func (s *Shell) execute(ctx context.Context, st step) (*Outcome, error) {
	switch stmt := st.statement.(type) {
	case *sql.Set:
		if stmt.Option == nil {
			r, err := s.place.Execute(ctx, st.text, stmt)
			if err == nil {
				s.addClientSettings(r.Rows)
			}
			return r, err
		}
		if strings.HasPrefix(stmt.Option.Key.Value, "client.") {
			return &Outcome{}, s.set(st.text, stmt)
		}
		r, err := s.place.Execute(ctx, st.text, stmt)
		if l, ok := language.Named(stmt.Option.Value.Value); ok && err == nil && stmt.Option.Key.Value == language.Property {
			s.language = l
		}
		return r, err
	case *sql.Reset:
		if stmt.Key == nil || stmt.Key.Value == language.Property {
			s.language = s.options.Language
		}
		switch {
		case stmt.Key == nil:
			clear(s.client)
		case strings.HasPrefix(stmt.Key.Value, "client."):
			delete(s.client, stmt.Key.Value)
			return &Outcome{}, knownClientKey(st.text, stmt.Key)
		}
	}
	return s.place.Execute(ctx, st.text, st.statement)
}

// addClientSettings puts the settings of the client behind those that SET lists: key and value come first.
func (s *Shell) addClientSettings(rows *engine.Rows) {
	for _, key := range clientKeys {
		values := make([]string, len(rows.Schema))
		copy(values, []string{key, s.setting(key)})
		rows.Values = append(rows.Values, values)
	}
}

func knownClientKey(text source.Text, key *sql.StringLit) error {
	if slices.Contains(clientKeys, key.Value) {
		return nil
	}
	hint := "there are " + strings.Join(clientKeys, " and ")
	if near := source.Nearest(key.Value, clientKeys); near != "" {
		hint = "did you mean '" + near + "'?"
	}
	return &source.Error{Code: "setting", Span: key.Span(), Message: "the shell has no setting '" + key.Value + "'", Hint: hint, Text: text}
}

func (s *Shell) set(text source.Text, stmt *sql.Set) error {
	key, value := &stmt.Option.Key, &stmt.Option.Value
	if err := knownClientKey(text, key); err != nil {
		return err
	}
	refuse := func(hint string) error {
		return &source.Error{Code: "setting", Span: value.Span(), Message: fmt.Sprintf("'%s' cannot be '%s'", key.Value, value.Value), Hint: hint, Text: text}
	}
	switch key.Value {
	case keyFormat:
		if value.Value != formatTable && value.Value != formatPlain {
			return refuse("write standard, which folds changes into a table, or plain-text, which shows them")
		}
	case keyTimeout:
		if _, err := milliseconds(value.Value); err != nil {
			return refuse("write milliseconds, such as 600000")
		}
	}
	s.client[key.Value] = value.Value
	return nil
}

func milliseconds(value string) (time.Duration, error) {
	n, err := time.ParseDuration(strings.TrimSpace(value) + "ms")
	if err != nil || n <= 0 {
		return 0, fmt.Errorf("'%s' is no number of milliseconds", value)
	}
	return n, nil
}

// errTimeout is a query that gave nothing within the time of 'client.results-timeout'.
var errTimeout = errors.New("no row within 'client.results-timeout'")

// run runs a query until it ends, ctx is done or, if it has to answer, it has not begun to within the timeout; first is closed with the first row.
func (s *Shell) run(ctx context.Context, job Run, first <-chan struct{}) error {
	limit, _ := milliseconds(s.setting(keyTimeout)) // checked when it was set
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	done := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-first:
		case <-done:
		case <-s.options.After(limit):
			stop(errTimeout)
		}
	}()
	err := job.Run(ctx)
	close(done)
	<-watched
	if err == nil && errors.Is(context.Cause(ctx), errTimeout) {
		return fault.Wrap(fault.External, errTimeout)
	}
	return err
}
