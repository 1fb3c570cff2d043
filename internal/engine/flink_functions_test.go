package engine

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// TestFlinkFunctions expects of every function and operator of Flink that it is in a registry, or known to be absent, or a form of a statement below that is accepted or
// refused with advice.
func TestFlinkFunctions(t *testing.T) {
	content, err := os.ReadFile("../../testdata/flink/functions.txt")
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine(t)
	asked := map[string]bool{}
	for _, line := range strings.Split(string(content), "\n") {
		name, kind, ok := strings.Cut(line, "\t")
		if !ok {
			continue
		}
		_, scalar := function.LookupScalar(name)
		_, aggregate := function.LookupAggregate(name)
		_, absent := function.LookupNotYet(name)
		_, over := function.LookupOver(name)
		if scalar || aggregate || over || absent {
			continue
		}
		asked[name] = true
		statement, known := formsOfFlink[name]
		if !known {
			t.Errorf("%s %s: nothing is known of it", kind, name)
			continue
		}
		_, err := execute(e, source.Text{Name: "q.sql", Body: statement})
		var placed *source.Error
		if err != nil && (!errors.As(err, &placed) || placed.Hint == "") {
			t.Errorf("%s is refused without advice: %v", name, err)
		}
	}
	for name := range formsOfFlink {
		if !asked[name] {
			t.Errorf("%s is no form that has to be asked for", name)
		}
	}
}

