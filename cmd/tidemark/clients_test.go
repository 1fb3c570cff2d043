package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// mcp is a server of the Model Context Protocol that was started: the npm package mcp-confluent.
type mcp struct {
	t      *testing.T
	to     io.Writer
	from   *bufio.Scanner
	last   int
	errors *syncBuffer
}

// reply is an answer of it.
type reply struct {
	ID     int
	Result struct {
		IsError bool
		Content []struct{ Text string }
		Tools   []struct{ Name string }
	}
	Error *struct{ Message string }
}

func startMCP(t *testing.T, env ...string) *mcp {
	t.Helper()
	home := os.Getenv("TIDEMARK_MCP")
	if home == "" {
		t.Skip("there is no package mcp-confluent; .ci/clients brings it")
	}
	nodes, err := filepath.Glob(filepath.Join(home, "node_modules", "node-*", "bin", "node"))
	if err != nil || len(nodes) != 1 {
		t.Fatalf("Node.js is %q, %v", nodes, err)
	}
	hook, err := filepath.Abs("testdata/clients/without-kafka.mjs")
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(nodes[0], "--import", hook, filepath.Join(home, "node_modules/@confluentinc/mcp-confluent/dist/index.js"), "--config", "testdata/clients/mcp.yaml")
	c.Env = append(os.Environ(), append(env, "DO_NOT_TRACK=true")...)
	m := &mcp{t: t, errors: &syncBuffer{}}
	c.Stderr = m.errors
	to, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	from, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		to.Close()
		c.Process.Kill()
		c.Wait()
	})
	m.to, m.from = to, bufio.NewScanner(from)
	m.from.Buffer(nil, 16<<20)
	m.ask("initialize", map[string]any{"protocolVersion": "2025-03-26", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "test", "version": "1"}})
	m.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return m
}

