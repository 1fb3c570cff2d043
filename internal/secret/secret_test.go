package secret

import (
	"strings"
	"testing"
)

func TestShown(t *testing.T) {
	for _, c := range []struct{ option, want string }{
		{"properties.sasl.jaas.config", Hidden}, {"avro-confluent.basic-auth.user-info", Hidden}, {"value.json-registry.bearer-auth.token", Hidden},
		{"properties.ssl.keystore.key", Hidden}, {"PASSWORD", Hidden}, {"s3.secret-key", Hidden}, {"apikey", Hidden}, {"api-key", Hidden},
		{"properties.ssl.truststore.certificates", "v"}, {"key.format", "v"}, {"properties.sasl.mechanism", "v"}, {"avro-confluent.basic-auth.credentials-source", "v"},
		{"properties.ssl.keystore.certificate.chain", "v"},
	} {
		if got := Shown(c.option, "v"); got != c.want {
			t.Errorf("%s: %s", c.option, got)
		}
	}
	if got := Shown("password", ""); got != "" {
		t.Errorf("nothing is no secret: %q", got)
	}
}

func TestBlank(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"SELECT 1", "SELECT 1"},
		{"WITH ('a' = 'b', 'x.password' = 'p''w', 'c' = 'd')", "WITH ('a' = 'b', 'x.password' = '****', 'c' = 'd')"},
		{"-- don't\n('x.Password'='pw')", "-- don't\n('x.Password'='**')"},
		{"('sasl.jaas.config' =\n 'one\ntwo'\n)", "('sasl.jaas.config' =\n '***\n***'\n)"},
		{"SET 'token' = 'ü", "SET 'token' = '**"},
		{"('secret' = 'a', 'secret' = 'b')", "('secret' = '*', 'secret' = '*')"},
	} {
		if got := Blank(c.sql); got != c.want {
			t.Errorf("%s: got %s", c.sql, got)
		}
	}
}

// FuzzBlank: the text keeps its length, and what is not in quotes is as it was.
func FuzzBlank(f *testing.F) {
	f.Add("('x.password' = 'pw')")
	f.Add("('x.paſſword' = 'pw', 'to\u212aen' = 'T')")
	f.Fuzz(func(t *testing.T, sql string) {
		if assignment.MatchString(sql) && !Key(sql) {
			t.Errorf("there is a secret in %q, and it is passed over", sql)
		}
		got := Blank(sql)
		if len(got) != len(sql) || strings.Count(got, "\n") != strings.Count(sql, "\n") {
			t.Errorf("%q becomes %q", sql, got)
		}
	})
}

func BenchmarkBlank(b *testing.B) {
	sql := "INSERT INTO counted SELECT window_start, COUNT(*) FROM TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '5' SECOND) WHERE kind = 'none' GROUP BY window_start, window_end"
	for b.Loop() {
		Blank(sql)
	}
}
