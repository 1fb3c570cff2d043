package function

import "github.com/tidemark-sql/tidemark/internal/types"

var logicalFunctions = []Scalar{
	{
		Name: "AND", Family: FamilyLogical, Notation: Infix, Form: FormAnd,
		Signatures: []string{"boolean1 AND boolean2"},
		Doc:        "TRUE if both are TRUE, FALSE if one is FALSE, else NULL. The second is evaluated only where the first leaves it open.",
		Example:    "FALSE AND NULL", ExampleResult: "FALSE",
	},
	{
		Name: "OR", Family: FamilyLogical, Notation: Infix, Form: FormOr,
		Signatures: []string{"boolean1 OR boolean2"},
		Doc:        "TRUE if one is TRUE, FALSE if both are FALSE, else NULL. The second is evaluated only where the first leaves it open.",
		Example:    "TRUE OR NULL", ExampleResult: "TRUE",
	},
	{
		Name: "NOT", Family: FamilyLogical, Notation: Infix,
		Signatures: []string{"NOT boolean"},
		Doc:        "FALSE for TRUE, TRUE for FALSE, NULL for NULL.",
		Example:    "NOT FALSE", ExampleResult: "TRUE",
		Overloads: []Overload{{Params: []types.Type{types.BooleanType}, Result: types.BooleanType, Kernel: not, Nulls: StrictTotal}},
	},
	nullTest("IS NULL", true),
	nullTest("IS NOT NULL", false),
	truthTest("IS TRUE", "boolean is TRUE", []uint8{0, 1, 0}),
	truthTest("IS NOT TRUE", "boolean is FALSE or NULL", []uint8{1, 0, 1}),
	truthTest("IS FALSE", "boolean is FALSE", []uint8{1, 0, 0}),
	truthTest("IS NOT FALSE", "boolean is TRUE or NULL", []uint8{0, 1, 1}),
	truthTest("IS UNKNOWN", "boolean is NULL", []uint8{0, 0, 1}),
	truthTest("IS NOT UNKNOWN", "boolean is TRUE or FALSE", []uint8{1, 1, 0}),
}

func not(c *Call) error {
	x := c.Args[0].Bools
	for i := range c.Out.Bools {
		c.Out.Bools[i] = x[i] ^ 1
	}
	return nil
}

// nullTest is IS NULL or its opposite, for a value of any type.
func nullTest(name string, null bool) Scalar {
	doc, result := "Whether the value is NULL; never NULL itself.", "FALSE"
	if !null {
		doc, result = "Whether there is a value; never NULL itself.", "TRUE"
	}
	kernel := func(c *Call) error {
		v := c.Args[0]
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			c.Out.Bools[i] = bit(v.IsNull(i) == null)
		}
		return nil
	}
	return Scalar{
		Name: name, Family: FamilyLogical, Notation: Postfix,
		Signatures: []string{"value " + name},
		Doc:        doc,
		Example:    "'' " + name, ExampleResult: result,
		Resolver: byTypes(func(args []types.Type) (Overload, bool) {
			if len(args) != 1 {
				return Overload{}, false
			}
			return Overload{Params: []types.Type{args[0].Nullable()}, Result: booleanNotNull, Kernel: kernel, Nulls: NullAware}, true
		}),
	}
}

// truthTest is one of IS [NOT] TRUE, FALSE, UNKNOWN; outcomes are its results for FALSE, TRUE and NULL.
func truthTest(name, condition string, outcomes []uint8) Scalar {
	kernel := func(c *Call) error {
		v := c.Args[0]
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			state := 2
			if !v.IsNull(i) {
				state = int(v.Bools[i&v.Mask()])
			}
			c.Out.Bools[i] = outcomes[state]
		}
		return nil
	}
	return Scalar{
		Name: name, Family: FamilyLogical, Notation: Postfix,
		Signatures: []string{"boolean " + name},
		Doc:        "Whether the " + condition + "; never NULL itself.",
		Example:    "NULL " + name, ExampleResult: []string{"FALSE", "TRUE"}[outcomes[2]],
		Overloads: []Overload{{Params: []types.Type{types.BooleanType}, Result: booleanNotNull, Kernel: kernel, Nulls: NullAware}},
	}
}

var booleanNotNull = types.Type{Kind: types.Boolean, NotNull: true}
