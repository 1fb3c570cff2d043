package bind

import (
	"errors"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/datagen"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

const setup = `
CREATE TABLE bids (bidder BIGINT NOT NULL, price DOUBLE, qty INT, channel STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen');
CREATE TABLE clicks (page STRING, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen');
CREATE TABLE plain (ts TIMESTAMP(3)) WITH ('connector' = 'datagen');
CREATE TABLE ticks (ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen');
CREATE VIEW dear AS SELECT ts, price FROM bids WHERE price > 100;
CREATE VIEW renamed (happened, cost) AS SELECT ts, price FROM bids;
CREATE VIEW minutes AS SELECT window_start, window_end, window_time, SUM(price) AS total
  FROM TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, window_time;
CREATE VIEW inner_edges (window_start0, window_end0, window_time0) AS SELECT window_start, window_end, window_time FROM minutes;
`

// columns binds the last statement of a script, a query, and describes its columns: name, type, "rowtime" for a time attribute, and the edge of
// a window.
func columns(t *testing.T, query string) string {
	t.Helper()
	text := source.Text{Name: "q.sql", Body: setup + query}
	script, err := sql.Parse(text)
	if err != nil {
		t.Fatal(rendered(err))
	}
	session := catalog.NewSession()
	b := New(session, []connector.Connector{datagen.Connector}, text)
	for _, s := range script.Statements {
		switch s := s.(type) {
		case *sql.CreateTable:
			table, err := b.Table(s)
			if err != nil {
				t.Fatal(rendered(err))
			}
			session.Put(table)
		case *sql.CreateView:
			view, err := b.View(s)
			if err != nil {
				t.Fatal(rendered(err))
			}
			session.Put(view)
		case *sql.QueryStatement:
			p, err := b.Query(s.Query)
			if err != nil {
				t.Fatal(rendered(err))
			}
			return described(p.Root.Columns())
		}
	}
	t.Fatal("the script has no query")
	return ""
}

func described(cols []plan.Column) string {
	list := make([]string, len(cols))
	for i, c := range cols {
		list[i] = c.Name + " " + c.Type.String()
		if c.Rowtime {
			list[i] += " rowtime"
		}
		list[i] += [...]string{"", " start", " end", " time"}[c.Edge]
	}
	return strings.Join(list, ", ")
}

func rendered(err error) string {
	var placed *source.Error
	if errors.As(err, &placed) {
		return placed.Render()
	}
	return err.Error()
}

type columnsCase struct{ about, query, want string }

func check(t *testing.T, cases []columnsCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.about, func(t *testing.T) {
			if got := columns(t, c.query); got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.query, got, c.want)
			}
		})
	}
}

// TestTimeAttribute follows a time attribute through queries.
func TestTimeAttribute(t *testing.T) {
	check(t, []columnsCase{
		{"a column passes it on", "SELECT ts FROM bids", "ts TIMESTAMP(3) rowtime"},
		{"under another name", "SELECT ts AS happened FROM bids", "happened TIMESTAMP(3) rowtime"},
		{"in parentheses", "SELECT (ts) AS happened FROM bids", "happened TIMESTAMP(3) rowtime"},
		{"twice", "SELECT ts, ts AS again FROM bids", "ts TIMESTAMP(3) rowtime, again TIMESTAMP(3) rowtime"},
		{"with all columns", "SELECT * FROM clicks", "page STRING, ts TIMESTAMP_LTZ(3) rowtime"},
		{"past WHERE", "SELECT ts FROM bids WHERE price > 1", "ts TIMESTAMP(3) rowtime"},
		{"out of a subquery", "SELECT t FROM (SELECT ts AS t FROM bids)", "t TIMESTAMP(3) rowtime"},
		{"out of a WITH query", "WITH a (t) AS (SELECT ts FROM bids) SELECT t FROM a", "t TIMESTAMP(3) rowtime"},
		{"out of a view", "SELECT * FROM dear", "ts TIMESTAMP(3) rowtime, price DOUBLE"},
		{"out of a view with names of its own", "SELECT * FROM renamed", "happened TIMESTAMP(3) rowtime, cost DOUBLE"},
		{"past UNION ALL, if both sides have it", "SELECT ts FROM bids UNION ALL SELECT ts FROM dear", "ts TIMESTAMP(3) rowtime"},
		{"not if only one has", "SELECT ts FROM bids UNION ALL SELECT ts FROM plain", "ts TIMESTAMP(3)"},
		{"not if the other has it in another column", "SELECT ts, ts AS u FROM bids UNION ALL SELECT ts, CAST(ts AS TIMESTAMP(3)) FROM dear",
			"ts TIMESTAMP(3) rowtime, u TIMESTAMP(3)"},
		{"not past a CAST, even to its own type", "SELECT CAST(ts AS TIMESTAMP(3)) AS t FROM bids", "t TIMESTAMP(3)"},
		{"not past a function", "SELECT ts + INTERVAL '1' HOUR AS t FROM bids", "t TIMESTAMP(3)"},
		{"not past COALESCE", "SELECT COALESCE(ts) AS t FROM bids", "t TIMESTAMP(3)"},
		{"not past CASE", "SELECT CASE WHEN TRUE THEN ts END AS t FROM bids", "t TIMESTAMP(3)"},
		{"a table without WATERMARK FOR has none", "SELECT * FROM plain", "ts TIMESTAMP(3)"},
	})
}

