package function

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var typeFunctions = []Scalar{
	{
		Name: "TYPEOF", Family: FamilyConditional,
		Signatures: []string{"TYPEOF(value)", "TYPEOF(value, full)"},
		Doc:        "The type of the value as it is written in DDL; VARCHAR(2147483647) and VARBINARY(2147483647) for STRING and BYTES if full is TRUE.",
		Example:    "TYPEOF(1.50)", ExampleResult: "DECIMAL(3, 2) NOT NULL",
		Resolver: resolveTypeOf,
	},
}

func resolveTypeOf(args []types.Type, constants []*vector.Vector) (Overload, bool) {
	full := false
	switch {
	case len(args) == 2 && args[1].Kind == types.Boolean && constants[1] != nil:
		full = !constants[1].IsNull(0) && constants[1].Bool(0)
	case len(args) != 1:
		return Overload{}, false
	}
	name := args[0].String()
	if full && args[0].Length == 0 {
		switch args[0].Kind {
		case types.String:
			name = strings.Replace(name, "STRING", "VARCHAR(2147483647)", 1)
		case types.VarBinary:
			name = strings.Replace(name, "BYTES", "VARBINARY(2147483647)", 1)
		}
	}
	o := Overload{Params: args, Result: types.StringType, Nulls: NullAware, Kernel: func(c *Call) error {
		c.Out.Buf = append(c.Arena.Bytes(len(name))[:0], name...)
		for i := range c.Out.Views {
			c.Out.Views[i] = vector.View{Len: uint32(len(name))}
		}
		return nil
	}}
	o.Result.NotNull = true
	return o, true
}
