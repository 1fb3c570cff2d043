package shell

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/blackhole"
	"github.com/tidemark-sql/tidemark/internal/connector/datagen"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// terminal is a terminal that a test types on and looks at. It plays the part of the library: commands run beside each other and their messages
// come one at a time; whoever waits for something waits for messages, never for a time.
type terminal struct {
	t       *testing.T
	model   *model
	msgs    chan tea.Msg
	printed []string
	raw     string // what was written past the library
	quit    bool
	open    int // commands that have not ended
}

// endedMsg tells that a command has ended.
type endedMsg struct{}

// besideMsg is a command to be run beside others.
type besideMsg struct{ cmd tea.Cmd }

// printedMsg is what print and the quit command of the library become here.
type printedMsg string

func newTerminal(t *testing.T, historyFile string) *terminal {
	t.Helper()
	return newTerminalAt(t, historyFile, nil)
}

func newTerminalAt(t *testing.T, historyFile string, place Place) *terminal {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	s, err := New(Options{
		Place:      place,
		Connectors: []connector.Connector{endless, datagen.Connector, blackhole.Connector}, Stdout: io.Discard, Stderr: io.Discard, Parallelism: 1, HistoryFile: historyFile,
		Now: func() time.Time { return time.Time{} }, After: func(time.Duration) <-chan time.Time { return nil },
		Progress:  func(s runtime.Stats, _ time.Duration) string { return "running" },
		Summarize: func(w io.Writer, s runtime.Stats, _ time.Duration) { fmt.Fprintf(w, "%d rows out\n", s.Written) },
	})
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal{t: t, model: newModel(ctx, s), msgs: make(chan tea.Msg)}
	term.model.print = func(text string) tea.Cmd { return func() tea.Msg { return printedMsg(text) } }
	term.model.tick = func(tickMsg) tea.Cmd { return nil }
	term.send(tea.WindowSizeMsg{Width: 60, Height: 14})
	t.Cleanup(func() {
		cancel()
		for term.open > 0 {
			term.send(<-term.msgs)
		}
	})
	return term
}

// run runs a command as the library does.
func (term *terminal) run(cmd tea.Cmd) {
	if cmd != nil {
		term.open++
		go func() {
			term.deliver(cmd())
			term.deliver(endedMsg{})
		}()
	}
}

// deliver hands a message on; several commands in order are run in order.
func (term *terminal) deliver(msg tea.Msg) {
	v := reflect.ValueOf(msg)
	if v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		_, beside := msg.(tea.BatchMsg)
		for i := range v.Len() {
			if cmd := v.Index(i).Interface().(tea.Cmd); beside {
				term.deliver(besideMsg{cmd})
			} else {
				term.deliver(cmd())
			}
		}
		return
	}
	term.msgs <- msg
}

func (term *terminal) send(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case endedMsg:
		term.open--
	case besideMsg:
		term.run(msg.cmd)
	case printedMsg:
		term.printed = append(term.printed, string(msg))
	case tea.RawMsg:
		term.raw += fmt.Sprint(msg.Msg)
	case tea.QuitMsg:
		term.quit = true
	default:
		_, cmd := term.model.Update(msg)
		term.run(cmd)
	}
}

// until takes messages until something holds.
func (term *terminal) until(holds func() bool) {
	term.t.Helper()
	for !holds() {
		term.send(<-term.msgs)
	}
}

// keys types: names in angle brackets are keys, the rest is text.
func (term *terminal) keys(text string) {
	for _, part := range regexp.MustCompile(`<[a-z+-]+>|[^<]+|<`).FindAllString(text, -1) {
		if key, ok := named[strings.Trim(part, "<>")]; ok && strings.HasPrefix(part, "<") {
			term.send(tea.KeyPressMsg(key))
			continue
		}
		for _, r := range part {
			term.send(tea.KeyPressMsg(tea.Key{Text: string(r), Code: r}))
		}
	}
}

