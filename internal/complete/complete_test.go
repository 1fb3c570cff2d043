package complete

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
)

type fixedSchema map[string][]string

func (s fixedSchema) Names() []string {
	var names []string
	for name := range s {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (s fixedSchema) Columns(table string) []string { return s[table] }

func (s fixedSchema) Databases() []string { return []string{"shop"} }

func (s fixedSchema) Catalogs() []string { return []string{"lab"} }

// TestComplete completes what stands before |, by what is around it.
func TestComplete(t *testing.T) {
	c := &Completer{Schema: fixedSchema{"bids": {"bidder", "price"}, "my table": {"x"}, "auctions": {"seller"}}, Connectors: builtin.Connectors, Commands: []string{"QUIT"},
		Settings: []Setting{{"client.output-format", []string{"standard", "plain-text"}}, {"client.results-timeout", nil}}}
	for _, test := range []struct{ text, has, hasNot string }{
		{"|", "SELECT QUIT", "bidder FROM"},
		{"sel|", "select", "SELECT"},
		{"SELECT 1; QU|", "QUIT", ""},
		{"SELECT | FROM bids", "bidder price bids COUNT UPPER CASE", "seller"},
		{"SELECT b.| FROM bids AS b", "bidder price", "seller COUNT"},
		{"SELECT b.pr| FROM auctions, bids b", "price", "bidder"},
		{"SELECT bids.| FROM bids", "bidder", ""},
		{"SELECT bidd| FROM bids", "bidder", "price"},
		{"select upp|", "upper", "UPPER"},
		{"SELECT a FROM |", "bids auctions `my table` TUMBLE(TABLE", "bidder"},
		{"SELECT a FROM bids JOIN au|", "auctions", "bids"},
		{"INSERT INTO b|", "bids", "auctions"},
		{"DESCRIBE |", "bids", "SELECT"},
		{"SELECT bidder FROM bids WHERE pri|", "price", ""},
		{"SELECT bidder FROM bids GROUP BY bid|", "bidder", ""},
		{"SET |", "'sql.profile' 'client.output-format'", "SELECT"},
		{"SET 'sql.|", "'sql.profile'", "'client.output-format'"},
		{"RESET 'cl|", "'client.results-timeout'", ""},
		{"SET 'sql.profile' = |", "'flink' 'confluent'", "'sql.profile'"},
		{"SET 'client.output-format' = 'pl|", "'plain-text'", "'standard'"},
		{"CREATE |", "TABLE VIEW DATABASE", "bids"},
		{"SHOW |", "DATABASES CATALOGS FUNCTIONS", "SELECT bids"},
		{"SHOW CREATE |", "TABLE VIEW", "DATABASE"},
		{"USE |", "CATALOG shop", "ABS bids"},
		{"USE CATALOG |", "lab", "shop ABS"},
		{"DROP DATABASE |", "shop", "bids"},
		{"ALTER |", "TABLE VIEW", "bids"},
		{"EXPLAIN |", "SELECT CHANGELOG_MODE", "bids"},
		{"DESCRIBE |", "bids EXTENDED", "ABS"},
		{"SELECT sell|", "seller", "bidder"},
		{"CREATE TABLE t (a INT) WITH (|", "'connector' 'scan.watermark.idle-timeout'", "bids 'path'"},
		{"SELECT a FROM bids /*+ OPTIONS(|", "'path' 'rows-per-second'", "bids"},
		{"CREATE TABLE t (a INT) WITH ('connector' = '|", "'filesystem' 'datagen'", "'path'"},
		{"CREATE TABLE t (a INT) WITH ('connector' = 'filesystem', 'pa|", "'path'", "'rows-per-second' 'connector'"},
		{"CREATE TABLE t (a INT) WITH ('connector' = 'datagen', '|", "'rows-per-second'", "'path'"},
		{"CREATE TABLE t (a INT) WITH ('connector' = 'datag|'", "'datagen", "'datagen'"},
		{"CREATE TABLE t (a INT) WITH ('con|' = 'datagen')", "'connector", "'connector'"},
		{"SELECT | FROM bids WHERE a", "COUNT LAG", "LEAD RLIKE"},
		{"SELECT 'it|", "", "IS 'connector'"},
		{"SELECT 12|", "", "12"},
		{"-- sel|", "", "select SELECT"},
		{"SELECT a -- comment\nFROM bi|", "bids", "bidder"},
		{"CREATE |", "TOPIC", ""},
		{"CREATE STREAMING QUERY q AS DO BEGIN |", "SELECT PRAGMA", "bidder SET"},
		{"CREATE STREAMING QUERY q AS DO BEGIN $rows = SELECT 1; |", "SELECT $rows", "bidder"},
		{"CREATE STREAMING QUERY q WITH (|", "RUN READ_FROM", "FORMAT"},
		{"CREATE STREAMING QUERY q AS DO BEGIN $a = SELECT b.| FROM bids AS b; END DO", "bidder price", "seller"},
		{"CREATE STREAMING QUERY q AS DO BEGIN $rows = SELECT 1; INSERT INTO au|", "auctions", "bids $rows"},
		{"$rows = SELECT 1; SELECT * FROM |", "$rows bids auctions", "TUMBLE(TABLE"},
		{"$rows = SELECT 1; SELECT * FROM $ro|", "$rows", "bids"},
		{"$x = SELECT Yson::Ser| FROM bids", "SerializeJson", "UPPER"},
		{"$x = SELECT Yson2::|", "SerializeJson From", "SELECT"},
		{"$x = SELECT bid| FROM bids", "bidder", "price"},
		{"$x = SELECT AGG| FROM bids", "AGGREGATE_LIST", "price"},
		{"$x = SELECT a FROM bids WITH (|", "FORMAT SCHEMA WATERMARK", "RUN"},
		{"$x = SELECT a FROM bids WITH (FORMAT = json_|", "json_each_row json_list", "raw"},
		{"$x = SELECT a FROM bids gro|", "group", "GROUP"},
		{"$x = \"it|", "", "IS"},
		{"$x = 1; CREATE TABLE t (a INT) WITH ('con|", "'connector'", ""},
	} {
		before, after, _ := strings.Cut(test.text, "|")
		candidates, start := c.Complete(before, after)
		if start > len(before) {
			t.Errorf("%s: begins at %d", test.text, start)
		}
		has := func(word string) bool {
			return slices.ContainsFunc(candidates, func(c string) bool { return strings.TrimSpace(c) == word || c == word })
		}
		for _, word := range strings.Split(strings.ReplaceAll(strings.ReplaceAll(test.has, "(TABLE", "(TABLE"), "`my table`", "`my_table`"), " ") {
			if word = strings.ReplaceAll(word, "my_table", "my table"); word != "" && !has(word) {
				t.Errorf("%s does not offer %s but %q", test.text, word, candidates)
			}
		}
		for word := range strings.FieldsSeq(test.hasNot) {
			if has(word) {
				t.Errorf("%s offers %s", test.text, word)
			}
		}
	}
}

// FuzzComplete completes anything anywhere.
func FuzzComplete(f *testing.F) {
	f.Add("SELECT b.", " FROM bids b")
	f.Add("CREATE TABLE t (a INT) WITH ('connector' = '", "")
	f.Add("CREATE STREAMING QUERY q AS DO BEGIN $a = SELECT b.", " FROM bids AS b; END DO")
	f.Add("$x = SELECT Yson::", "")
	c := &Completer{Schema: fixedSchema{"bids": {"bidder", "price"}}, Connectors: builtin.Connectors}
	f.Fuzz(func(t *testing.T, before, after string) {
		candidates, start := c.Complete(before, after)
		if start < 0 || start > len(before) {
			t.Fatalf("begins at %d", start)
		}
		for _, candidate := range candidates {
			if !hasPrefixFold(candidate, before[start:]) {
				t.Fatalf("%q does not go on from %q", candidate, before[start:])
			}
		}
	})
}
