package kafka

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/broker"
	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

const (
	login      = `org.apache.kafka.common.security.plain.PlainLoginModule required username="tidemark" password="secret word";`
	wrongLogin = `org.apache.kafka.common.security.plain.PlainLoginModule required username="tidemark" password="other";`
)

// guarded is a broker that asks who one is, with TLS if authority is not empty.
type guarded struct {
	addr      string
	authority string // a PEM file
}

func guards(t *testing.T, tls bool, f func(t *testing.T, g guarded)) {
	t.Run("embedded", func(t *testing.T) {
		o := broker.Options{Users: map[string]string{"tidemark": "secret word"}}
		g := guarded{}
		if tls {
			config, authority := brokertest.TLS(t)
			o.TLS, g.authority = config, filepath.Join(t.TempDir(), "ca.pem")
			if err := os.WriteFile(g.authority, []byte(authority), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		b, err := broker.Start(o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(b.Close)
		g.addr = b.Addr()
		f(t, g)
	})
	t.Run("kafka", func(t *testing.T) {
		if tls {
			f(t, guarded{brokertest.Kafka(t, "TIDEMARK_KAFKA_TLS"), brokertest.Kafka(t, "TIDEMARK_KAFKA_CA")})
		} else {
			f(t, guarded{brokertest.Kafka(t, "TIDEMARK_KAFKA_SASL"), ""})
		}
	})
}

func (g guarded) options(topic, jaas string) connector.Options {
	o := connector.Options{"topic": topic, "properties.bootstrap.servers": g.addr, "format": "json", "scan.startup.mode": "earliest-offset", "scan.bounded.mode": "latest-offset",
		"properties.sasl.mechanism": "PLAIN", "properties.sasl.jaas.config": jaas, "properties.security.protocol": "SASL_PLAINTEXT"}
	if g.authority != "" {
		o["properties.security.protocol"] = "SASL_SSL"
		o["properties.ssl.truststore.type"] = "PEM"
		o["properties.ssl.truststore.location"] = g.authority
	}
	return o
}

// makeTopic makes a topic as a managed table would be made.
func (g guarded) makeTopic(t *testing.T, topic string) {
	t.Helper()
	c, err := readOptions(kindPlain, nil, columns(), g.options(topic, login))
	if err != nil {
		t.Fatal(err)
	}
	admin, err := managed{}.admin(c)
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close()
	if _, err := admin.CreateTopic(t.Context(), 1, -1, nil, topic); err != nil {
		t.Fatal(err)
	}
}

func TestLogin(t *testing.T) {
	for _, tls := range []bool{false, true} {
		guards(t, tls, func(t *testing.T, g guarded) {
			topic := fmt.Sprintf("login-%d-%t", os.Getpid(), tls)
			g.makeTopic(t, topic)
			table := columns()
			writeAll(t, sinkOf(t, Connector, table, g.options(topic, login)), batchOf(table, change{vector.Insert, 1, "a"}))
			wantRows(t, read(t, source(t, Connector, table, g.options(topic, login))).all(), []string{"+I 1 a"})

			s := source(t, Connector, table, g.options(topic, wrongLogin))
			if _, err := s.Open(); fault.Of(err) != fault.External || !strings.Contains(err.Error(), "SASL_AUTHENTICATION_FAILED") && !strings.Contains(err.Error(), "the login right?") {
				t.Errorf("a wrong password: %v", err)
			}
			s.Close()
			if !tls {
				return
			}
			o := g.options(topic, login)
			delete(o, "properties.ssl.truststore.location")
			s = source(t, Connector, table, o)
			if _, err := s.Open(); fault.Of(err) != fault.External || !strings.Contains(err.Error(), "certificate") {
				t.Errorf("a certificate that is not trusted: %v", err)
			}
			s.Close()
		})
	}
}