var named = map[string]tea.Key{
	"enter": {Code: tea.KeyEnter}, "tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "backspace": {Code: tea.KeyBackspace}, "delete": {Code: tea.KeyDelete},
	"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd},
	"pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown}, "esc": {Code: tea.KeyEscape}, "alt+enter": {Code: tea.KeyEnter, Mod: tea.ModAlt},
}

func init() {
	for c := 'a'; c <= 'z'; c++ {
		named["ctrl+"+string(c)] = tea.Key{Code: c, Mod: tea.ModCtrl}
		named["alt+"+string(c)] = tea.Key{Code: c, Mod: tea.ModAlt}
	}
}

var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

// screen is what View draws, with the cursor as ▏ where a statement is typed.
func (term *terminal) screen() string {
	v := term.model.View()
	lines := strings.Split(colours.ReplaceAllString(v.Content, ""), "\n")
	if c := v.Cursor; c != nil && c.Y < len(lines) {
		line := lines[c.Y] + strings.Repeat(" ", max(c.X-width(lines[c.Y]), 0))
		behind := shifted(line, c.X)
		lines[c.Y] = line[:len(line)-len(behind)] + "▏" + behind
	}
	return strings.Join(lines, "\n")
}

// shows fails unless the screen is as wanted.
func (term *terminal) shows(want string) {
	term.t.Helper()
	want = strings.Trim(want, "\n")
	if got := term.screen(); got != want {
		term.t.Errorf("the screen is\n%s\nwant\n%s", got, want)
	}
}

// said is what was printed since it was asked last, once nothing is going on any more.
func (term *terminal) said() string {
	term.t.Helper()
	term.until(func() bool { return term.open == 0 })
	text := colours.ReplaceAllString(strings.Join(term.printed, "\n"), "")
	term.printed = nil
	return text
}

// running waits until a query runs.
func (term *terminal) running() {
	term.t.Helper()
	term.until(func() bool { return term.model.state == running })
}

// change gives the running query changes of two columns: "+I a 1".
func (term *terminal) change(list ...string) {
	term.t.Helper()
	b := &vector.Batch{N: len(list), Cols: []*vector.Vector{{Kind: vector.Bytes}, {Kind: vector.Bytes}}}
	for _, text := range list {
		fields := strings.Fields(text)
		for op := vector.Insert; op <= vector.Delete; op++ {
			if op.String() == fields[0] {
				b.Ops = append(b.Ops, op)
			}
		}
		for c, v := range b.Cols {
			v.Views = append(v.Views, vector.View{Off: uint32(len(v.Buf)), Len: uint32(len(fields[c+1]))})
			v.Buf = append(v.Buf, fields[c+1]...)
		}
	}
	if err := term.model.results.Write(b); err != nil {
		term.t.Fatal(err)
	}
}

// endless is a connector whose tables never give a row and never end.
var endless = connector.Connector{
	Name: "endless", Doc: "gives nothing for ever",
	NewSource: func(connector.Table, connector.Options) (connector.Source, error) { return endlessSource{}, nil },
	NewSink: func(t connector.Table, _ connector.Options) (connector.Sink, error) {
		return nil, connector.NotWritable("endless", "write into another table")
	},
}

type endlessSource struct{}

func (endlessSource) Open() ([]connector.Split, error)       { return []connector.Split{endlessSplit{}}, nil }
func (endlessSource) NewDecoder() (connector.Decoder, error) { return nil, nil }
func (endlessSource) Bounded() bool                          { return false }

type endlessSplit struct{}

func (endlessSplit) Name() string                                   { return "nothing" }
func (endlessSplit) Poll(now int64) (connector.Chunk, int64, error) { return nil, connector.Never, nil }
func (endlessSplit) Offset() int64                                  { return 0 }
func (endlessSplit) Resume(int64) error                             { return nil }
func (endlessSplit) Close() error                                   { return nil }
