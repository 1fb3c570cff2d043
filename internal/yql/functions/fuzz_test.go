package functions

import (
	"errors"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
	"github.com/tidemark-sql/tidemark/internal/ysontext"
)

// FuzzConvert takes any document for a value of any type, and writes that as a document again.
func FuzzConvert(f *testing.F) {
	for _, seed := range [][2]string{{"{a=1;b=[x;y]}", "Struct<a:Int64,b:List<String>>"}, {"[1;#;3u]", "List<Int32?>"}, {"{a=1.5}", "Dict<String,Double>"}, {"[1;x]", "Tuple<Int8,Utf8>"},
		{"<a=1>5", "Yson"}, {"%nan", "Json"}, {"#", "Resource<'Yson2.Node'>?"}} {
		f.Add(seed[0], seed[1], "/a/0/@b")
	}
	f.Fuzz(func(t *testing.T, doc, typeName, path string) {
		to, err := yqltype.Parse(typeName)
		if err != nil || convertible(to) != nil || documented(to) != nil {
			return
		}
		node, err := ysontext.Canonical(nil, []byte(doc))
		if err != nil {
			return
		}
		atPath(node, []byte(path))
		var pool vector.Pool
		a := pool.Get()
		for _, options := range []YsonOptions{{Strict: true}, {}, {AutoConvert: true}} {
			v, err := convertWith(Value{Expr: expr.NewColumn(0, "node", typeNode.Physical()), Type: typeNode}, to, options, nil, "Yson::ConvertTo")
			if err != nil {
				t.Fatal(err)
			}
			b := vector.NewBuilder(a, vector.Bytes, 1)
			b.AppendBytes(node)
			out, err := v.Expr.Eval(&expr.Context{Arena: a, Env: &function.Env{}}, &vector.Batch{Cols: []*vector.Vector{b.Done()}, N: 1, Arena: a}, vector.All(1))
			var failed *function.RowError
			if err != nil {
				if !errors.As(err, &failed) || !options.Strict {
					t.Fatal(err)
				}
				continue
			}
			back, err := newWriter(v.Type, nil).write(nil, out, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ysontext.Canonical(nil, back); err != nil {
				t.Fatalf("%s taken for %s is %s, which is no document", node, to, back)
			}
		}
	})
}
