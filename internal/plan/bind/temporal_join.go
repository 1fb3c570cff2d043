package bind

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// versioned is the right side of r, if it is read FOR SYSTEM_TIME AS OF; nil if not.
func versioned(r *sql.Join) *sql.TableName {
	if t, ok := r.Right.(*sql.TableName); ok && t.AsOf != nil {
		return t
	}
	return nil
}

// temporalJoin joins rows with the versions of table that hold at their time. Flink 2.3: the left side gives the time by its time attribute; the right side has a primary key, which the
// condition compares, and a time attribute of the same type; INNER and LEFT.
func (b *Binder) temporalJoin(r *sql.Join, table *sql.TableName, left, right plan.Node, ls *scope, condition expr.Expr) (plan.Node, error) {
	name := table.Name.Last().Name
	kind := joinKinds[r.Kind]
	if kind != plan.InnerJoin && kind != plan.LeftJoin {
		return nil, b.unsupported(r.Span(), "write JOIN or LEFT JOIN: a version without rows on the left has no time to leave at", "FOR SYSTEM_TIME AS OF with %s JOIN is", strings.ToUpper(kind.String()))
	}
	if hasNormalize(left) {
		// Which of its rows are late would depend on how many tasks give them their whole changes.
		return nil, b.unsupported(r.Left.Span(), "read the table with the changes as they are, or as rows that are only added", "upserts on the left of FOR SYSTEM_TIME AS OF are")
	}
	time, err := b.asOf(table.AsOf, name, left, ls)
	if err != nil {
		return nil, err
	}
	right, sides, why := versions(right)
	if why != "" {
		return nil, b.errorf(source.CodeTime, table.Name.Span(), why, "'%s' has no versions, so FOR SYSTEM_TIME AS OF cannot read it", name)
	}
	lt, rt := left.Columns()[time], right.Columns()[sides.RightTime]
	if lt.Type.Kind != rt.Type.Kind {
		return nil, b.errorf(source.CodeType, table.AsOf.Span(), "declare both with one type; TO_TIMESTAMP_LTZ makes instants", "the time of the rows, '%s', is %s, that of the versions, '%s', %s", lt.Name, lt.Type, rt.Name, rt.Type)
	}
	sides.LeftTime = time
	n, ok, err := plan.NewTemporalJoin(kind, left, right, sides, condition)
	if err != nil {
		return nil, b.place(err, r.Span())
	}
	if !ok {
		var keys []string
		for _, k := range sides.Keys {
			keys = append(keys, right.Columns()[k].Name)
		}
		return nil, b.errorf(source.CodeKey, r.Span(), "compare each of its columns with a value of the left side: ON l.k = "+name+"."+keys[0]+"; other conditions may stand beside that",
			"FOR SYSTEM_TIME AS OF finds versions by the primary key of '%s' (%s), and ON does not say what it is equal to", name, join(keys))
	}
	return n, nil
}

// asOf is the column of the left side by whose time versions are found.
func (b *Binder) asOf(at sql.Expr, table string, left plan.Node, ls *scope) (int, error) {
	ref, named := at.(*sql.ColumnRef)
	if callsProcTime(at) || named && strings.Contains(strings.ToLower(ref.Last().Name), "proc") && !slices.Contains(ls.names(), ref.Last().Name) {
		return 0, b.noLookup(at, table)
	}
	if named {
		i, err := b.find(ref.Name, ls)
		if err != nil {
			return 0, err
		}
		if ls.columns[i].Rowtime {
			return i, nil
		}
	}
	hint := rowtimeHint(left, ls)
	if plan.Updates(left) {
		hint = "rows that are updated, as " + plan.Describe(plan.Culprit(left)) + " makes them, have none: join before that, or aggregate by windows"
	}
	for i, c := range ls.columns {
		if c.Rowtime {
			hint = "write " + ls.tables[i] + "." + c.Name
			break
		}
	}
	return 0, b.errorf(source.CodeTime, at.Span(), hint, "FOR SYSTEM_TIME AS OF wants the time attribute of the left side")
}

// noLookup refuses a lookup join.
func (b *Binder) noLookup(at sql.Expr, table string) error {
	return b.unsupported(at.Span(), "there is event time only: FOR SYSTEM_TIME AS OF the time attribute of the left table joins with the version of '"+table+"' that held then; without FOR SYSTEM_TIME, JOIN "+table+
		" ON … gives another result whenever a row of it changes", "a lookup join, FOR SYSTEM_TIME AS OF processing time, is")
}

