package shell

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

func (m *model) executed(msg executedMsg) tea.Cmd {
	if msg.err != nil {
		return m.fail(msg.err)
	}
	var shown tea.Cmd
	if msg.result.Text != "" {
		shown = m.print(strings.TrimSuffix(msg.result.Text, "\n"))
	}
	for _, note := range msg.result.Notes {
		shown = tea.Sequence(shown, m.print("note: "+source.Visible(source.Short(note))))
	}
	if rows := msg.result.Rows; rows != nil {
		shown = m.print(listed(rows))
	}
	if msg.result.Query == nil {
		if shown == nil {
			shown = m.print("done")
		}
		return tea.Sequence(shown, m.next())
	}
	q := msg.result.Query
	m.query, m.results, m.view = q, newResults(q.Schema()), scroll{follow: true, changes: m.shell.setting(keyFormat) == formatPlain}
	var sink connector.Sink = m.results
	if q.Into() != "" {
		sink = nil
		m.results.begun()
	}
	return tea.Sequence(shown, func() tea.Msg {
		job, err := q.Start(sink)
		return startedMsg{job, err}
	})
}

// begun runs a job that is ready.
func (m *model) begun(msg startedMsg) tea.Cmd {
	if msg.err != nil {
		return m.fail(msg.err)
	}
	ctx, cancel := context.WithCancel(m.ctx)
	m.state, m.job, m.cancel, m.stopped, m.started = running, msg.job, cancel, false, m.shell.options.Now()
	first := m.results.first
	return tea.Batch(
		func() tea.Msg { return finishedMsg{m.shell.run(ctx, msg.job, first)} },
		m.waitForChange(), m.tick(tickMsg{msg.job}),
	)
}

func (m *model) waitForChange() tea.Cmd {
	of := m.results
	return func() tea.Msg {
		<-of.changed
		return changedMsg{of}
	}
}

// finished shows what a query came to, all of it if it fits on the screen.
func (m *model) finished(err error) tea.Cmd {
	m.cancel()
	m.cancel = nil
	close(m.results.changed)
	if err != nil {
		m.queue = nil
		return tea.Sequence(m.printResult(true), m.fail(err))
	}
	if m.stopped {
		m.queue = nil
	}
	if _, rows, _ := m.results.rows(m.view.changes); m.query.Into() == "" && len(rows) > m.pageRows() {
		m.state = viewing
		m.view.follow = false
		return nil
	}
	return tea.Sequence(m.printResult(true), m.next())
}

// leaveView ends the look at a large result; the part on the screen stays.
func (m *model) leaveView() tea.Cmd { return tea.Sequence(m.printResult(false), m.next()) }

// printResult prints the rows of a result and the summary.
func (m *model) printResult(all bool) tea.Cmd {
	var lines []string
	if m.query.Into() == "" {
		if all {
			schema, rows, _ := m.results.rows(m.view.changes)
			lines = grid(schema, rows[max(len(rows)-maxPrinted, 0):])
		} else {
			lines = m.page()
		}
	}
	var summary strings.Builder
	m.job.Summarize(&summary, m.shell.options.Now().Sub(m.started))
	if m.stopped {
		summary.WriteString("stopped\n")
	}
	return m.print(strings.Join(append(lines, strings.TrimSuffix(summary.String(), "\n")), "\n"))
}

// maxPrinted is how many rows are printed of a result that ends with an error or was stopped.
const maxPrinted = 1_000

// listed is what SHOW and the like give, as it is printed.
func listed(rows *engine.Rows) string {
	if rows.Verbatim {
		return rows.Values[0][0]
	}
	list := make([]row, len(rows.Values))
	for i, values := range rows.Values {
		for c := range values {
			list[i] = append(list[i], &values[c])
		}
	}
	return strings.Join(grid(rows.Schema, list), "\n")
}
