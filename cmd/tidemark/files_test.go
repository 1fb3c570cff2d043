package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// everyType is a table with columns of every type that a file can hold, and its rows.
const (
	everyType = `b BOOLEAN, ti TINYINT, si SMALLINT, i INT, l BIGINT, f FLOAT, d DOUBLE, s STRING, v VARCHAR(5), y BYTES, m DECIMAL(9, 2), w DECIMAL(38, 10), dt DATE, tm TIME(3),
  t3 TIMESTAMP(3), t6 TIMESTAMP(6), z3 TIMESTAMP_LTZ(3), z6 TIMESTAMP_LTZ(6), a ARRAY<STRING>, mp MAP<STRING, INT>, r ROW<x INT, y ARRAY<DOUBLE>>`
	everyRow = `SELECT TRUE, CAST(-1 AS TINYINT), CAST(300 AS SMALLINT), 70000, 5000000000, CAST(0.5 AS FLOAT), 2.25E0, 'zoë', 'ab', x'00ff', -12.34, CAST(12345678901234567890.5 AS DECIMAL(38, 10)),
  DATE '1969-12-31', TIME '23:59:59.999', TIMESTAMP '2026-01-01 00:00:00.123', TIMESTAMP '1900-01-01 00:00:00.123456', TO_TIMESTAMP_LTZ(-1, 3), CAST(TO_TIMESTAMP_LTZ(1, 3) AS TIMESTAMP_LTZ(6)),
  ARRAY['x', CAST(NULL AS STRING)], MAP['k', 1], ROW(7, ARRAY[1.5E0])`
	everyNull = `SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL`
)

// TestFilesOfEveryType: what INSERT writes SELECT reads, whatever the format.
func TestFilesOfEveryType(t *testing.T) {
	want := ""
	for _, with := range []string{
		"'format' = 'json'", "'format' = 'json', 'compress' = 'zstd'",
		"'format' = 'avro', 'avro.timestamp_mapping.legacy' = 'false'", "'format' = 'avro', 'avro.timestamp_mapping.legacy' = 'false', 'avro.codec' = 'zstandard'",
		"'format' = 'parquet'", "'format' = 'parquet', 'parquet.compression' = 'ZSTD'",
	} {
		folder := t.TempDir()
		table := fmt.Sprintf("CREATE TABLE t (%s) WITH ('connector' = 'filesystem', 'path' = '%s', %s); ", everyType, folder, with)
		if out, code := runSQL(t, table+"INSERT INTO t "+everyRow+" UNION ALL "+everyNull); code != exitOK {
			t.Fatalf("%s: %s", with, out)
		}
		got, code := runSQL(t, table+"SELECT * FROM t")
		if want == "" {
			want = got
		}
		if code != exitOK || got != want || strings.Count(got, "\n") != 3 {
			t.Errorf("%s:\n%swant\n%s", with, got, want)
		}
		if got, _ := runSQL(t, table+"SELECT s, l FROM t"); got != "op,s,l\n+I,zoë,5000000000\n+I,,\n" {
			t.Errorf("%s: %s", with, got)
		}
		if got, _ := runSQL(t, table+"SELECT COUNT(*) AS n FROM t /*+ OPTIONS('source.path.regex-pattern' = '.*part.*') */"); !strings.HasSuffix(got, ",2\n") {
			t.Errorf("%s: %s", with, got)
		}
	}
}

