package language

import "slices"

// What the first words of a statement say of its language.
type owner uint8

const (
	both  owner = iota // either: as the text is read
	flink              // Flink SQL alone
	yql                // YQL alone, in any text
	bare               // YQL alone, and so is what both have in the same text
)

// rule is how statements begin; "*" is any word.
type rule struct {
	words []string
	owner owner
}

// rules, of which the first that fits counts. EXPLAIN in front is passed over.
var rules = []rule{
	{[]string{"$"}, bare},
	{[]string{"PRAGMA"}, bare},
	{[]string{"DECLARE"}, bare},
	{[]string{"DEFINE"}, bare},
	{[]string{"IMPORT"}, bare},
	{[]string{"EVALUATE"}, bare},
	{[]string{"DO"}, bare},
	{[]string{"UPSERT"}, bare},
	{[]string{"REPLACE", "INTO"}, bare},
	{[]string{"DISCARD"}, bare},
	{[]string{"PROCESS"}, bare},
	{[]string{"REDUCE"}, bare},
	{[]string{"CREATE", "STREAMING"}, yql},
	{[]string{"CREATE", "OR", "REPLACE", "STREAMING"}, yql},
	{[]string{"ALTER", "STREAMING"}, yql},
	{[]string{"DROP", "STREAMING"}, yql},
	{[]string{"CREATE", "TOPIC"}, yql},
	{[]string{"ALTER", "TOPIC"}, yql},
	{[]string{"DROP", "TOPIC"}, yql},
	{[]string{"CREATE", "EXTERNAL"}, yql},
	{[]string{"CREATE", "OR", "REPLACE", "EXTERNAL"}, yql},
	{[]string{"ALTER", "EXTERNAL"}, yql},
	{[]string{"DROP", "EXTERNAL"}, yql},
	{[]string{"SET"}, flink},
	{[]string{"RESET"}, flink},
	{[]string{"USE"}, flink},
	{[]string{"SHOW"}, flink},
	{[]string{"DESC"}, flink},
	{[]string{"DESCRIBE"}, flink},
	{[]string{"EXECUTE"}, flink},
	{[]string{"BEGIN", "STATEMENT"}, flink},
	{[]string{"WITH"}, flink},
	{[]string{"ALTER", "TABLE"}, flink},
	{[]string{"ALTER", "VIEW"}, flink},
	{[]string{"CREATE", "VIEW"}, flink},
	{[]string{"CREATE", "OR", "REPLACE", "VIEW"}, flink},
	{[]string{"CREATE", "TEMPORARY"}, flink},
	{[]string{"CREATE", "DATABASE"}, flink},
	{[]string{"CREATE", "CATALOG"}, flink},
	{[]string{"DROP", "VIEW"}, flink},
	{[]string{"DROP", "TEMPORARY"}, flink},
	{[]string{"DROP", "DATABASE"}, flink},
	{[]string{"DROP", "CATALOG"}, flink},
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
