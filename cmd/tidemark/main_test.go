package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// run is one call of the program.
func run(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = dispatch(context.Background(), args, &out, &err)
	return code, out.String(), err.String()
}

// inFolder makes the working directory one with a few files, so that paths in messages are the same everywhere.
func inFolder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{
		"readings.jsonl": `{"room":"a","heat":20.5,"ts":"2026-01-01 00:00:01.000"}
{"room":"b","heat":21,"ts":"2026-01-01 00:00:07.000"}
{"room":"a","heat":22.25,"ts":"2026-01-01 00:00:04.000"}
{"room":"a","heat":null,"ts":"2026-01-01 00:00:16.000"}
`,
		"bad.jsonl": `{"room":"a","heat":20.5,"ts":"2026-01-01 00:00:01.000"}
{"room":"b","heat":warm,"ts":"2026-01-01 00:00:07.000"}
`,
		"timeless.jsonl": `{"room":"a","heat":20.5}
`,
		"rooms.sql": readings("readings.jsonl") + "SELECT room, heat FROM readings WHERE heat > 20.5;\n",
		"wrong.sql": readings("readings.jsonl") + "SELECT rom FROM readings;\n",
	} {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func readings(path string) string {
	return `CREATE TABLE readings (room STRING, heat DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND)
WITH ('connector' = 'filesystem', 'path' = '` + path + `', 'format' = 'json');
`
}

const perTenSeconds = "SELECT window_end, COUNT(*) AS n, MAX(heat) AS hottest FROM TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end"

// TestExitCodes calls the program in every way that is wrong, and in some that are right. Nothing goes to standard output with an error, and standard
// error says what is wrong.
func TestExitCodes(t *testing.T) {
	inFolder(t)
	for _, c := range []struct {
		about  string
		args   []string
		code   int
		stderr string // is part of it; "" means that it is empty
	}{
		{"no command", nil, exitUsage, "tidemark run"},
		{"an unknown command", []string{"walk"}, exitUsage, "error: there is no command 'walk'; tidemark help lists them\n"},
		{"an unknown flag", []string{"run", "--fast", "rooms.sql"}, exitUsage, "error: there is no flag --fast\ntidemark run -h lists the flags\n"},
		{"a misspelt flag", []string{"run", "--ouput", "csv", "rooms.sql"}, exitUsage, "error: there is no flag --ouput; did you mean --output?\n"},
		{"a misspelt flag with a value", []string{"generate", "nexmark", "-row=5"}, exitUsage, "error: there is no flag --row; did you mean --rows?\n"},
		{"a misspelt command", []string{"explian", "rooms.sql"}, exitUsage, "error: there is no command 'explian'; did you mean 'explain'?\n"},
		{"a flag behind the file", []string{"run", "rooms.sql", "--fast"}, exitUsage, "there is no flag --fast"},
		{"help of a command", []string{"run", "-h"}, exitOK, "Usage: tidemark run [flags] FILE … | -e SQL\n"},
		{"neither file nor -e", []string{"run"}, exitUsage, "error: give a file of SQL, or -e 'SELECT …'\n"},
		{"both", []string{"run", "-e", "SELECT 1", "rooms.sql"}, exitUsage, "error: give a file or -e, not both\n"},
		{"two files, of which one is not there", []string{"run", "rooms.sql", "none.sql"}, exitUsage, "error: open none.sql: no such file or directory\n"},
		{"a file that is not there", []string{"run", "none.sql"}, exitUsage, "error: open none.sql: no such file or directory\n"},
		{"a form of output that is not there", []string{"run", "--output", "xml", "rooms.sql"}, exitUsage, "error: --output is 'xml'; it can be table, jsonl or csv\n"},
		{"too many workers", []string{"run", "--parallelism", "257", "rooms.sql"}, exitUsage, "error: --parallelism must be from 0 to 256\n"},
		{"no number of workers", []string{"run", "--parallelism", "all", "rooms.sql"}, exitUsage, `invalid value "all" for flag -parallelism`},
		{"no SQL", []string{"run", "-e", "SELEKT 1"}, exitUsage, "  --> -e:1:1\n"},
		{"a wrong statement", []string{"run", "wrong.sql"}, exitUsage, "error: unknown column 'rom'\n  --> wrong.sql:3:8\n"},
		{"a wrong statement to explain", []string{"explain", "wrong.sql"}, exitUsage, "= did you mean 'room'?\n"},
		{"a table whose file is not there", []string{"run", "-e", readings("none.jsonl") + "SELECT * FROM readings"}, exitUsage, "error: no file or folder 'none.jsonl'\n  --> -e:2:35\n"},
		{"a bad row", []string{"run", "--quiet", "-e", readings("bad.jsonl") + strings.Replace(perTenSeconds, "'10'", "'60'", 1)},
			exitData, "error: bad.jsonl line 2: field 'heat': expected DOUBLE, found warm; "},
		{"a row without event time", []string{"run", "--quiet", "-e", readings("timeless.jsonl") + "SELECT ts FROM readings"}, exitData, "row 1 of timeless.jsonl, table 'readings', has no event time"},
		{"nothing to explain", []string{"explain"}, exitUsage, "error: give a file of SQL"},
		{"nothing to test", []string{"test"}, exitUsage, "error: name a script or a folder of scripts\n"},
		{"a test that is not there", []string{"test", "none.script"}, exitUsage, "none.script"},
		{"a filter that is none", []string{"test", "--filter", "(", "."}, exitUsage, "error: --filter takes a regular expression: "},
		{"a list of results", []string{"test", "--list", "--junit", "x.xml", "."}, exitUsage, "error: --list runs nothing"},
		{"a test with flags that contradict", []string{"test", "--update", "--variants", "."}, exitUsage, "error: --update takes the outputs"},
		{"nothing to generate", []string{"generate"}, exitUsage, "error: write: tidemark generate nexmark"},
		{"a generator that is not there", []string{"generate", "tpch"}, exitUsage, "error: write: tidemark generate nexmark"},
		{"a table that is not generated", []string{"generate", "nexmark", "--table", "cars"}, exitUsage, "expected bids, auctions or people"},
		{"too few rows", []string{"generate", "nexmark", "--rows", "-1"}, exitUsage, "error: rows must be between 0 and"},
		{"no keys", []string{"generate", "nexmark", "--keys", "0"}, exitUsage, "error: --keys and --rate must be positive\n"},
		{"rows from the future", []string{"generate", "nexmark", "--jitter", "-1s"}, exitUsage, "error: --jitter must not be negative: -1s\n"},
		{"the version as a flag", []string{"--version"}, exitOK, ""},
		{"a version of something", []string{"version", "2"}, exitUsage, "error: version takes no arguments\n"},
		{"the version", []string{"version"}, exitOK, ""},
		{"a script without statements", []string{"run", "-e", "-- nothing"}, exitOK, ""},
		{"no summary", []string{"run", "--quiet", "rooms.sql"}, exitOK, ""},
	} {
		t.Run(c.about, func(t *testing.T) {
			code, stdout, stderr := run(c.args...)
			if code != c.code {
				t.Errorf("exits with %d, want %d\n%s", code, c.code, stderr)
			}
			if !strings.Contains(stderr, c.stderr) || c.stderr == "" && stderr != "" {
				t.Errorf("standard error is\n%s\nwant\n%s", stderr, c.stderr)
			}
			if code != exitOK && stdout != "" {
				t.Errorf("standard output is\n%s", stdout)
			}
			if n := strings.Count(stderr, "error: "); code != exitOK && len(c.args) > 0 && n != 1 {
				t.Errorf("says %d times that something is wrong:\n%s", n, stderr)
			}
		})
	}
}

// TestHelp goes to standard output when it was asked for, and names every command and exit code.
func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"-h"}, {"--help"}} {
		code, stdout, stderr := run(args...)
		if code != exitOK || stderr != "" {
			t.Errorf("%v exits with %d and says %q", args, code, stderr)
		}
		for _, v := range verbs() {
			if !strings.Contains(stdout, "tidemark "+v.name) {
				t.Errorf("%v does not name %s:\n%s", args, v.name, stdout)
			}
		}
		for _, part := range []string{"0 done", "1 a bug", "2 a wrong", "3 a bad row", "4 something outside", "5 disk", "6 a test", "130 interrupted"} {
			if !strings.Contains(stdout, part) {
				t.Errorf("%v does not tell of exit code %q:\n%s", args, part, stdout)
			}
		}
	}
}

