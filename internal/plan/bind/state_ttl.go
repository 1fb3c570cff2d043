package bind

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// block is a SELECT that is being bound.
type block struct {
	from sql.TableRef // nil without FROM
	// ttls are what its STATE_TTL hints say of the names in FROM.
	ttls map[string]plan.TTL
	// strict says that other names are an error.
	strict bool
}

// enter begins the block of q, until leave is called.
func (b *Binder) enter(q *sql.Select) (leave func(), err error) {
	if err := b.queryHints(q.Hints); err != nil {
		return nil, err
	}
	// Flink 2.3: names are looked for where there is state that they could be of.
	x := &block{from: q.From, ttls: map[string]plan.TTL{}, strict: len(q.GroupBy) > 0 || q.Distinct || joins(q.From) || b.aggregates(q.Items)}
	for i := range q.Hints {
		if h := &q.Hints[i]; upperASCII(h.Name.Name) == plan.StateTTLHint {
			if err := b.stateHint(h, x); err != nil {
				return nil, err
			}
		}
	}
	before := b.block
	b.block = x
	return func() { b.block = before }, nil
}

// stateHint reads STATE_TTL('name' = 'duration', …). Flink 2.3: an alias hides the name of its table; of two values in one hint the last holds, of two hints the first.
func (b *Binder) stateHint(h *sql.Hint, x *block) error {
	if len(h.Options) == 0 {
		return b.errorf(source.CodeOption, h.Span(), "write it as STATE_TTL('t' = '1 d', 'u' = '6 h'), with names of FROM", "STATE_TTL does not say of what, and how long")
	}
	names := refNames(x.from)
	said := map[string]plan.TTL{}
	for i := range h.Options {
		o := &h.Options[i]
		if x.strict && !slices.Contains(names, o.Key.Value) {
			otherwise := "give what it reads a name with AS"
			if len(names) > 0 {
				otherwise = "FROM has: " + join(names)
			}
			return b.errorf(source.CodeOption, o.Key.Span(), didYouMean(o.Key.Value, names, otherwise), "STATE_TTL speaks of '%s', which FROM of this query does not have", o.Key.Value)
		}
		d, err := connector.ParseDuration(o.Value.Value)
		if err != nil {
			return b.errorf(source.CodeOption, o.Value.Span(), "write a number and a unit, such as '6 h' or '1 d', or '0' for ever", "'%s' is not a length of time", o.Value.Value)
		}
		said[o.Key.Value] = plan.TTL{Micros: d, Origin: plan.StateTTLHint, Said: true}
	}
	for name, ttl := range said {
		if _, twice := x.ttls[name]; !twice {
			x.ttls[name] = ttl
		}
	}
	return nil
}

func joins(r sql.TableRef) bool {
	_, ok := r.(*sql.Join)
	return ok
}

// refNames are the names that a FROM gives, "" for what has none.
func refNames(r sql.TableRef) []string {
	switch r := r.(type) {
	case nil:
		return nil
	case *sql.Join:
		return append(refNames(r.Left), refNames(r.Right)...)
	}
	if name := refName(r); name != "" {
		return []string{name}
	}
	return nil
}

// refName is the name of a single relation in FROM, "" if it has none or is a join.
func refName(r sql.TableRef) string {
	var alias *sql.Alias
	name := ""
	switch r := r.(type) {
	case *sql.TableName:
		alias, name = r.Alias, r.Name.Last().Name
	case *sql.Derived:
		alias = r.Alias
	case *sql.TableFunction:
		alias = r.Alias
	case *sql.Unnest:
		alias = r.Alias
	}
	if alias != nil {
		return alias.Name.Name
	}
	return name
}

// StateTTL is how long state is kept of which no hint speaks.
func (b *Binder) StateTTL() plan.TTL {
	text, origin := b.session.Value(catalog.KeyStateTTL)
	micros, err := connector.ParseDuration(text)
	if err != nil {
		panic("tidemark bug: the time to live was not checked: " + err.Error())
	}
	return plan.TTL{Micros: micros, Origin: origin, Said: b.session.WasSet(catalog.KeyStateTTL)}
}

// inputTTL is how long rows of a relation in FROM are kept. Flink 2.3: what comes from another join has no name.
func (b *Binder) inputTTL(r sql.TableRef) plan.TTL {
	if b.block != nil && r != nil {
		if ttl, ok := b.block.ttls[refName(r)]; ok {
			return ttl
		}
	}
	return b.StateTTL()
}

// ownTTL is how long the block keeps state of its input, if that is a single relation.
func (b *Binder) ownTTL() plan.TTL {
	if b.block == nil {
		return b.StateTTL()
	}
	return b.inputTTL(b.block.from)
}

// joined joins the input of the block with what a subquery gives. Flink 2.3: hints do not speak of that.
func (b *Binder) joined(kind plan.JoinKind, input, inner plan.Node, condition expr.Expr, at source.Span) (plan.Node, error) {
	n, err := plan.NewJoin(kind, input, inner, condition)
	if err != nil {
		return nil, b.place(err, at)
	}
	plan.KeepJoin(n, b.StateTTL(), b.StateTTL())
	return n, nil
}