// formsOfFlink are statements with what is no function of a registry, but written in SQL.
var formsOfFlink = map[string]string{
	"BETWEEN ASYMMETRIC": "SELECT 1 BETWEEN ASYMMETRIC 0 AND 2", "NOT BETWEEN ASYMMETRIC": "SELECT 1 NOT BETWEEN ASYMMETRIC 0 AND 2",
	"BETWEEN SYMMETRIC": "SELECT 1 BETWEEN SYMMETRIC 2 AND 0", "NOT BETWEEN SYMMETRIC": "SELECT 1 NOT BETWEEN SYMMETRIC 2 AND 0",
	"SOURCE_WATERMARK": "CREATE TABLE t (a INT, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS SOURCE_WATERMARK()) WITH ('connector' = 'datagen')",
	"CASE":             "SELECT CASE 1 WHEN 1 THEN 'a' END", "CAST": "SELECT CAST('1' AS INT)", "TRY_CAST": "SELECT TRY_CAST('1' AS INT)",
	"IN": "SELECT 1 IN (1, 2)", "NOT IN": "SELECT 1 NOT IN (1, 2)", "NOT LIKE": "SELECT 'a' NOT LIKE 'b'", "NOT SIMILAR TO": "SELECT 'a' NOT SIMILAR TO 'b'",
	"IS JSON VALUE": "SELECT '{}' IS JSON VALUE", "IS NOT JSON VALUE": "SELECT '{}' IS NOT JSON VALUE",
	"DOT": "SELECT CAST(ROW(1) AS ROW<a INT>).a", "/INT": "SELECT 7 / 2",
	"OVERLAPS":         "SELECT (DATE '2026-01-01', DATE '2026-02-01') OVERLAPS (DATE '2026-01-15', DATE '2026-03-01')",
	"UNION ALL":        "SELECT 1 UNION ALL SELECT 2",
	"CURRENT_DATABASE": "SELECT CURRENT_DATABASE()", "CURRENT_WATERMARK": "SELECT CURRENT_WATERMARK(ts) FROM bids",
	"TUMBLE": "SELECT * FROM TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '1' MINUTE)", "DESCRIPTOR": "SELECT * FROM TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '1' MINUTE)",
	"HOP":                  "SELECT * FROM HOP(TABLE bids, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE)",
	"CUMULATE":             "SELECT * FROM CUMULATE(TABLE bids, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE)",
	"SESSION":              "SELECT * FROM SESSION(TABLE bids PARTITION BY bidder, DESCRIPTOR(ts), INTERVAL '1' MINUTE)",
	"UNION":                "SELECT bidder FROM bids UNION SELECT id FROM clicks",
	"EXISTS":               "SELECT * FROM bids WHERE EXISTS (SELECT * FROM clicks WHERE id = bidder)",
	"EXCEPT":               "SELECT bidder FROM bids EXCEPT SELECT id FROM clicks",
	"EXCEPT ALL":           "SELECT bidder FROM bids EXCEPT ALL SELECT id FROM clicks",
	"INTERSECT":            "SELECT bidder FROM bids INTERSECT SELECT id FROM clicks",
	"INTERSECT ALL":        "SELECT bidder FROM bids INTERSECT ALL SELECT id FROM clicks",
	"DESC":                 "SELECT * FROM bids ORDER BY price DESC",
	"NULLS FIRST":          "SELECT * FROM bids ORDER BY price NULLS FIRST",
	"NULLS LAST":           "SELECT * FROM bids ORDER BY price NULLS LAST",
	"IGNORE NULLS":         "SELECT LAST_VALUE(price) IGNORE NULLS OVER (ORDER BY ts) FROM bids",
	"RESPECT NULLS":        "SELECT LAST_VALUE(price) RESPECT NULLS OVER (ORDER BY ts) FROM bids",
	"MULTISET":             "SELECT MULTISET[1, 2]",
	"PROCTIME":             "SELECT PROCTIME()",
	"PROCTIME_MATERIALIZE": "SELECT PROCTIME_MATERIALIZE(PROCTIME())",
	"HOP_END":              "SELECT HOP_END(ts, INTERVAL '1' MINUTE, INTERVAL '5' MINUTE) FROM bids GROUP BY HOP(ts, INTERVAL '1' MINUTE, INTERVAL '5' MINUTE)",
	"HOP_START":            "SELECT HOP_START(ts, INTERVAL '1' MINUTE, INTERVAL '5' MINUTE) FROM bids",
	"HOP_ROWTIME":          "SELECT HOP_ROWTIME(ts, INTERVAL '1' MINUTE, INTERVAL '5' MINUTE) FROM bids",
	"HOP_PROCTIME":         "SELECT HOP_PROCTIME(ts, INTERVAL '1' MINUTE, INTERVAL '5' MINUTE) FROM bids",
	"SESSION_END":          "SELECT SESSION_END(ts, INTERVAL '1' MINUTE) FROM bids",
	"SESSION_START":        "SELECT SESSION_START(ts, INTERVAL '1' MINUTE) FROM bids",
	"SESSION_ROWTIME":      "SELECT SESSION_ROWTIME(ts, INTERVAL '1' MINUTE) FROM bids",
	"SESSION_PROCTIME":     "SELECT SESSION_PROCTIME(ts, INTERVAL '1' MINUTE) FROM bids",
	"TUMBLE_END":           "SELECT TUMBLE_END(ts, INTERVAL '1' MINUTE) FROM bids GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE)",
	"TUMBLE_START":         "SELECT TUMBLE_START(ts, INTERVAL '1' MINUTE) FROM bids GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE)",
	"TUMBLE_ROWTIME":       "SELECT TUMBLE_ROWTIME(ts, INTERVAL '1' MINUTE) FROM bids",
	"TUMBLE_PROCTIME":      "SELECT TUMBLE_PROCTIME(ts, INTERVAL '1' MINUTE) FROM bids",
	"CLASSIFIER":           "SELECT * FROM bids MATCH_RECOGNIZE (ORDER BY ts MEASURES CLASSIFIER() AS c PATTERN (a) DEFINE a AS price > 1)",
	"FINAL":                "SELECT * FROM bids MATCH_RECOGNIZE (ORDER BY ts MEASURES FINAL LAST(a.price) AS p PATTERN (a) DEFINE a AS price > 1)",
	"FIRST":                "SELECT * FROM bids MATCH_RECOGNIZE (ORDER BY ts MEASURES FIRST(a.price) AS p PATTERN (a) DEFINE a AS price > 1)",
	"LAST":                 "SELECT * FROM bids MATCH_RECOGNIZE (ORDER BY ts MEASURES LAST(a.price) AS p PATTERN (a) DEFINE a AS price > 1)",
	"NEXT":                 "SELECT * FROM bids MATCH_RECOGNIZE (ORDER BY ts MEASURES NEXT(a.price) AS p PATTERN (a) DEFINE a AS price > 1)",
	"PREV":                 "SELECT * FROM bids MATCH_RECOGNIZE (ORDER BY ts MEASURES PREV(a.price) AS p PATTERN (a) DEFINE a AS price > 1)",
	"RUNNING":              "SELECT * FROM bids MATCH_RECOGNIZE (ORDER BY ts MEASURES RUNNING LAST(a.price) AS p PATTERN (a) DEFINE a AS price > 1)",
	"MATCH_PROCTIME":       "SELECT * FROM bids MATCH_RECOGNIZE (ORDER BY ts MEASURES MATCH_PROCTIME() AS p PATTERN (a) DEFINE a AS price > 1)",
	"MATCH_ROWTIME":        "SELECT * FROM bids MATCH_RECOGNIZE (ORDER BY ts MEASURES MATCH_ROWTIME() AS p PATTERN (a) DEFINE a AS price > 1)",
	"SKIP TO FIRST":        "SELECT * FROM bids MATCH_RECOGNIZE (ORDER BY ts MEASURES a.price AS p AFTER MATCH SKIP TO FIRST a PATTERN (a) DEFINE a AS price > 1)",
	"SKIP TO LAST":         "SELECT * FROM bids MATCH_RECOGNIZE (ORDER BY ts MEASURES a.price AS p AFTER MATCH SKIP TO LAST a PATTERN (a) DEFINE a AS price > 1)",
	"FROM_CHANGELOG":       "SELECT * FROM FROM_CHANGELOG(TABLE bids)",
	"TO_CHANGELOG":         "SELECT * FROM TO_CHANGELOG(TABLE bids)",
	"ML_EVALUATE":          "SELECT * FROM ML_EVALUATE(TABLE bids, DESCRIPTOR(price))",
	"ML_PREDICT":           "SELECT * FROM ML_PREDICT(TABLE bids, DESCRIPTOR(price))",
	"VECTOR_SEARCH":        "SELECT * FROM VECTOR_SEARCH(TABLE bids, DESCRIPTOR(price), price, 3)",
}
