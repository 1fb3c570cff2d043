package compile_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/compile"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/values"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

const tables = `
CREATE TABLE bids (bidder BIGINT, price BIGINT, item STRING, ts TIMESTAMP(3), twice AS price * 2,
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'fake');
CREATE TABLE results (x BIGINT) WITH ('connector' = 'fake');
CREATE TABLE clicks (bidder BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'fake');
`

const reuse = "SET 'table.optimizer.reuse-sub-plan-enabled' = 'true';"

// What is chained, where rows are exchanged and by which columns, and in how many tasks, with four tasks allowed.
func TestGraph(t *testing.T) {
	for _, c := range []struct{ name, query, want string }{
		{"rows pass one exchange, to the sink", "SELECT bidder, twice FROM bids WHERE price > 5", `
source bids reads [0 1 3], chain sink/project/filter sink/project -> fragment 0 input 0
fragment 0: tasks 1, inputs 1, sink`},
		{"windows are keyed; the grain is their grid", "SELECT bidder, COUNT(*) FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY bidder, window_start, window_end", `
source bids reads [0 3], chain sink/project/window-aggregate/project -> fragment 0 input 0 by [1], grain 10s
fragment 0: tasks 4, inputs 1, chain sink/project/window-aggregate sink/project -> fragment 1 input 0
fragment 1: tasks 1, inputs 1, sink`},
		{"without keys there is one task", "SELECT COUNT(*) FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end", `
source bids reads [3], chain sink/project/window-aggregate/project -> fragment 0 input 0, grain 10s
fragment 0: tasks 1, inputs 1, chain sink/project/window-aggregate sink/project -> fragment 1 input 0
fragment 1: tasks 1, inputs 1, sink`},
		{"sessions need every frontier", "SELECT bidder, COUNT(*) FROM TABLE(SESSION(TABLE bids PARTITION BY bidder, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY bidder, window_start, window_end", `
source bids reads [0 3], chain sink/project/window-aggregate/project -> fragment 0 input 0 by [1], every frontier
fragment 0: tasks 4, inputs 1, chain sink/project/window-aggregate sink/project -> fragment 1 input 0
fragment 1: tasks 1, inputs 1, sink`},
		{"every branch of a union is an input", "SELECT bidder FROM bids UNION ALL SELECT bidder FROM clicks", `
source bids reads [0 3], chain sink/union-0/project -> fragment 0 input 0
source clicks reads [0 1], chain sink/union-1/project -> fragment 0 input 1
fragment 0: tasks 1, inputs 2, sink`},
		{"a cascade has two exchanges", `SELECT window_start, SUM(n) FROM TABLE(TUMBLE(TABLE (
  SELECT bidder, window_time AS ts, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY bidder, window_start, window_end, window_time
), DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end`, `
source bids reads [0 3], chain sink/project/window-aggregate/project/window-aggregate/project -> fragment 0 input 0 by [1], grain 10s, grain 1m0s, all of them pass
fragment 0: tasks 4, inputs 1, chain sink/project/window-aggregate/project/window-aggregate sink/project/window-aggregate/project -> fragment 1 input 0, grain 1m0s
fragment 1: tasks 1, inputs 1, chain sink/project/window-aggregate sink/project -> fragment 2 input 0
fragment 2: tasks 1, inputs 1, sink`},
		{"a set reads a table once, unless the strategies differ", `EXECUTE STATEMENT SET BEGIN
  INSERT INTO results SELECT bidder FROM bids WHERE price > 5;
  INSERT INTO results SELECT twice FROM bids;
  INSERT INTO results SELECT bidder FROM bids /*+ OPTIONS('scan.watermark.idle-timeout' = '1 s') */;
  INSERT INTO results SELECT bidder FROM clicks;
  INSERT INTO results SELECT COUNT(*) FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end;
END`, `
source bids reads [0 1 3] columns [0 1], chain sink-0/project/filter sink-0/project -> fragment 1 input 0
  and columns [3], chain sink-1/project -> fragment 1 input 1
  and columns [2], chain sink-4/project/window-aggregate/project -> fragment 0 input 0, grain 10s
source bids reads [0 3], chain sink-2/project -> fragment 1 input 2
source clicks reads [0 1], chain sink-3/project -> fragment 1 input 3
fragment 0: tasks 1, inputs 1, chain sink-4/project/window-aggregate sink-4/project -> fragment 1 input 4
fragment 1: tasks 1, inputs 5, sink`},
		{"a view that two read is computed once, for the frontiers that both look at; each reader has tasks of its own for what it adds", reuse + `
CREATE VIEW totals AS SELECT bidder, SUM(price) AS total, window_time AS wt FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY bidder, window_start, window_end, window_time;
EXECUTE STATEMENT SET BEGIN
  INSERT INTO results SELECT SUM(total) FROM TABLE(TUMBLE(TABLE (SELECT bidder, total, wt FROM totals WHERE total > 1), DESCRIPTOR(wt), INTERVAL '1' MINUTE)) GROUP BY bidder, window_start, window_end;
  INSERT INTO results SELECT total FROM totals;
  INSERT INTO results SELECT bidder FROM bids;
END`, `
source bids reads [0 1 3], chain shared/totals/project/window-aggregate/project -> fragment 0 input 0 by [1], grain 10s, grain 1m0s, all of them pass
  and columns [0], chain sink-2/project -> fragment 4 input 2
fragment 0: tasks 4, inputs 1, chain shared/totals/project/window-aggregate shared/totals/project -> fragment 1 input 0, grain 1m0s, all of them pass, straight
  and -> fragment 3 input 0, straight
fragment 1: tasks 4, inputs 1, chain sink-0/project/window-aggregate/project/filter sink-0/project/window-aggregate/project -> fragment 2 input 0 by [1], grain 1m0s
fragment 2: tasks 4, inputs 1, chain sink-0/project/window-aggregate sink-0/project -> fragment 4 input 0
fragment 3: tasks 4, inputs 1, chain sink-1/project -> fragment 4 input 1
fragment 4: tasks 1, inputs 3, sink`},
		{"where what is shared meets again there is one task", reuse + `
CREATE VIEW totals AS SELECT bidder, SUM(price) AS total FROM bids GROUP BY bidder;
SELECT a.bidder FROM totals a JOIN (SELECT total, COUNT(*) AS n FROM totals GROUP BY total) b ON a.bidder = b.n`, `
source bids reads [0 1 3], chain shared/totals/project/group-aggregate/project -> fragment 0 input 0 by [0]
fragment 0: tasks 4, inputs 1, chain shared/totals/project/group-aggregate shared/totals/project -> fragment 1 input 0, straight
  and -> fragment 2 input 0, straight
fragment 1: tasks 4, inputs 1, chain sink/project/join/left/project -> fragment 4 input 0 by [0]
fragment 2: tasks 4, inputs 1, chain sink/project/join/right/project/group-aggregate/project -> fragment 3 input 0 by [0]
fragment 3: tasks 4, inputs 1, chain sink/project/join/right/project/group-aggregate sink/project/join/right/project -> fragment 4 input 1 by [0]
fragment 4: tasks 1, inputs 2, kin [[1] [0]], chain sink/project/join sink/project -> fragment 5 input 0
fragment 5: tasks 1, inputs 1, sink`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := graphOf(c.query)
			if err != nil {
				t.Fatal(err)
			}
			if want := strings.TrimSpace(c.want); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func graphOf(query string) (string, error) {
	e := engine.New(engine.Options{Connectors: []connector.Connector{{Name: "fake", NewSource: func(connector.Table, connector.Options) (connector.Source, error) {
		return &values.Source{}, nil
	}, NewSink: func(connector.Table, connector.Options) (connector.Sink, error) { return nothing{}, nil }}}})
	text := source.Text{Name: "test", Body: tables + query}
	script, err := sql.Parse(text)
	if err != nil {
		return "", err
	}
	var outputs []compile.Output
	for _, s := range script.Statements {
		r, err := e.Execute(context.Background(), text, s)
		if err != nil {
			return "", err
		}
		if r.Query != nil {
			for _, p := range r.Query.Plans {
				outputs = append(outputs, compile.Output{Root: p.Root, Sink: nothing{}})
			}
		}
	}
	var reads []string
	g, err := compile.Graph(outputs, compile.Options{Parallelism: 4, Zone: time.UTC,
		Open: func(s *plan.Scan, needed []int) (connector.Source, error) {
			reads = append(reads, fmt.Sprint(needed))
			return &values.Source{}, nil
		}})
	if err != nil {
		return "", err
	}
	return describe(g, reads), nil
}

func describe(g *runtime.Graph, reads []string) string {
	var lines []string
	for i, s := range g.Sources {
		line := fmt.Sprintf("source %s reads %s", s.Name, reads[i])
		for k, b := range s.Branches {
			if k > 0 {
				line += "\n  and"
			}
			if b.Columns != nil {
				line += fmt.Sprintf(" columns %v", b.Columns)
			}
			line += chain(b.Chain) + target(b.To)
		}
		lines = append(lines, line)
	}
	for i, f := range g.Fragments {
		line := fmt.Sprintf("fragment %d: tasks %d, inputs %d", i, f.Tasks, f.Inputs)
		if f.Kin != nil {
			line += fmt.Sprintf(", kin %v", f.Kin)
		}
		line += chain(f.Chain)
		if f.Sink != nil {
			line += ", sink"
		} else {
			for k, to := range f.To {
				if k > 0 {
					line += "\n  and"
				}
				line += target(to)
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func chain(ops []runtime.OperatorSpec) string {
	if len(ops) == 0 {
		return ""
	}
	out := ", chain"
	for _, op := range ops {
		out += " " + op.ID
	}
	return out
}

func target(to runtime.Target) string {
	out := fmt.Sprintf(" -> fragment %d input %d", to.Fragment, to.Input)
	if len(to.Keys) > 0 {
		out += fmt.Sprintf(" by %v", to.Keys)
	}
	if to.Grain.Every {
		out += ", every frontier"
	}
	for _, x := range to.Grain.Grids {
		out += fmt.Sprintf(", grain %v", time.Duration(x.Width)*time.Microsecond)
	}
	if to.Passes {
		out += ", all of them pass"
	}
	if to.Straight {
		out += ", straight"
	}
	return out
}

type nothing struct{ connector.Sink }
