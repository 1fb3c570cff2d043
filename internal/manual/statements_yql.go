package manual

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/yql"
)

// statementsYQL are the forms of YQL.
var statementsYQL = []statement{
	{"CREATE STREAMING QUERY, STREAMING QUERY, ALTER STREAMING QUERY, DROP STREAMING QUERY", YQL,
		"CREATE [OR REPLACE] STREAMING QUERY [IF NOT EXISTS] name [WITH (KEY = value, …)]\nAS DO BEGIN\n  statement; …\nEND DO\nALTER STREAMING QUERY [IF EXISTS] name [SET (KEY = value, …)] [AS DO BEGIN … END DO]\nDROP STREAMING QUERY [IF EXISTS] name",
		"A query that has a name and runs until it is stopped. Keys are " + strings.Join(yql.QuerySettings, ", ") + "; the last one is for another text.",
		"CREATE STREAMING QUERY copy WITH (\n  RUN = TRUE,\n  READ_FROM = EARLIEST\n)\nAS DO BEGIN\n  INSERT INTO output\n  SELECT Data\n  FROM input WITH (FORMAT = raw, SCHEMA = (Data String NOT NULL));\nEND DO;"},
	{"FROM WITH, FORMAT, SCHEMA, WATERMARK_GRANULARITY, WATERMARK_IDLE_TIMEOUT, __ydb_write_time", YQL,
		"FROM topic WITH (\n  FORMAT = " + strings.Join(yql.Formats, " | ") + ",\n  SCHEMA = (column Type [NOT NULL], …),\n  WATERMARK = time - Interval(\"…\"),\n  WATERMARK_GRANULARITY = \"PT1S\",\n  WATERMARK_IDLE_TIMEOUT = \"PT5S\"\n) [AS alias]",
		"Says how the messages of a topic are read. The time of WATERMARK is a Timestamp of the row, such as __ydb_write_time; a window has to use the same. __ydb_offset and __ydb_partition_id are there, too.",
		"SELECT r.*, __ydb_write_time AS written\nFROM input WITH (\n  FORMAT = json_each_row,\n  SCHEMA = (meter Utf8 NOT NULL, kwh Double),\n  WATERMARK = __ydb_write_time - Interval(\"PT5S\"),\n  WATERMARK_GRANULARITY = \"PT1S\"\n) AS r;"},
	{"HOPPINGWINDOW, HOP_START, HOP_END", YQL,
		"GROUP BY [key, …,] HoppingWindow(time, \"step\", \"size\")",
		"A result for each group and window, when the watermark has passed the end of the window. The step stands first; the size is a multiple of it. HOP_START() and HOP_END() tell of the window.",
		"SELECT room, HOP_END() AS till, MAX(heat) AS hottest\nFROM readings\nGROUP BY room, HoppingWindow(ts, \"PT10S\", \"PT1M\");"},
	{"NAMED EXPRESSION, $NAME, LAMBDA", YQL,
		"$name = expression;\n$name = SELECT …;\n$f = ($a, $b) -> (expression);\n$f = ($a) -> { $b = expression; RETURN expression; };",
		"Names a value, a query or a lambda for the statements behind it: FROM $name, $f(x). A name that is given again means the latest.",
		"$warm = ($heat) -> ($heat > 21.0);\n\n$rooms =\n  SELECT room, heat\n  FROM readings\n  WHERE $warm(heat);\n\nSELECT room\nFROM $rooms;"},
	{"INSERT INTO TOPIC, TABLEROW", YQL,
		"INSERT INTO topic SELECT value FROM …",
		"Writes a message for each row: one column, a String, Utf8, Json or Yson that is never NULL. TableRow() is the whole row.",
		"INSERT INTO output\nSELECT ToBytes(Unwrap(Yson::SerializeJson(Yson::From(TableRow()))))\nFROM (\n  SELECT room, heat\n  FROM readings\n);"},
	{"UPSERT INTO", YQL,
		"UPSERT INTO table SELECT value AS column, … FROM …",
		"Writes rows to a table with a primary key, by the names of its columns: a row replaces the one that has its key.",
		"UPSERT INTO hottest\nSELECT Unwrap(room) AS room, heat\nFROM readings;"},
	{"FLATTEN, FLATTEN LIST BY, FLATTEN COLUMNS", YQL,
		"FROM source FLATTEN [LIST | DICT | OPTIONAL] BY (expression AS name, …)\nFROM source FLATTEN COLUMNS",
		"A row for each element of a collection; or the members of structs as columns.",
		"SELECT part\nFROM readings FLATTEN LIST BY (String::SplitToList(room, \"-\") AS part);"},
	{"CREATE TOPIC, DROP TOPIC", YQL,
		"CREATE TOPIC [IF NOT EXISTS] name [WITH (…)]\nDROP TOPIC [IF EXISTS] name",
		"Makes a topic of messages, whose column is Data.",
		"CREATE TOPIC IF NOT EXISTS alerts;"},
	{"PRAGMA", YQL,
		"PRAGMA name [= \"value\"];",
		"A setting of a text or of a streaming query: ydb.MaxTasksPerStage, ydb.DisableCheckpoints, pq.Consumer.",
		"PRAGMA ydb.MaxTasksPerStage = \"4\";"},
}
