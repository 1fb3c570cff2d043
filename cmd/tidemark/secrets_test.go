package main

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/secret"
)

// secretOptions are the options of a connector that are secrets, with what else a table with one of them needs.
func secretOptions(t *testing.T, c connector.Connector) map[string]string {
	sounds := regexp.MustCompile(`(?i)password|\ba token|private key`)
	found := map[string]string{}
	for _, s := range c.Specs {
		if s.NotYet != "" || s.Values != nil {
			continue
		}
		if sounds.MatchString(s.Doc) && !secret.Key(s.Key) && !strings.HasSuffix(s.Key, "keystore.location") {
			t.Errorf("%s: '%s' sounds like a secret and is shown", c.Name, s.Key)
		}
		if !secret.Key(s.Key) {
			continue
		}
		rest := ""
		for _, format := range []string{"avro-confluent", "avro-registry", "json-registry"} {
			if before, _, ok := strings.Cut(s.Key, format+"."); ok {
				rest = fmt.Sprintf(", '%sformat' = '%s', '%s%s.url' = 'http://127.0.0.1:1'", before, format, before, format)
				if before == "key." {
					rest += ", 'value.format' = 'json'"
					if c.Name == "kafka" {
						rest += ", 'key.fields' = 'id'"
					}
				}
				if before == "value." && c.Name == "upsert-kafka" {
					rest += ", 'key.format' = 'json'"
				}
			}
		}
		if rest == "" {
			rest = map[string]string{"kafka": ", 'format' = 'json'", "upsert-kafka": ", 'key.format' = 'json', 'value.format' = 'json'"}[c.Name]
		}
		found[s.Key] = rest
	}
	return found
}

// TestSecrets: no value of an option that is a secret is shown by a statement about the table, by an error, by a plan or by a summary.
func TestSecrets(t *testing.T) {
	const value = "me:hunter2 x"
	tested := 0
	for _, c := range (&brokers{}).connectors() {
		base := map[string]string{
			"kafka":        "'topic' = 't', 'properties.bootstrap.servers' = '127.0.0.1:1', 'scan.startup.mode' = 'earliest-offset', ",
			"upsert-kafka": "'topic' = 't', 'properties.bootstrap.servers' = '127.0.0.1:1', ",
		}[c.Name]
		for key, rest := range secretOptions(t, c) {
			option := fmt.Sprintf("'%s' = '%s'", key, value)
			create := fmt.Sprintf("CREATE TABLE t (id BIGINT NOT NULL, PRIMARY KEY (id) NOT ENFORCED) WITH (%s'connector' = '%s', %s%s); ", base, c.Name, option, rest)
			if c.Name == "kafka" {
				create = strings.Replace(create, " NOT NULL, PRIMARY KEY (id) NOT ENFORCED", "", 1)
			}
			for _, statement := range []string{
				"SHOW CREATE TABLE t", "DESCRIBE EXTENDED t", "EXPLAIN SELECT * FROM t", "EXPLAIN CHANGELOG_MODE, PLAN_ADVICE SELECT * FROM t", "SELECT * FROM INFORMATION_SCHEMA.TABLE_OPTIONS",
				"CREATE VIEW v AS SELECT * FROM t /*+ OPTIONS(" + option + ") */; SHOW CREATE VIEW v", "CREATE VIEW v AS SELECT * FROM t /*+ OPTIONS(" + option + ") */; SELECT * FROM INFORMATION_SCHEMA.VIEWS",
				"CREATE TABLE u LIKE t; SHOW CREATE TABLE u", "ALTER TABLE t SET (" + option + "); SHOW CREATE TABLE t",
			} {
				got, code := runSQL(t, create+statement, "--data-dir", t.TempDir())
				if strings.Contains(got, "hunter2") || code != exitOK {
					t.Errorf("%s %s: %s: %d %s", c.Name, key, statement, code, got)
				}
			}
			for _, wrong := range []string{
				create[:len(create)-len("); ")] + ", 'no' = 'such')", "CREATE TABLE t (id BIGINT) WITH (" + option + ", 'connector' = 'nothing')", create + "SELECT nothing FROM t /*+ OPTIONS(" + option + ") */",
				"SET " + option, "CREATE TABLE t (id BIGINT) WITH (" + option + " oops", "CREATE TABLE t (id BIGINT) WITH ('connector' = 'kafka', " + strings.TrimSuffix(option, "'"),
			} {
				got, code := runSQL(t, wrong)
				if strings.Contains(got, "hunter2") || code == exitOK {
					t.Errorf("%s %s: %s: %d %s", c.Name, key, wrong, code, got)
				}
				var out, errs bytes.Buffer
				dispatch(context.Background(), []string{"check", "-e", wrong}, &out, &errs)
				if all := out.String() + errs.String(); strings.Contains(all, "hunter2") {
					t.Errorf("check: %s %s: %s: %s", c.Name, key, wrong, all)
				}
			}
			tested++
		}
	}
	if tested < 10 {
		t.Errorf("only %d options", tested)
	}
}
