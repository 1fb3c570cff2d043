package yql

import "strings"

// YQL reserves few words: most keywords are also names of columns (key, list, group, end). What has to be in backticks depends on the place.
var (
	// reservedWords cannot begin an expression as the name of a column.
	reservedWords = wordSet(`
		ALL AND AS BETWEEN BITCAST CASE CAST DISTINCT ELSE EXCEPT EXISTS FROM FULL HAVING ILIKE IN INTERSECT IS JOIN LIKE NOT NULL ON OR
		PROCESS REDUCE RETURN SELECT THEN TRUE FALSE UNION WHEN WHERE XOR`)

	// clauseWords cannot be an alias without AS: they go on with the query, or begin the next statement.
	clauseWords = wordSet(`
		ANY ASC ASSUME BEGIN COLLATE COMMIT CREATE CROSS DECLARE DEFINE DESC DISCARD DO DROP ALTER END ESCAPE EXCLUSION EXPLAIN FETCH FILTER FLATTEN FOR
		GLOB GROUP IGNORE INNER INSERT INTO ISNULL LEFT LIMIT MATCH MATCH_RECOGNIZE NATURAL NOTNULL OFFSET ONLY ORDER OVER PRAGMA PRESORT QUALIFY REGEXP
		REPLACE RESPECT RETURNING RIGHT RLIKE SAMPLE SEMI SET TABLESAMPLE UPSERT USING VALUES VIEW WINDOW WITH WITHOUT`)
)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}

func isReserved(word string) bool { return reservedWords[strings.ToUpper(word)] }

// Reserved reports whether a word needs backticks to be the name of a column.
func Reserved(word string) bool { return isReserved(word) }

// Keywords lists the words of the grammar, in no order.
func Keywords() []string {
	var words []string
	for _, set := range []map[string]bool{reservedWords, clauseWords, otherWords} {
		for word := range set {
			words = append(words, word)
		}
	}
	return words
}

// otherWords are keywords that are free as names everywhere.
var otherWords = wordSet(`
	ABORT ACTION ADD AUTH_METHOD BY COLUMNS COMPACT CONSUMER CUBE CURRENT DATA DATABASE_NAME DEFAULT DICT EXTERNAL FOLLOWING FORMAT GROUPING IF
	KEY LIST LOCATION NULLS OPTIONAL OUTER PARTITION PRECEDING PRIMARY QUERY RANGE RESET ROLLUP ROWS RUN SCHEMA SETS SOURCE SOURCE_TYPE STREAM
	STREAMING SYMMETRIC TABLE TOPIC UNBOUNDED WATERMARK WATERMARK_GRANULARITY WATERMARK_IDLE_TIMEOUT WATERMARK_LATE_EVENTS_POLICY READ_FROM FORCE`)
