package manual

// statement is a topic that no registry has: a form of the grammar.
type statement struct {
	name               string
	kind               Kind
	form, doc, example string
}

var statements = []statement{
	{"SELECT", Statements,
		"[WITH name AS (query), …]\nSELECT expression [AS alias], …\nFROM table | view | (query) | window function\n[WHERE condition]\n[GROUP BY window_start, window_end, key, …]\n[HAVING condition]",
		"Reads tables and gives rows. Rows of several queries are put together with UNION ALL.",
		"SELECT window_start, room, MAX(heat) AS hottest\nFROM TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '1' HOUR)\nGROUP BY window_start, window_end, room;"},
	{"INSERT", Statements,
		"INSERT INTO table [(column, …)] query",
		"Writes the rows of a query into a table, column by column in the order of the table or of the names behind it.",
		"INSERT INTO warm (room, heat)\nSELECT room, heat\nFROM readings\nWHERE heat > 21;"},
	{"CREATE TABLE", Statements,
		"CREATE TABLE [IF NOT EXISTS] name (\n  column type [NOT NULL], …\n  column AS expression, …\n  WATERMARK FOR column AS expression\n) WITH ('connector' = '…', …)",
		"Declares a table: what its rows are and where they come from or go to. Nothing is opened until a query runs.",
		"CREATE TABLE readings (\n  room STRING,\n  heat DOUBLE,\n  ts   TIMESTAMP(3),\n  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND\n) WITH (\n  'connector' = 'filesystem',\n  'path' = 'readings.jsonl',\n  'format' = 'json'\n);"},
	{"CREATE VIEW", Statements,
		"CREATE VIEW [IF NOT EXISTS] name [(column, …)] AS query",
		"Names a query, which is put in wherever the name is read.",
		"CREATE VIEW warm AS\nSELECT room, heat\nFROM readings\nWHERE heat > 21;"},
	{"DROP", Statements, "DROP TABLE | VIEW [IF EXISTS] name", "Forgets a table or view; what it stands for is not touched.", "DROP VIEW IF EXISTS warm;"},
	{"SET", Statements, "SET ['key' = 'value']", "Sets a setting for the statements behind it, or lists all settings.", "SET 'sql.profile' = 'flink';"},
	{"RESET", Statements, "RESET ['key']", "Takes one setting, or all, back to the default.", "RESET 'sql.profile';"},
	{"EXPLAIN", Statements, "EXPLAIN query | INSERT …", "Prints the plan of a statement and the watermark strategy of each table that it reads. Nothing runs.", "EXPLAIN SELECT room FROM readings;"},
	{"SHOW", Statements, "SHOW TABLES | VIEWS | FUNCTIONS", "Lists what there is.", "SHOW TABLES;"},
	{"WATERMARK", Statements,
		"WATERMARK FOR column AS column - INTERVAL '…' unit",
		"Stands in CREATE TABLE. The column is event time; a row makes known that no row older than the expression is expected any more.",
		"CREATE TABLE readings (\n  ts TIMESTAMP(3),\n  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND\n) WITH (\n  'connector' = 'datagen'\n);"},
	{"TUMBLE", Windows, "TUMBLE(TABLE t, DESCRIPTOR(ts), size [, offset])", "Windows of one size, one behind the other. Adds window_start, window_end and window_time.",
		"SELECT window_start, COUNT(*) AS n\nFROM TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '10' MINUTE)\nGROUP BY window_start, window_end;"},
	{"HOP", Windows, "HOP(TABLE t, DESCRIPTOR(ts), slide, size [, offset])", "Windows of one size that overlap: a new one begins every slide.",
		"SELECT window_start, COUNT(*) AS n\nFROM HOP(TABLE readings, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)\nGROUP BY window_start, window_end;"},
	{"CUMULATE", Windows, "CUMULATE(TABLE t, DESCRIPTOR(ts), step, size [, offset])", "Windows that begin together and end a step later each, up to the size.",
		"SELECT window_end, COUNT(*) AS n\nFROM CUMULATE(TABLE readings, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '1' DAY)\nGROUP BY window_start, window_end;"},
	{"SESSION", Windows, "SESSION(TABLE t [PARTITION BY key, …], DESCRIPTOR(ts), gap)", "A window for each run of rows of a key with less than the gap between them.",
		"SELECT window_start, window_end, room, COUNT(*) AS n\nFROM SESSION(TABLE readings PARTITION BY room, DESCRIPTOR(ts), INTERVAL '10' MINUTE)\nGROUP BY window_start, window_end, room;"},
}