func (m *mcp) send(message map[string]any) {
	m.t.Helper()
	text, err := json.Marshal(message)
	if err == nil {
		_, err = m.to.Write(append(text, '\n'))
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m *mcp) ask(method string, parameters map[string]any) reply {
	m.t.Helper()
	m.last++
	m.send(map[string]any{"jsonrpc": "2.0", "id": m.last, "method": method, "params": parameters})
	for m.from.Scan() {
		var r reply
		if err := json.Unmarshal(m.from.Bytes(), &r); err != nil {
			m.t.Fatalf("%v: %s", err, m.from.Bytes())
		}
		if r.ID == m.last {
			if r.Error != nil {
				m.t.Fatalf("%s: %s", method, r.Error.Message)
			}
			return r
		}
	}
	m.t.Fatalf("%s has no answer: %v\n%s", method, m.from.Err(), m.errors)
	return reply{}
}

// call calls a tool with names and values, and wants pieces of text in the answer.
func (m *mcp) call(tool string, arguments map[string]any, want ...string) string {
	m.t.Helper()
	r := m.ask("tools/call", map[string]any{"name": tool, "arguments": arguments})
	var text string
	for _, c := range r.Result.Content {
		text += c.Text
	}
	for _, w := range want {
		if !strings.Contains(text, w) {
			m.t.Errorf("%s %v: no %q in\n%s", tool, arguments, w, text)
		}
	}
	return text
}

// TestClientMCP has the npm package mcp-confluent, which an assistant calls tools of, do what it can do with statements, catalogs, metrics and profiles.
func TestClientMCP(t *testing.T) {
	file, name, secret := keyFile(t)
	s := startServer(t, "--data-dir", t.TempDir(), "--keys", file)
	defer s.stop(t)
	m := startMCP(t, "SERVER="+s.url, "KEY_NAME="+name, "KEY_SECRET="+secret)
	type is map[string]any
	create := func(name, sql string) {
		t.Helper()
		m.call("create-flink-statement", is{"statementName": name, "statement": sql}, `"name":"`+name+`"`, `"phase":"PENDING"`)
	}
	create("make", "CREATE TABLE clicks (id BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) DISTRIBUTED BY (id) INTO 1 BUCKETS")
	create("sink", "CREATE TABLE counts (w TIMESTAMP(3), n BIGINT)")
	create("count", "INSERT INTO counts SELECT window_start, COUNT(*) FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end")
	create("fill", "INSERT INTO clicks VALUES (1, TIMESTAMP '2026-01-01 00:00:00'), (2, TIMESTAMP '2026-01-01 00:05:00')")
	create("read", "SELECT id FROM clicks LIMIT 2")
	m.call("get-flink-statement-results", is{"statementName": "read"}, `{"op":0,"row":["1"]}`, `{"op":0,"row":["2"]}`)
	create("wrong", "SELECT nope FROM clicks")

	m.call("list-flink-catalogs", is{}, `"default_catalog"`)
	m.call("list-flink-databases", is{}, `"default_database"`)
	m.call("list-flink-tables", is{}, `"clicks"`, `"counts"`, `"BASE TABLE"`)
	m.call("describe-flink-table", is{"tableName": "clicks"}, `"TIMESTAMP(3)"`)
	m.call("get-flink-table-info", is{"tableName": "clicks"}, "\"`ts` - INTERVAL '1' SECOND\"")

	m.call("list-flink-statements", is{}, `"name":"count"`, `"total_size":6`) // what it made to look at catalogs is gone
	m.call("list-flink-statements", is{"statusPhase": "FAILED"}, "Found 1 statement(s)", `"name":"wrong"`)
	m.call("get-flink-statement-exceptions", is{"statementName": "wrong"}, "unknown column 'nope'")
	m.call("check-flink-statement-health", is{"statementName": "count"}, `"status": "healthy"`)
	m.call("check-flink-statement-health", is{"statementName": "wrong"}, `"status": "critical"`)
	m.call("detect-flink-statement-issues", is{"statementName": "wrong"}, "statement_failed")

	profile := func() string {
		return m.call("get-flink-statement-profile", is{"statementName": "count"}, "TUMBLE(size 10 s)", `"issueCount": 0`)
	}
	text := profile()
	for !strings.Contains(text, "busyPercent") || !strings.Contains(text, `"recordsIn": 2`) { // shares of time need two looks, five seconds apart
		<-time.After(500 * time.Millisecond)
		text = profile()
	}
	for _, want := range []string{`"idlePercent"`, `"backpressurePercent"`, `"stateBytes"`, `"inputWatermark": "2026-01-01T00:0`, `"pendingRecords"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	m.call("detect-flink-statement-issues", is{"statementName": "count"}, "Records in: 2")
	m.call("list-available-metrics", is{"resource_type": "flink_statement"}, "io.confluent.flink/split/watermark_idle_time_ms_per_second", "metric.flink_split", "resource.flink_statement.name")
	m.call("query-metrics", is{"metric": "io.confluent.flink/split/num_records_in", "filter": is{"resource.flink_statement.name": "count"}, "group_by": []string{"metric.flink_split"}},
		"metric.flink_split=clicks-0")
	m.call("query-metrics", is{"metric": "io.confluent.flink/statement_status", "filter": is{"resource.flink_statement.name": "count"}}, "Data Points: 1")

	m.call("delete-flink-statements", is{"statementName": "count"}, "202")
	for !strings.Contains(m.call("get-flink-statement-exceptions", is{"statementName": "count"}), "there is no statement 'count'") { // it takes a moment
		<-time.After(100 * time.Millisecond)
	}

	wrong := startMCP(t, "SERVER="+s.url, "KEY_NAME="+name, "KEY_SECRET=wrong")
	wrong.call("list-flink-statements", is{}, "an API key is needed")
}

// TestClientDBT has dbt build a project on a server, find later that it is as it should be, and build it anew.
func TestClientDBT(t *testing.T) {
	dbt := os.Getenv("TIDEMARK_DBT")
	if dbt == "" {
		t.Skip("there is no package dbt-confluent; .ci/clients brings it")
	}
	file, name, secret := keyFile(t)
	s := startServer(t, "--data-dir", t.TempDir(), "--keys", file)
	defer s.stop(t)
	project := filepath.Join(t.TempDir(), "project")
	if err := os.CopyFS(project, os.DirFS("testdata/clients/dbt")); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (string, error) {
		c := exec.Command(dbt, append(args, "--profiles-dir", ".", "--no-use-colors")...)
		c.Dir = project
		c.Env = append(os.Environ(), "DO_NOT_TRACK=1", "DBT_SEND_ANONYMOUS_USAGE_STATS=false", "SERVER="+s.url, "KEY_NAME="+name, "KEY_SECRET="+secret)
		out, err := c.CombinedOutput()
		return string(out), err
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"build"}, "PASS=6 WARN=0 ERROR=0 SKIP=0"}, // a source, a table, a view, a streaming table, a seed, a test
		{[]string{"run"}, "`evens_kept` already exists. Skipping"},
		{[]string{"run", "--full-refresh"}, "PASS=4 WARN=0 ERROR=0 SKIP=0"},
	} {
		if out, err := run(c.args...); err != nil || !strings.Contains(out, c.want) {
			t.Fatalf("dbt %s: %v\n%s\n%s", strings.Join(c.args, " "), err, out, s.errs)
		}
	}
}
