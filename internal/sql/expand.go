package sql

// Expand copies a query with the stars of its select lists, those of its FROM and WITH included, written out; items gives what a star stands for, or
// nil to leave it. Subqueries in expressions are left alone.
func Expand(q Query, items func(*Star) []SelectItem) Query {
	switch q := q.(type) {
	case *Select:
		c := *q
		c.Items = nil
		for _, item := range q.Items {
			if star, ok := item.Expr.(*Star); ok {
				if all := items(star); all != nil {
					c.Items = append(c.Items, all...)
					continue
				}
			}
			c.Items = append(c.Items, item)
		}
		c.From = expandFrom(q.From, items)
		return &c
	case *SetOperation:
		c := *q
		c.Left, c.Right = Expand(q.Left, items), Expand(q.Right, items)
		return &c
	case *Ordered:
		c := *q
		c.Body = Expand(q.Body, items)
		return &c
	case *With:
		c := *q
		c.Tables = nil
		for _, t := range q.Tables {
			t.Query = Expand(t.Query, items)
			c.Tables = append(c.Tables, t)
		}
		c.Body = Expand(q.Body, items)
		return &c
	}
	return q
}

func expandFrom(r TableRef, items func(*Star) []SelectItem) TableRef {
	switch r := r.(type) {
	case *Derived:
		c := *r
		c.Query = Expand(r.Query, items)
		return &c
	case *Join:
		c := *r
		c.Left, c.Right = expandFrom(r.Left, items), expandFrom(r.Right, items)
		return &c
	case *MatchRecognize:
		c := *r
		c.Input = expandFrom(r.Input, items)
		return &c
	case *TableFunction:
		c, call := *r, *r.Call
		call.Args = nil
		for _, a := range r.Call.Args {
			if t, ok := a.(*TableArg); ok {
				arg := *t
				arg.Table = expandFrom(t.Table, items)
				a = &arg
			}
			call.Args = append(call.Args, a)
		}
		c.Call = &call
		return &c
	}
	return r
}
