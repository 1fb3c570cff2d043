package oracle

import (
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// ranked is a row of a partition, with when it came.
type ranked struct {
	row  Row
	came int
}

// ranking is the rows of a partition in their order.
type ranking struct {
	by     []plan.SortKey
	latest bool
	types  []types.Type
	rows   []*ranked
}

func (k *ranking) compare(a, b *ranked) int {
	for _, by := range k.by {
		v, w := a.row[by.Column], b.row[by.Column]
		c := 0
		switch {
		case v.Null && w.Null:
		case v.Null != w.Null:
			if c = 1; v.Null != by.NullsLast {
				c = -1
			}
		default:
			if c = v.compare(w, k.types[by.Column]); by.Desc {
				c = -c
			}
		}
		if c != 0 {
			return c
		}
	}
	if k.latest {
		return cmp.Compare(b.came, a.came)
	}
	return cmp.Compare(a.came, b.came)
}

func (k *ranking) add(r *ranked) {
	k.rows = append(slices.Clone(k.rows), r)
	slices.SortFunc(k.rows, k.compare)
}

func (k *ranking) remove(at int) { k.rows = slices.Delete(slices.Clone(k.rows), at, at+1) }

// shown are the rows with numbers from and to to.
func shown(rows []*ranked, from, to int64) []*ranked {
	n := int64(len(rows))
	return rows[min(from-1, n):min(to, n)]
}

// firstRows tells after every row how the first rows of its partition have changed.
func firstRows(n *plan.TopN, in stream) stream {
	columns := columnTypes(n.Input)
	keys, replaces := n.Replaces()
	partitions := map[string]*ranking{}
	var out stream
	for came, e := range in {
		if e.row == nil {
			out = append(out, e)
			continue
		}
		name := keyOf(e.row, n.Keys, columns)
		k := partitions[name]
		if k == nil {
			k = &ranking{by: n.Ranks.By, latest: n.Ranks.Latest, types: columns}
			partitions[name] = k
		}
		before := k.rows
		young := &ranked{e.row, came}
		var told []change
		switch {
		case replaces && e.takesBack():
			continue
		case replaces:
			at := slices.IndexFunc(k.rows, func(r *ranked) bool { return keyOf(r.row, keys, columns) == keyOf(e.row, keys, columns) })
			if at >= 0 {
				old := k.rows[at]
				k.remove(at)
				if same := (&ranked{e.row, old.came}); int64(at) < n.Ranks.To && k.compare(same, old) == 0 {
					young = same
				}
				if k.add(young); int64(at) < n.Ranks.To {
					told = moved(n.Ranks, before, k.rows, old, young)
					break
				}
			} else {
				k.add(young)
			}
			told = changed(n.Ranks, before, k.rows, true)
		case e.takesBack():
			if at := slices.IndexFunc(k.rows, func(r *ranked) bool { return sameRow(r.row, e.row, columns) }); at >= 0 {
				k.remove(at)
				told = changed(n.Ranks, before, k.rows, false)
			}
		default:
			k.add(young)
			told = changed(n.Ranks, before, k.rows, !plan.Updates(n.Input))
		}
		for _, c := range told {
			row := slices.Clone(c.row)
			if n.Ranks.Numbered {
				row = append(row, Value{Int: c.number})
			}
			e.row, e.op = row, c.op
			out = append(out, e)
		}
	}
	return out
}

func sameRow(a, b Row, columns []types.Type) bool {
	for i := range a {
		if a[i].Null != b[i].Null || !a[i].Null && a[i].compare(b[i], columns[i]) != 0 {
			return false
		}
	}
	return true
}

// change is a row that a partition tells, with its number.
type change struct {
	op     vector.Op
	row    Row
	number int64
}

// changed is how the first rows differ: number by number if numbers or the rows behind the first are asked for, else as rows that leave and enter. grows says that rows are only added.
func changed(r plan.Ranks, before, after []*ranked, grows bool) []change {
	old, young := shown(before, r.From, r.To), shown(after, r.From, r.To)
	var told []change
	if r.Numbered || r.From > 1 {
		for i := range max(len(old), len(young)) {
			at := r.From + int64(i)
			switch {
			case i >= len(old):
				told = append(told, change{vector.Insert, young[i].row, at})
			case i >= len(young):
				told = append(told, change{vector.Delete, old[i].row, at})
			case old[i] != young[i]:
				told = append(told, change{vector.UpdateBefore, old[i].row, at}, change{vector.UpdateAfter, young[i].row, at})
			}
		}
		return told
	}
	leave, enter := vector.Delete, vector.Insert
	if grows && r.To == 1 && len(old) == 1 {
		leave, enter = vector.UpdateBefore, vector.UpdateAfter
	}
	for _, x := range old {
		if !slices.Contains(young, x) {
			told = append(told, change{leave, x.row, 0})
		}
	}
	for _, x := range young {
		if !slices.Contains(old, x) {
			told = append(told, change{enter, x.row, 0})
		}
	}
	return told
}

// moved is how the first rows differ when young takes the place of old, which is further back or the same: the old row leaves before the new one enters.
func moved(r plan.Ranks, before, after []*ranked, old, young *ranked) []change {
	if !r.Numbered && r.From == 1 {
		return []change{{vector.UpdateBefore, old.row, 0}, {vector.UpdateAfter, young.row, 0}}
	}
	was, is := int64(slices.Index(before, old))+1, int64(slices.Index(after, young))+1
	var told []change
	tell := func(op vector.Op, rows []*ranked, number int64) {
		if number >= r.From && number <= r.To {
			told = append(told, change{op, rows[number-1].row, number})
		}
	}
	if is != was {
		tell(vector.UpdateBefore, before, is)
	}
	tell(vector.UpdateBefore, before, was)
	tell(vector.UpdateAfter, after, is)
	for number := is + 1; number <= was; number++ {
		if number < was {
			tell(vector.UpdateBefore, before, number)
		}
		tell(vector.UpdateAfter, after, number)
	}
	return told
}

// windowTopN answers each window with its first rows.
func (r *run) windowTopN(n *plan.WindowTopN, in stream) (stream, error) {
	columns := columnTypes(n.Input)
	open := &given{node: &plan.WindowAggregate{Windows: n.Windows, Time: -1, Start: n.Start, End: n.End}}
	return r.answered(open, in, func(p pane) []Row {
		var out []Row
		for _, rows := range groupBy(p.rows, n.Keys, columns) {
			k := &ranking{by: n.Ranks.By, latest: n.Ranks.Latest, types: columns}
			for came, row := range rows {
				k.add(&ranked{row, came})
			}
			for i, x := range shown(k.rows, n.Ranks.From, n.Ranks.To) {
				row := slices.Clone(x.row)
				if n.Ranks.Numbered {
					row = append(row, Value{Int: n.Ranks.From + int64(i)})
				}
				out = append(out, row)
			}
		}
		return out
	})
}
