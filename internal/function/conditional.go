package function

// Functions that evaluate an argument only where it matters; package expr builds them.
var conditionalFunctions = []Scalar{
	{
		Name: "COALESCE", Family: FamilyConditional, Form: FormCoalesce,
		Signatures: []string{"COALESCE(value, …)"},
		Doc:        "The first value that is not NULL; NULL if all are.",
		Example:    "COALESCE(NULL, 5)", ExampleResult: "5",
	},
	{
		Name: "IFNULL", Family: FamilyConditional, Form: FormCoalesce,
		Signatures: []string{"IFNULL(value, replacement)"},
		Doc:        "The value, or the replacement if it is NULL.",
		Example:    "IFNULL(NULL, 'none')", ExampleResult: "none",
	},
	{
		Name: "NULLIF", Family: FamilyConditional, Form: FormNullIf,
		Signatures: []string{"NULLIF(value1, value2)"},
		Doc:        "NULL if the values are equal, else the first.",
		Example:    "NULLIF(5, 5)", ExampleResult: "NULL",
	},
	{
		Name: "IF", Family: FamilyConditional, Form: FormIf,
		Signatures: []string{"IF(condition, value1, value2)"},
		Doc:        "The first value where the condition is TRUE, else the second.",
		Example:    "IF(1 > 2, 'more', 'less')", ExampleResult: "less",
	},
}
