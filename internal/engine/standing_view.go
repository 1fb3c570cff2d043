package engine

import (
	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/yql"
)

// StandingState is what the system view says of a standing query. Whoever runs standing queries knows it.
type StandingState struct {
	*catalog.Standing
	// Status is where it is in its life: CREATED, STARTING, RUNNING, SUSPENDED, STOPPING, STOPPED, COMPLETED or FAILED.
	Status string
	// Issues are what is wrong, as a JSON object, and Plan what it runs as.
	Issues, Plan string
	// Retries is how often it has failed. LastFail and SuspendedUntil are microseconds since the epoch, 0 for never.
	Retries                  int64
	LastFail, SuspendedUntil int64
	// Execution names the run that there is, and Executions, a JSON array, those before it.
	Execution, Executions string
}

// standingView is the system view of standing queries. YDB: .sys/streaming_queries has these columns.
const standingView = ".sys/streaming_queries"

var standingColumns = types.Schema{
	{Name: "Path", Type: notNull(types.StringType)},
	{Name: "Status", Type: notNull(types.StringType)},
	{Name: "Issues", Type: notNull(types.StringType)},
	{Name: "Plan", Type: notNull(types.StringType)},
	{Name: "Ast", Type: notNull(types.StringType)},
	{Name: "Text", Type: notNull(types.StringType)},
	{Name: "Run", Type: notNull(types.BooleanType)},
	{Name: "ResourcePool", Type: notNull(types.StringType)},
	{Name: "RetryCount", Type: notNull(types.BigIntType)},
	{Name: "LastFailAt", Type: instant},
	{Name: "SuspendedUntil", Type: instant},
	{Name: "LastExecutionId", Type: notNull(types.StringType)},
	{Name: "PreviousExecutionIds", Type: notNull(types.StringType)},
}

var instant = types.Type{Kind: types.TimestampLTZ, Precision: 6}

func notNull(t types.Type) types.Type {
	t.NotNull = true
	return t
}

// addStandingView lets every session ask for standing queries.
func (e *Engine) addStandingView() {
	e.session.AddSystem(&catalog.SystemView{Name: standingView, Columns: standingColumns, Rows: func() (rows [][]*expr.Literal) {
		for _, s := range e.standingStates() {
			rows = append(rows, s.row())
		}
		return rows
	}})
}

// standingStates are those of who runs standing queries, or of this session: there a query runs to its end before the next statement.
func (e *Engine) standingStates() []StandingState {
	if e.options.Standing != nil {
		return e.options.Standing()
	}
	var all []StandingState
	for _, q := range e.session.AllStanding() {
		status := "CREATED"
		if q.Run {
			status = "COMPLETED"
		}
		all = append(all, StandingState{Standing: q, Status: status, Issues: "{}", Executions: "[]"})
	}
	return all
}

func (s *StandingState) row() []*expr.Literal {
	text := expr.LiteralString
	return []*expr.Literal{text("/" + s.Database + "/" + s.Name), text(s.Status), text(s.Issues), text(s.Plan), text(""), text(s.Statements()), expr.LiteralBool(s.Run), text(s.Settings[yql.SettingPool]),
		expr.LiteralInt(types.BigIntType, s.Retries), instantOf(s.LastFail), instantOf(s.SuspendedUntil), text(s.Execution), text(s.Executions)}
}

func instantOf(micros int64) *expr.Literal {
	if micros == 0 {
		return expr.Null(instant)
	}
	return expr.LiteralInt(instant, micros)
}
