package rewrite

import (
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/plan"
)

// reading binds a query over what n stands for in it: the columns of table t.
func reading(t *testing.T, query string, n plan.Node) plan.Node {
	t.Helper()
	var put func(at plan.Node) plan.Node
	put = func(at plan.Node) plan.Node {
		if s, ok := at.(*plan.Scan); ok && s.Table.Name == "t" {
			return n
		}
		return plan.WithChildren(at, put)
	}
	return put(bound(t, query))
}

// TestShared rewrites plans that share something.
func TestShared(t *testing.T) {
	all := bound(t, "SELECT * FROM t WHERE b > 1")
	groups := bound(t, "SELECT s, COUNT(*) AS n, MAX(a) AS m FROM t GROUP BY s")
	for _, c := range []struct {
		name  string
		roots func() []plan.Node
		want  string
	}{
		{"what one reads is a part of that", func() []plan.Node {
			return []plan.Node{reading(t, "SELECT a FROM t", &plan.Shared{Name: "x", Input: all})}
		}, `
Project [a]
└─ Filter (b > 1)
   └─ Scan t [a, b]`},
		{"what two read has the columns of both, and the conditions of neither", func() []plan.Node {
			x := &plan.Shared{Name: "x", Input: all}
			return []plan.Node{reading(t, "SELECT s FROM t WHERE a > 2", x), reading(t, "SELECT a FROM t WHERE s = 'y'", x)}
		}, `
Shared x
└─ Project [a, s]
   └─ Filter (b > 1)
      └─ Scan t [a, b, s]
Project [s]
└─ Filter (a > 2)
   └─ Read x
Shared x
└─ Project [a, s]
   └─ Filter (b > 1)
      └─ Scan t [a, b, s]
Project [a]
└─ Filter (s = 'y')
   └─ Read x`},
		{"in one plan too; a column has its new place", func() []plan.Node {
			x := &plan.Shared{Name: "x", Input: all}
			return []plan.Node{reading(t, "SELECT s AS k, c AS v FROM t UNION ALL SELECT UPPER(s), c + 1 FROM t", x)}
		}, `
Shared x
└─ Project [s, c]
   └─ Filter (b > 1)
      └─ Scan t [b, s, c]
Union ALL
├─ Project [s AS k, c AS v]
│  └─ Read x
└─ Project [UPPER(s) AS EXPR$0, (c + 1) AS EXPR$1]
   └─ Read x`},
		{"one that reads another says what it needs of it", func() []plan.Node {
			x := &plan.Shared{Name: "x", Input: all}
			y := &plan.Shared{Name: "y", Input: reading(t, "SELECT a * 2 AS a, b, s, ts, c FROM t WHERE c > 3", x)}
			return []plan.Node{reading(t, "SELECT a FROM t", y), reading(t, "SELECT COUNT(*) AS n FROM t", y), reading(t, "SELECT s FROM t", x)}
		}, `
Shared x
└─ Project [a, s, c]
   └─ Filter (b > 1)
      └─ Scan t [a, b, s, c]
Shared y
└─ Project [(a * 2) AS a]
   └─ Filter (c > 3)
      └─ Project [a, c]
         └─ Read x
Project [a]
└─ Read y`},
		{"a column that nobody reads is not aggregated", func() []plan.Node {
			x := &plan.Shared{Name: "x", Input: groups}
			u := &plan.Union{Inputs: []plan.Node{x, x}, Cols: x.Columns()}
			return []plan.Node{arrange(u, []int{1})}
		}, `
Shared x
└─ Project [COUNT(*) AS n]
   └─ GroupAggregate by [s], [COUNT(*)]
      └─ Project [s]
         └─ Scan t [s]
Project [n]
└─ Union ALL
   ├─ Read x
   └─ Read x`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got strings.Builder
			roots := c.roots()
			for i, n := range allRewritten(t, roots) {
				checkReads(t, n)
				got.WriteString(plan.Print(n))
				if was := roots[i].Columns(); len(was) != len(n.Columns()) || was[0] != n.Columns()[0] {
					t.Errorf("columns are %v and were %v", n.Columns(), was)
				}
			}
			if !strings.HasPrefix(got.String(), strings.TrimPrefix(c.want, "\n")) {
				t.Errorf("got\n%s\nwant\n%s", got.String(), c.want)
			}
		})
	}
}
