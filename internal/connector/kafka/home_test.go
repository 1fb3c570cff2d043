package kafka

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/broker"
	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/topicrule"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// TestTablesThatNoTopicCanBe: what a topic cannot be called or have is refused before brokers are asked.
func TestTablesThatNoTopicCanBe(t *testing.T) {
	home := Managed(At("127.0.0.1:1"))
	for _, c := range []struct {
		name    string
		buckets int
		message string
	}{
		{"a b", 0, "it has ' ' in it"}, {"größe", 1, "it has 'ö' in it"}, {strings.Repeat("x", 250), 1, "it has 250 characters, and 249 is the most"}, {"..", 1, "is taken by folders"},
		{"t", topicrule.MaxPartitions + 1, "10000 is the most"}, {"t", 1 << 30, "10000 is the most"},
	} {
		table := columns()
		table.Name, table.Buckets = c.name, c.buckets
		_, err := home.Create(table, connector.Options{})
		if o, ok := err.(*connector.OptionError); !ok || !strings.Contains(o.Message, c.message) || o.Hint == "" {
			t.Errorf("%.20s with %d: %v", c.name, c.buckets, err)
		}
	}
	for _, topic := range []string{"a b", "ok;größe", strings.Repeat("x", 250), ".."} {
		_, err := NewSource(columns(), connector.Options{"topic": topic, "properties.bootstrap.servers": "127.0.0.1:1", "format": "json", "scan.startup.mode": "earliest-offset"})
		if o, ok := err.(*connector.OptionError); !ok || o.Key != "topic" || !strings.Contains(o.Message, "no topic can have the name") {
			t.Errorf("%.20s: %v", topic, err)
		}
	}
}

// TestNamesThatCollide: the topic that is in the way is named.
func TestNamesThatCollide(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		first := strings.ReplaceAll(b.Topic(t, 1), "-", "_")
		table := columns()
		table.Name = first
		if _, err := Managed(At(b.Addr)).Create(table, connector.Options{}); err != nil {
			t.Fatal(err)
		}
		table.Name = strings.Replace(first, "_", ".", 1)
		_, err := Managed(At(b.Addr)).Create(table, connector.Options{})
		if o, ok := err.(*connector.OptionError); !ok || !strings.Contains(o.Message, "cannot be there beside '"+first+"'") {
			t.Errorf("%v", err)
		}
	})
}

// own is a broker of this process as a Home.
type own struct{ *broker.Broker }

func (o own) Address() (string, error) { return o.Addr(), nil }
func (o own) Empty() bool              { return false }
func (own) Ends() Ending               { return WithProcess }

// TestFullDisk: whoever writes to the broker of this process reads that its folder is full.
func TestFullDisk(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	b, err := broker.Start(broker.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	home := Managed(own{b})
	table := columns()
	table.Buckets = 1
	if _, err := home.Create(table, connector.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "partitions/t-0"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(full, filepath.Join(dir, "partitions/t-0/0.dat")); err != nil {
		t.Fatal(err)
	}
	s := sinkOf(t, home, table, connector.Options{})
	if err := s.Write(batchOf(table, change{vector.Insert, 1, "a"})); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); fault.Of(err) != fault.Resource || !strings.Contains(err.Error(), "write to topic 't'") || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "no space left on device") {
		t.Errorf("%v", err)
	}
}
