package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// state is what the keys are for.
type state uint8

const (
	editing   state = iota // a statement is typed
	searching              // what was typed before is searched
	executing              // a statement is executed that is no running query, or not yet
	running                // a query runs
	viewing                // a query has ended, and its result is larger than the screen
)

// model is the shell as the terminal library wants it: messages change it, and View draws it.
type model struct {
	shell  *Shell
	ctx    context.Context
	state  state
	editor editor
	menu   menu
	search search
	queue  []step            // what is still to do of the last input
	typed  []tea.KeyPressMsg // while a statement was executed

	width, height int

	// print writes above what View draws, and tick asks for msg after tickLength; tests have their own.
	print func(text string) tea.Cmd
	tick  func(msg tickMsg) tea.Cmd

	query   Query
	job     Run
	results *results
	started time.Time
	cancel  context.CancelFunc
	stopped bool // by Ctrl-C
	view    scroll
}

// The messages of a statement on its way. A tick or a change asks for the next one only while the query that it is of runs: one that comes late must not go on with the
// next query beside that query's own.
type (
	executedMsg struct {
		result *Outcome
		err    error
	}
	startedMsg struct {
		job Run
		err error
	}
	changedMsg  struct{ of *results }
	tickMsg     struct{ of Run }
	finishedMsg struct{ err error }
)

func newModel(ctx context.Context, s *Shell) *model {
	m := &model{shell: s, ctx: ctx, width: 80, height: 24}
	m.menu.complete = s.completions
	m.print = func(text string) tea.Cmd { return tea.Println(text) }
	m.tick = func(msg tickMsg) tea.Cmd { return tea.Tick(tickLength, func(time.Time) tea.Msg { return msg }) }
	return m
}

// tickLength is how often the counters of a running query are drawn when nothing else happens.
const tickLength = 200 * time.Millisecond

// Terminal runs the shell on a terminal until the user leaves.
func (s *Shell) Terminal(ctx context.Context, in, out *os.File) error {
	m := newModel(ctx, s)
	program := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler())
	s.printer.to(func(line string) { program.Println(line) })
	defer s.printer.to(nil)
	_, err := program.Run()
	if m.cancel != nil {
		m.cancel()
	}
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		return nil
	}
	return err
}

// Init implements tea.Model.
func (m *model) Init() tea.Cmd {
	return m.print("Tidemark. Statements end with a semicolon; HELP tells more, Ctrl-D leaves.")
}

// Update implements tea.Model.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.update(msg)
	for m.state == editing && len(m.typed) > 0 {
		key := m.typed[0]
		m.typed = m.typed[1:]
		cmd = tea.Sequence(cmd, m.key(key))
	}
	return m, cmd
}

func (m *model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.PasteMsg:
		if m.state == editing {
			m.menu.close()
			m.editor.insert(msg.Content)
		}
	case tea.KeyPressMsg:
		return m.key(msg)
	case executedMsg:
		return m.executed(msg)
	case startedMsg:
		return m.begun(msg)
	case changedMsg:
		if m.state == running && msg.of == m.results {
			return m.waitForChange()
		}
	case tickMsg:
		if m.state == running && msg.of == m.job {
			return m.tick(msg)
		}
	case finishedMsg:
		return m.finished(msg.err)
	}
	return nil
}

func (m *model) key(msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	switch m.state {
	case editing:
		return m.editKey(name, msg.Key().Text)
	case searching:
		m.searchKey(name, msg.Key().Text)
	case executing:
		m.typed = append(m.typed, msg)
	case running:
		if name == "ctrl+c" || name == "q" || name == "esc" {
			m.stopped = true
			m.cancel()
			return nil
		}
		m.view.key(name)
	case viewing:
		switch name {
		case "ctrl+c", "ctrl+d", "q", "esc", "enter":
			return m.leaveView()
		}
		m.view.key(name)
	}
	return nil
}