// TestOutput writes one result in every form.
func TestOutput(t *testing.T) {
	inFolder(t)
	const asLines = `{"op":"+I","window_end":"2026-01-01T00:00:10.000","n":3,"hottest":22.25}
{"op":"+I","window_end":"2026-01-01T00:00:20.000","n":1,"hottest":null}
`
	for _, c := range []struct{ form, want string }{
		{"jsonl", asLines},
		{"auto", asLines},
		{"csv", `op,window_end,n,hottest
+I,2026-01-01 00:00:10.000,3,22.25
+I,2026-01-01 00:00:20.000,1,
`},
		{"table", `┌────┬─────────────────────────┬──────────┬──────────┐
│ op │ window_end              │        n │  hottest │
├────┼─────────────────────────┼──────────┼──────────┤
│ +I │ 2026-01-01 00:00:10.000 │        3 │    22.25 │
│ +I │ 2026-01-01 00:00:20.000 │        1 │     NULL │
└────┴─────────────────────────┴──────────┴──────────┘
`},
	} {
		t.Run(c.form, func(t *testing.T) {
			code, stdout, stderr := run("run", "--output", c.form, "-e", readings("readings.jsonl")+perTenSeconds)
			if code != exitOK || stdout != c.want {
				t.Errorf("exits with %d, and\n%s\nwant\n%s\n%s", code, stdout, c.want, stderr)
			}
		})
	}
}