// TestWindowColumns follows the columns that window functions add.
func TestWindowColumns(t *testing.T) {
	const edges = ", window_start TIMESTAMP(3) NOT NULL start, window_end TIMESTAMP(3) NOT NULL end, "
	check(t, []columnsCase{
		{"the former time attribute becomes ordinary", "SELECT * FROM TUMBLE(TABLE ticks, DESCRIPTOR(ts), INTERVAL '1' MINUTE)",
			"ts TIMESTAMP(3)" + edges + "window_time TIMESTAMP(3) NOT NULL rowtime time"},
		{"window_time has the type of the time attribute, the edges are local", "SELECT * FROM TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '1' MINUTE)",
			"page STRING, ts TIMESTAMP_LTZ(3)" + edges + "window_time TIMESTAMP_LTZ(3) NOT NULL rowtime time"},
		{"edges keep their role under another name", "SELECT window_end AS e FROM TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '1' MINUTE)", "e TIMESTAMP(3) NOT NULL end"},
		{"not if they are computed with", "SELECT CAST(window_end AS TIMESTAMP(3)) AS e, window_time - INTERVAL '1' SECOND AS w FROM TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '1' MINUTE)",
			"e TIMESTAMP(3) NOT NULL, w TIMESTAMP(3) NOT NULL"},
		{"and behind an aggregation", "SELECT * FROM minutes",
			"window_start TIMESTAMP(3) NOT NULL start, window_end TIMESTAMP(3) NOT NULL end, window_time TIMESTAMP(3) NOT NULL rowtime time, total DOUBLE"},
		{"not if they are computed with there", "SELECT CAST(window_time AS TIMESTAMP(3)) AS w FROM TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, window_time",
			"w TIMESTAMP(3) NOT NULL"},
		{"the edges of an inner window become ordinary under an outer one", "SELECT window_start0, window_end0 FROM TUMBLE(TABLE inner_edges, DESCRIPTOR(window_time0), INTERVAL '1' HOUR)",
			"window_start0 TIMESTAMP(3) NOT NULL, window_end0 TIMESTAMP(3) NOT NULL"},
		{"a cascade has its own", "SELECT window_time FROM TUMBLE(TABLE inner_edges, DESCRIPTOR(window_time0), INTERVAL '1' HOUR) GROUP BY window_start, window_end, window_time",
			"window_time TIMESTAMP(3) NOT NULL rowtime time"},
	})
}

// TestTypes derives types and names.
func TestTypes(t *testing.T) {
	const from = " FROM TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY bidder, window_start, window_end"
	check(t, []columnsCase{
		{"a count is never NULL", "SELECT COUNT(*) AS a, COUNT(price) AS b, COUNT(DISTINCT channel) AS c" + from, "a BIGINT NOT NULL, b BIGINT NOT NULL, c BIGINT NOT NULL"},
		{"a sum has the type of what it adds", "SELECT SUM(price) AS a, SUM(qty) AS b, SUM(bidder) AS c" + from, "a DOUBLE, b INT, c BIGINT"},
		{"an average too", "SELECT AVG(price) AS a, AVG(qty) AS b" + from, "a DOUBLE, b INT"},
		{"extremes too", "SELECT MIN(channel) AS a, MAX(ts) AS b, MAX(bidder) AS c" + from, "a STRING, b TIMESTAMP(3), c BIGINT"},
		{"a key stays NOT NULL", "SELECT bidder" + from, "bidder BIGINT NOT NULL"},
		{"an expression over keys and aggregates", "SELECT bidder + COUNT(*) AS a, SUM(price) / 2 AS b" + from, "a BIGINT NOT NULL, b DOUBLE"},
		{"a column without alias is called by its place", "SELECT bidder, qty + 1, channel, 'x' FROM bids", "bidder BIGINT NOT NULL, EXPR$1 INT, channel STRING, EXPR$3 STRING NOT NULL"},
		{"UNION ALL takes the wider type, and NULL from either side", "SELECT qty, bidder FROM bids UNION ALL SELECT price, qty FROM bids", "qty DOUBLE, bidder BIGINT"},
		{"VALUES too", "VALUES (1, 'a'), (2.5, NULL)", "EXPR$0 DECIMAL(11, 1) NOT NULL, EXPR$1 STRING"},
	})
}
