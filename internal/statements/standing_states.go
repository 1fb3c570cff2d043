package statements

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/statedir"
)

// executions are the runs of a standing query since the server was started.
type executions struct {
	last   string
	before []string // the newest first, at most keepExecutions
	// failed is how often it has, and until when the next attempt waits, in microseconds; 0 if none does.
	failed int64
	until  int64
}

const keepExecutions = 5

// run notes another run.
func (x *executions) run(name string) {
	if x.last != "" {
		x.before = slices.Insert(x.before, 0, x.last)
		x.before = x.before[:min(len(x.before), keepExecutions)]
	}
	x.last, x.until = name, 0
}

// standingStates are what the system view says of all standing queries.
func (h *Hub) standingStates() []engine.StandingState {
	var all []engine.StandingState
	var queries []*engine.Query
	h.mu.Lock()
	for _, name := range slices.SortedFunc(maps.Keys(h.lives), func(a, b string) int { return cmp.Compare(h.lives[a].standingPath(), h.lives[b].standingPath()) }) {
		if l := h.lives[name]; l.standing != nil && l.planning != nil && l.standing.query != nil {
			all, queries = append(all, l.standingState()), append(queries, l.planning.result.Query)
		}
	}
	h.mu.Unlock()
	for i, q := range queries { // others do not wait for plans that are written
		all[i].Plan = q.Explain()
	}
	return all
}

// standingPath is the path of the standing query that the statement runs, "" for none.
func (l *life) standingPath() string {
	if l.standing == nil {
		return ""
	}
	return l.standing.path
}

// standingState is the state of one, without its plan; mu is held.
func (l *life) standingState() engine.StandingState {
	query := *l.standing.query
	query.Run = !l.view.Spec.Stopped
	s := engine.StandingState{Standing: &query, Status: l.status(), Issues: "{}", Retries: l.standing.failed, SuspendedUntil: l.standing.until, Execution: l.standing.last, Executions: "[]"}
	if l.view.Detail != "" {
		s.Issues = object("message", l.view.Detail)
	}
	if n := len(l.exceptions); n > 0 {
		s.LastFail = l.exceptions[n-1].At
	}
	if before, err := json.Marshal(l.standing.before); err == nil && len(l.standing.before) > 0 {
		s.Executions = string(before)
	}
	return s
}

func object(key, value string) string {
	text, err := json.Marshal(map[string]string{key: value})
	if err != nil {
		panic("tidemark bug: " + err.Error())
	}
	return string(text)
}

// status is what YDB calls the phase.
func (l *life) status() string {
	switch l.view.Phase {
	case Pending:
		return "STARTING"
	case Degraded:
		return "SUSPENDED"
	case Stopped:
		if !statedir.At(l.hub.states(), l.view.Name).Exists() {
			return "CREATED"
		}
	}
	return string(l.view.Phase)
}