// TestSummary tells what became of the rows.
func TestSummary(t *testing.T) {
	inFolder(t)
	_, _, stderr := run("run", "-e", readings("readings.jsonl")+perTenSeconds)
	for _, want := range []string{"4 rows in, 2 rows out in ", "\n  readings: no row late at the source\n", "\n  readings: watermark 2026-01-01 00:00:11.000, then the end of the input\n"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("got\n%s\nwant in it\n%s", stderr, want)
		}
	}
}

// TestStatementsInOrder runs a script of several statements; what they print and write comes in their order.
func TestStatementsInOrder(t *testing.T) {
	inFolder(t)
	code, stdout, stderr := run("run", "--quiet", "-e", readings("readings.jsonl")+`
CREATE TABLE warm (room STRING, heat DOUBLE) WITH ('connector' = 'print');
SHOW TABLES;
INSERT INTO warm SELECT room, heat FROM readings WHERE heat > 21;
EXPLAIN SELECT 1 AS x;
SELECT 2 AS y;
`)
	const want = `{"table name":"readings"}
{"table name":"warm"}
+I[a, 22.25]
Result
└─ Project [1 AS x]
   └─ Values [1 row]
{"op":"+I","y":2}
`
	if code != exitOK || stdout != want {
		t.Errorf("exits with %d, and\n%s\nwant\n%s\n%s", code, stdout, want, stderr)
	}
}