// editKey takes a key while a statement is typed.
func (m *model) editKey(name, text string) tea.Cmd {
	switch name {
	case "tab", "shift+tab":
		m.menu.tab(&m.editor, name == "tab")
		return nil
	}
	m.menu.close()
	switch name {
	case "enter":
		if m.shell.complete(m.editor.string()) {
			return m.submit()
		}
		m.editor.insert("\n")
	case "ctrl+c":
		echo := m.echo() + "^C"
		m.editor = editor{killed: m.editor.killed}
		m.shell.history.at = len(m.shell.history.entries)
		return m.print(echo)
	case "ctrl+d":
		if len(m.editor.text) == 0 {
			return tea.Quit
		}
		m.editor.key(name)
	case "up", "down":
		if !m.editor.vertical(name == "down") {
			m.recall(name == "down")
		}
	case "ctrl+p", "ctrl+n":
		m.recall(name == "ctrl+n")
	case "ctrl+l":
		return cleared()
	case "ctrl+r":
		m.state, m.search = searching, search{before: len(m.shell.history.entries), found: -1}
	default:
		if !m.editor.key(name) && text != "" {
			m.editor.insert(text)
		}
	}
	return nil
}

// recall puts an earlier or later input into the editor.
func (m *model) recall(later bool) {
	by := -1
	if later {
		by = 1
	}
	if entry, ok := m.shell.history.move(by, m.editor.string()); ok {
		m.editor.set(entry)
	}
}

// submit does what was typed.
func (m *model) submit() tea.Cmd {
	body, echo := m.editor.string(), m.echo()
	m.editor = editor{killed: m.editor.killed}
	if strings.TrimSpace(body) == "" {
		return m.print(echo)
	}
	shown := m.print(echo)
	if err := m.shell.history.add(body); err != nil {
		m.shell.history.file = "" // once is enough
		shown = tea.Sequence(shown, m.print("The history is not kept: "+err.Error()))
	}
	steps, err := m.shell.steps(source.Text{Name: "input", Body: body}, 0)
	if err != nil {
		return tea.Sequence(shown, m.fail(err))
	}
	m.queue = steps
	return tea.Sequence(shown, m.next())
}

// fail shows an error and gives up what is left of the input.
func (m *model) fail(err error) tea.Cmd {
	m.queue, m.state = nil, editing
	return m.print(errorText(err))
}

func errorText(err error) string {
	var placed *source.Error
	if errors.As(err, &placed) {
		return strings.TrimSuffix(placed.Render(), "\n")
	}
	return "error: " + err.Error()
}

// next does the next thing of the input.
func (m *model) next() tea.Cmd {
	if len(m.queue) == 0 {
		m.state = editing
		return nil
	}
	st := m.queue[0]
	m.queue = m.queue[1:]
	if st.command != nil {
		return m.command(st)
	}
	m.state = executing
	return func() tea.Msg {
		r, err := m.shell.execute(m.ctx, st)
		return executedMsg{r, err}
	}
}

// eraseScreen empties a terminal and puts its cursor at the top.
const eraseScreen = "\x1b[2J\x1b[H"

// cleared empties the screen, where ClearScreen of the library alone draws only its own lines anew.
func cleared() tea.Cmd { return tea.Sequence(tea.Raw(eraseScreen), tea.ClearScreen) }

// command does a command of the shell.
func (m *model) command(st step) tea.Cmd {
	var done tea.Cmd
	switch st.command.do {
	case quit:
		return tea.Quit
	case clearScreen:
		done = cleared()
	case showHistory:
		done = m.print(strings.TrimSuffix(m.shell.listHistory(st.argument), "\n"))
	case help:
		text, err := m.shell.help(st.argument)
		if err != nil {
			return m.fail(err)
		}
		done = m.print(strings.TrimSuffix(text, "\n"))
	case toggle:
		format := formatPlain
		if m.shell.setting(keyFormat) == formatPlain {
			format = formatTable
		}
		m.shell.client[keyFormat] = format
		done = m.print(fmt.Sprintf("'%s' is '%s'", keyFormat, format))
	case readFile:
		text, err := m.shell.file(st)
		if err != nil {
			return m.fail(err)
		}
		steps, err := m.shell.steps(text, st.depth+1)
		if err != nil {
			return m.fail(err)
		}
		m.queue = slices.Concat(steps, m.queue)
	}
	return tea.Sequence(done, m.next())
}

// executed shows what a statement gave, or starts its query.