// lastRows is how to write what has versions.
const lastRows = "read a view of the last rows by time: SELECT … FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts DESC) AS rn FROM t) WHERE rn = 1"

// versions finds by what the rows of n are versions: the columns of its key and of its time. Otherwise it says what to write. Deletions of upserts are read as they come, which have the time at which
// they happened. Flink 2.3 reads them so too.
func versions(n plan.Node) (plan.Node, plan.TemporalSides, string) {
	sides := plan.TemporalSides{RightTime: -1}
	switch in := n.(type) {
	case *plan.Normalize:
		inner, found, why := versions(in.Input)
		return inner, found, why
	case *plan.Scan:
		for i, c := range in.Cols {
			if c.Rowtime {
				sides.RightTime = i
			}
			if slices.Contains(in.Table.PrimaryKey, in.Output[i]) {
				sides.Keys = append(sides.Keys, i)
			}
		}
		switch {
		case len(sides.Keys) == 0:
			return n, sides, "declare PRIMARY KEY (…) NOT ENFORCED; or " + lastRows
		case sides.RightTime < 0:
			return n, sides, "declare WATERMARK FOR the column with the time from which a row holds"
		}
		return n, sides, ""
	case *plan.TopN:
		// The join itself leaves out what is no last row: of rows that come at once from the tasks of a TopN nobody could tell which came before a watermark.
		if r := in.Ranks; r.Latest && !r.Numbered && r.From == 1 && r.To == 1 && len(in.Keys) > 0 {
			return in.Input, plan.TemporalSides{Keys: slices.Clone(in.Keys), RightTime: r.By[0].Column, Rising: true}, ""
		}
	case *plan.Filter:
		inner, found, why := versions(in.Input)
		if why != "" {
			return n, found, why
		}
		if plan.Updates(in.Input) || hasUpserts(inner) {
			return n, found, "leave the filter out: it would make holes in the versions; write the condition in ON"
		}
		return in.Over(inner), found, ""
	case *plan.Project:
		inner, found, why := versions(in.Input)
		if why != "" {
			return n, found, why
		}
		passed := func(column int) int {
			return slices.IndexFunc(in.Exprs, func(e expr.Expr) bool { c, ok := e.(*expr.Column); return ok && c.Index == column })
		}
		sides.RightTime, sides.Rising = passed(found.RightTime), found.Rising
		for _, k := range found.Keys {
			sides.Keys = append(sides.Keys, passed(k))
		}
		if sides.RightTime < 0 || slices.Contains(sides.Keys, -1) {
			return n, sides, "select its key and its time as they are"
		}
		c := *in
		c.Input = inner
		return &c, sides, ""
	}
	return n, sides, withoutVersions(n)
}

// withoutVersions says why the rows of n are no versions, and what to write.
func withoutVersions(n plan.Node) string {
	switch in := n.(type) {
	case *plan.TopN:
		by := in.Ranks.By[0]
		switch {
		case plan.Updates(in.Input):
			return "its rows are chosen among rows that are updated, as " + plan.Describe(plan.Culprit(in.Input)) + " makes them: " + lastRows
		case len(in.Keys) == 0:
			return "versions are those of a key: add PARTITION BY"
		case !in.Input.Columns()[by.Column].Rowtime:
			return "its first rows are not the last by time: write ORDER BY the time attribute DESC"
		case !by.Desc:
			return "the first row of a key is never replaced, so it has no versions: write ORDER BY " + in.Input.Columns()[by.Column].Name + " DESC for the last one"
		}
		return "a key has one row at a time: write rn = 1, and do not select the number"
	case *plan.Over:
		return "rows that are numbered or aggregated in ascending order are never replaced, and so no versions: " + lastRows
	case *plan.GroupAggregate:
		return "there is no time from which a result of GROUP BY or DISTINCT holds: aggregate by windows and keep the last row of each key by window_time, or " + lastRows
	case *plan.Join, *plan.TemporalJoin:
		return "the rows of a join have no key: join with the tables one by one, each FOR SYSTEM_TIME AS OF, or " + lastRows
	case *plan.WindowAggregate:
		return "its rows have a time and no key: keep the last of each key, SELECT … FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY window_time DESC) AS rn FROM …) WHERE rn = 1"
	}
	return "its rows have no key: " + lastRows
}

func hasNormalize(n plan.Node) bool {
	_, ok := n.(*plan.Normalize)
	return ok || slices.ContainsFunc(n.Children(), hasNormalize)
}

func hasUpserts(n plan.Node) bool {
	return slices.ContainsFunc(plan.Scans(n), func(s *plan.Scan) bool { return s.Changelog == connector.Upsert })
}