// TestFilesInOrder runs the statements of several files in one session; the last one is a pipeline.
func TestFilesInOrder(t *testing.T) {
	inFolder(t)
	for name, body := range map[string]string{
		"tables.sql": readings("readings.jsonl") + "CREATE TABLE warm (room STRING, heat DOUBLE) WITH ('connector' = 'print');",
		"warm.yaml": `computations:
  read:
    computation_class_name: TSwiftPassthroughOrderedSourceComputation
    source_streams: {queue: {source_class_name: TQueueSource, parameters: {queue_path: readings}}}
    output_stream_ids: [heats]
  warm:
    computation_class_name: TSqlComputation
    processing_function_parameters: {query: 'SELECT room, heat FROM heats WHERE heat > 21'}
    input_stream_ids: [heats]
    output_stream_ids: [warm]
    sinks: {out: {sink_class_name: TQueueSink, input_stream_ids: [warm], parameters: {queue_path: warm}}}
streams:
  heats: {schema: [{name: room, type: string}, {name: heat, type: double}]}
  warm: {schema: [{name: room, type: string}, {name: heat, type: double}]}
`,
	} {
		if err := os.WriteFile(name, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	code, stdout, stderr := run("run", "--quiet", "tables.sql", "warm.yaml")
	if want := "+I[a, 22.25]\n"; code != exitOK || stdout != want {
		t.Errorf("exits with %d, and\n%s\nwant\n%s\n%s", code, stdout, want, stderr)
	}
}

// TestListings writes what SHOW and DESCRIBE give in each form; they are no changelog and have no op.
func TestListings(t *testing.T) {
	const ddl = "CREATE TABLE t (id INT PRIMARY KEY NOT ENFORCED, text STRING) WITH ('connector' = 'print', 'print-identifier' = 'a name that is longer than a cell of a result'); "
	for _, c := range []struct{ form, statement, want string }{
		{"jsonl", "DESCRIBE t", `{"Column Name":"id","Data Type":"INT","Nullable":"NOT NULL","Extras":"PRIMARY KEY"}
{"Column Name":"text","Data Type":"STRING","Nullable":"NULL","Extras":""}
`},
		{"csv", "DESCRIBE t", `Column Name,Data Type,Nullable,Extras
id,INT,NOT NULL,PRIMARY KEY
text,STRING,NULL,""
`},
		{"table", "SHOW TABLES", `┌────────────┐
│ table name │
├────────────┤
│ t          │
└────────────┘
`},
		{"table", "SHOW CREATE TABLE t", "CREATE TABLE `default_catalog`.`default_database`.`t` (\n  `id` INT NOT NULL,\n  `text` STRING,\n  CONSTRAINT `PK_id` PRIMARY KEY (`id`) NOT ENFORCED" + `
)
WITH (
  'connector' = 'print',
  'print-identifier' = 'a name that is longer than a cell of a result'
)
`},
	} {
		code, stdout, stderr := run("run", "--quiet", "--output", c.form, "-e", ddl+c.statement)
		if code != exitOK || stdout != c.want {
			t.Errorf("%s as %s exits with %d, and\n%s\nwant\n%s\n%s", c.statement, c.form, code, stdout, c.want, stderr)
		}
	}
}

// TestStatementSet writes the rows of several INSERTs by one job, with one summary.
func TestStatementSet(t *testing.T) {
	inFolder(t)
	code, stdout, stderr := run("run", "-e", readings("readings.jsonl")+`
CREATE TABLE warm (room STRING) WITH ('connector' = 'print', 'print-identifier' = 'warm');
CREATE TABLE cold (room STRING) WITH ('connector' = 'print', 'print-identifier' = 'cold');
EXECUTE STATEMENT SET BEGIN
  INSERT INTO warm SELECT room FROM readings WHERE heat > 21;
  INSERT INTO cold SELECT room FROM readings WHERE heat <= 21;
END;
`)
	if code != exitOK || strings.Count(stdout, "warm> ") != 1 || strings.Count(stdout, "cold> ") != 2 || strings.Count(stderr, " rows in, ") != 1 {
		t.Errorf("exits with %d, and\n%s\n%s", code, stdout, stderr)
	}
}

// TestStopsAtTheFirstError runs what stands before a wrong statement and nothing behind it.
func TestStopsAtTheFirstError(t *testing.T) {
	code, stdout, stderr := run("run", "--quiet", "-e", "SELECT 1 AS x; SELECT nothing; SELECT 3 AS z")
	if want := "{\"op\":\"+I\",\"x\":1}\n"; code != exitUsage || stdout != want {
		t.Errorf("exits with %d, and\n%s\nwant\n%s\n%s", code, stdout, want, stderr)
	}
}

// TestExplain prints plans and runs nothing: the file of the table need not be there.
func TestExplain(t *testing.T) {
	code, stdout, stderr := run("explain", "-e", readings("none.jsonl")+"SELECT room FROM readings; SELECT 1 AS x")
	const want = `Result
└─ Project [room]
   └─ Scan readings [room]

Table readings
  watermark for ts: ts - INTERVAL '5' SECOND
    emit               on-event                     (replay of a bounded input)
    idle-timeout       0                            (replay of a bounded input)
    null time          FAIL                         (profile confluent)

Watermarks
  Project: watermarks and late rows pass
Result
└─ Project [1 AS x]
   └─ Values [1 row]
`
	if code != exitOK || stdout != want {
		t.Errorf("exits with %d, and\n%s\nwant\n%s\n%s", code, stdout, want, stderr)
	}
}

// TestGenerate writes the same bytes for the same flags, as many rows as asked for, and reads back.
func TestGenerate(t *testing.T) {
	inFolder(t)
	generate := func(args ...string) string {
		code, stdout, stderr := run(append([]string{"generate", "nexmark"}, args...)...)
		if code != exitOK || stderr != "" {
			t.Fatalf("%v exits with %d\n%s", args, code, stderr)
		}
		return stdout
	}
	bids := generate("--rows", "100")
	if n := strings.Count(bids, "\n"); n != 100 {
		t.Errorf("wrote %d rows, want 100", n)
	}
	if generate("--rows", "100", "--seed", "1") != bids || generate("--rows", "100", "--seed", "2") == bids {
		t.Error("the seed does not decide")
	}
	for _, table := range []string{"auctions", "people"} {
		if rows := generate("--rows", "100", "--table", table); strings.Count(rows, "\n") != 100 || rows == bids {
			t.Errorf("%s are wrong:\n%s", table, rows)
		}
	}
	if err := os.WriteFile("bids.jsonl", []byte(bids), 0o644); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := run("run", "--quiet", "-e", "CREATE TABLE bids (auction BIGINT NOT NULL, price BIGINT) WITH ('connector' = 'filesystem', 'path' = 'bids.jsonl', 'format' = 'json', 'json.fail-on-missing-field' = 'true'); SELECT auction, price FROM bids")
	if code != exitOK || strings.Count(stdout, "\n") != 100 {
		t.Errorf("reading them back exits with %d, and\n%s%s", code, stdout, stderr)
	}
}

// TestScripts runs test scripts that pass and that do not.
func TestScripts(t *testing.T) {
	const right = `
sql
CREATE TABLE t (a INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script');
SELECT a FROM t WHERE a > 1
----

rows t
1 00:00:00
2 00:00:01
----
+I 2
`
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{"right.script": right, "wrong.script": strings.Replace(right, "+I 2", "+I 3", 1)} {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"test", "right.script"}, exitOK},
		{[]string{"test", "--variants", "right.script"}, exitOK},
		{[]string{"test", "wrong.script"}, exitFailed},
		{[]string{"test", filepath.Dir("right.script")}, exitFailed},
		{[]string{"test", "--update", "wrong.script"}, exitOK},
		{[]string{"test", "."}, exitOK},
		{[]string{"test", "--list", "."}, exitOK},
		{[]string{"test", "--filter", "right", "--junit", "results.xml", "."}, exitOK},
		{[]string{"test", "--junit", "none/results.xml", "."}, exitExternal},
	} {
		if code, stdout, stderr := run(c.args...); code != c.code || stdout == "" {
			t.Errorf("%v exits with %d, want %d\n%s%s", c.args, code, c.code, stdout, stderr)
		}
	}
	if results, err := os.ReadFile("results.xml"); err != nil || !strings.Contains(string(results), `<testsuites name="tidemark test" tests="2" failures="0" errors="0"`) {
		t.Errorf("the report is\n%s%v", results, err)
	}
}
