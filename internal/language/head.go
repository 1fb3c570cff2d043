package language

import "slices"

// What the first words of a statement say of its language.
type owner uint8

const (
	both      owner = iota // either: as the text is read
	flinkOnly              // Flink SQL, in any text
	yqlOnly                // YQL, in any text
	yqlAround              // YQL, and so is what both have in the same text
)

// rule is how statements begin; "*" is any word.
type rule struct {
	words []string
	owner owner
}

// rules, of which the first that fits counts. EXPLAIN in front is passed over.
var rules = []rule{
	{[]string{"$"}, yqlAround},
	{[]string{"PRAGMA"}, yqlAround},
	{[]string{"DECLARE"}, yqlAround},
	{[]string{"DEFINE"}, yqlAround},
	{[]string{"IMPORT"}, yqlAround},
	{[]string{"EVALUATE"}, yqlAround},
	{[]string{"DO"}, yqlAround},
	{[]string{"UPSERT"}, yqlAround},
	{[]string{"REPLACE", "INTO"}, yqlAround},
	{[]string{"DISCARD"}, yqlAround},
	{[]string{"PROCESS"}, yqlAround},
	{[]string{"REDUCE"}, yqlAround},
	{[]string{"CREATE", "STREAMING"}, yqlOnly},
	{[]string{"CREATE", "OR", "REPLACE", "STREAMING"}, yqlOnly},
	{[]string{"ALTER", "STREAMING"}, yqlOnly},
	{[]string{"DROP", "STREAMING"}, yqlOnly},
	{[]string{"CREATE", "TOPIC"}, yqlOnly},
	{[]string{"ALTER", "TOPIC"}, yqlOnly},
	{[]string{"DROP", "TOPIC"}, yqlOnly},
	{[]string{"CREATE", "EXTERNAL"}, yqlOnly},
	{[]string{"CREATE", "OR", "REPLACE", "EXTERNAL"}, yqlOnly},
	{[]string{"ALTER", "EXTERNAL"}, yqlOnly},
	{[]string{"DROP", "EXTERNAL"}, yqlOnly},
	{[]string{"SET"}, flinkOnly},
	{[]string{"RESET"}, flinkOnly},
	{[]string{"USE"}, flinkOnly},
	{[]string{"SHOW"}, flinkOnly},
	{[]string{"DESC"}, flinkOnly},
	{[]string{"DESCRIBE"}, flinkOnly},
	{[]string{"EXECUTE"}, flinkOnly},
	{[]string{"BEGIN", "STATEMENT"}, flinkOnly},
	{[]string{"WITH"}, flinkOnly},
	{[]string{"ALTER", "TABLE"}, flinkOnly},
	{[]string{"ALTER", "VIEW"}, flinkOnly},
	{[]string{"CREATE", "VIEW"}, flinkOnly},
	{[]string{"CREATE", "OR", "REPLACE", "VIEW"}, flinkOnly},
	{[]string{"CREATE", "TEMPORARY"}, flinkOnly},
	{[]string{"CREATE", "DATABASE"}, flinkOnly},
	{[]string{"CREATE", "CATALOG"}, flinkOnly},
	{[]string{"DROP", "VIEW"}, flinkOnly},
	{[]string{"DROP", "TEMPORARY"}, flinkOnly},
	{[]string{"DROP", "DATABASE"}, flinkOnly},
	{[]string{"DROP", "CATALOG"}, flinkOnly},
}

// headWords are enough for all rules, with EXPLAIN and its details in front.
const headWords = 12

// ownerOf tells whose a statement is that begins with these words.
func ownerOf(words []string) owner {
	if len(words) > 0 && words[0] == "EXPLAIN" {
		words = words[1:]
	}
	for _, r := range rules {
		if len(words) >= len(r.words) && slices.Equal(words[:len(r.words)], r.words) {
			return r.owner
		}
	}
	return both
}