// TestContainers: folders and patterns of files that hold rows as a whole, some of them of other tables.
func TestContainers(t *testing.T) {
	for _, format := range []string{"avro", "parquet"} {
		folder := t.TempDir()
		table := func(path, columns string) string {
			return fmt.Sprintf("CREATE TABLE t (%s) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = '%s'); ", columns, filepath.Join(folder, path), format)
		}
		for _, c := range []struct{ sql, want string }{
			{table("2026-01", "id BIGINT, name STRING") + "INSERT INTO t VALUES (1, 'a'), (2, 'b')", ""},
			{table("2026-02", "price DOUBLE, id INT NOT NULL") + "INSERT INTO t VALUES (0.5, 3)", ""},
			{table("", "id BIGINT, name STRING, price DOUBLE") + "SELECT * FROM t", "op,id,name,price\n+I,1,a,\n+I,2,b,\n+I,3,,0.5\n"},
			{table("2026-0[1]", "id BIGINT") + "SELECT * FROM t", "op,id\n+I,1\n+I,2\n"},
			{table("*/part-*", "name STRING, file STRING METADATA FROM 'file.path' VIRTUAL") + "SELECT name, file LIKE '%2026-02%' AS february FROM t", "op,name,february\n+I,a,false\n+I,b,false\n+I,,true\n"},
			{table("2026-01", "id STRING") + "SELECT * FROM t", "error: read "},
			{table("2026-02", "price DOUBLE NOT NULL, more INT NOT NULL") + "SELECT * FROM t", "error: read "},
		} {
			got, code := runSQL(t, c.sql)
			if strings.HasPrefix(c.want, "error") {
				if !strings.Contains(got, c.want) || code != exitData {
					t.Errorf("%s\ngot %d %s", c.sql, code, got)
				}
			} else if got != c.want || code != exitOK {
				t.Errorf("%s\ngot %d %s", c.sql, code, got)
			}
		}
		if err := os.WriteFile(filepath.Join(folder, "README"), []byte("no such file\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, code := runSQL(t, table("", "id BIGINT")+"SELECT * FROM t"); code != exitData || !strings.Contains(got, "README") {
			t.Errorf("%s: %d %s", format, code, got)
		}
	}
}

// TestContainerOptions: what makes no sense for files that are whole or not is refused by name.
func TestContainerOptions(t *testing.T) {
	for _, c := range []struct{ with, want string }{
		{"'format' = 'avro', 'error-handling.mode' = 'ignore'", "'error-handling.mode' = 'ignore' is for records, and a file in format 'avro' is whole or it is not"},
		{"'format' = 'parquet', 'source.follow' = 'true'", "a file in format 'parquet' cannot be followed"},
		{"'format' = 'avro', 'compress' = 'gzip'", "a file in format 'avro' is not compressed as a whole"},
		{"'format' = 'avro', 'parquet.compression' = 'ZSTD'", "option 'parquet.compression' is for 'format' = 'parquet', and the table has 'avro'"},
		{"'format' = 'parquet', 'avro.codec' = 'null'", "option 'avro.codec' is for 'format' = 'avro', and the table has 'parquet'"},
		{"'format' = 'json', 'avro.codec' = 'null'", "option 'avro.codec' is for 'format' = 'avro', and the table has 'json'"},
		{"'format' = 'avro', 'avro.codec' = 'xz'", "option 'avro.codec' cannot be 'xz'"},
		{"'format' = 'avro', 'avro.encoding' = 'json'", "option 'avro.encoding' cannot be 'json'"},
		{"'format' = 'parquet', 'parquet.block.size' = '0'", "option 'parquet.block.size' is '0'"},
		{"'format' = 'avro-confluent'", "'avro-confluent'"},
	} {
		got, code := runSQL(t, "CREATE TABLE t (id INT) WITH ('connector' = 'filesystem', 'path' = 'x', "+c.with+"); SELECT * FROM t")
		if code != exitUsage || !strings.Contains(got, c.want) {
			t.Errorf("%s\ngot %d %s", c.with, code, got)
		}
	}
}

// TestFilesThatCannotBeRead: an error names the file, once.
func TestFilesThatCannotBeRead(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, format := range map[string]string{"a.parquet": "parquet", "a.avro": "avro", "a.json": "json", "b.json.gz": "json", "b.csv.zst": "csv"} {
		if err := os.WriteFile(name, []byte("\x1f\x8bneither"), 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, stderr := run("run", "--quiet", "-e", "CREATE TABLE t (a INT) WITH ('connector' = 'filesystem', 'path' = '"+name+"', 'format' = '"+format+"'); SELECT * FROM t")
		if code != exitData && code != exitExternal || strings.Count(stderr, name) != 1 || !strings.HasPrefix(stderr, "error: ") {
			t.Errorf("%s: %d %s", name, code, stderr)
		}
	}
}
