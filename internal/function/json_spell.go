package function

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// The functions here write a call with its clauses, which are arguments to the kernels, as plans show it. What need not be said is left out.

func spellJSONValue(args []string, params []types.Type) string {
	return "JSON_VALUE(" + args[0] + ", " + args[1] + spellReturning(params[2]) +
		spellBehavior(args[3], args[4], "NULL", " ON EMPTY") + spellBehavior(args[5], args[6], "NULL", " ON ERROR") + ")"
}

func spellJSONQuery(args []string, params []types.Type) string {
	wrapper := ""
	switch args[3] {
	case "'CONDITIONAL'":
		wrapper = " WITH CONDITIONAL WRAPPER"
	case "'UNCONDITIONAL'":
		wrapper = " WITH WRAPPER"
	}
	return "JSON_QUERY(" + args[0] + ", " + args[1] + spellReturning(params[2]) + wrapper +
		spellBehavior(args[4], "", "NULL", " ON EMPTY") + spellBehavior(args[5], "", "NULL", " ON ERROR") + ")"
}

func spellJSONExists(args []string, _ []types.Type) string {
	return "JSON_EXISTS(" + args[0] + ", " + args[1] + spellBehavior(args[2], "", "FALSE", " ON ERROR") + ")"
}

func spellReturning(t types.Type) string {
	if t == types.StringType {
		return ""
	}
	return " RETURNING " + t.String()
}

// spellBehavior is empty for the word that stands if nothing is said.
func spellBehavior(word, value, unsaid, on string) string {
	word = strings.Trim(word, "'")
	switch word {
	case unsaid:
		return ""
	case "DEFAULT":
		return " DEFAULT " + value + on
	}
	return " " + word + on
}

func spellJSONObject(args []string, _ []types.Type) string {
	var members []string
	for i := 1; i < len(args); i += 3 {
		members = append(members, args[i]+" VALUE "+args[i+2])
	}
	return "JSON_OBJECT(" + strings.Join(members, ", ") + spellNulls(args[0], "NULL", len(members)) + ")"
}

func spellJSONArray(args []string, _ []types.Type) string {
	var values []string
	for i := 1; i < len(args); i += 2 {
		values = append(values, args[i+1])
	}
	return "JSON_ARRAY(" + strings.Join(values, ", ") + spellNulls(args[0], "ABSENT", len(values)) + ")"
}

func spellNulls(word, unsaid string, values int) string {
	word = strings.Trim(word, "'")
	if word == unsaid || values == 0 {
		return ""
	}
	return " " + word + " ON NULL"
}
