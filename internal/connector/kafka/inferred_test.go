package kafka

import (
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/topicrule"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// TestInferredSettings: a table that is inferred from the topic of a managed table says of it what that table says.
func TestInferredSettings(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		home := Managed(At(b.Addr))
		for _, o := range []connector.Options{
			{},
			{"kafka.cleanup-policy": "compact"},
			{"kafka.cleanup-policy": "delete-compact", "kafka.compaction.time": "3600000 ms"},
			{"kafka.retention.time": "604800000 ms", "kafka.retention.size": "1048576 bytes"},
			{"kafka.max-message-size": "4096 bytes", "kafka.message-timestamp-type": "LogAppendTime"},
		} {
			o["connector"], o["key.format"], o["value.format"] = ManagedName, "raw", "raw"
			table := connector.Table{
				Name:    strings.ReplaceAll(b.Topic(t, 1), "-", "_"),
				Schema:  types.Schema{{Name: "key", Type: types.BytesType}, {Name: "val", Type: types.BytesType}},
				Keys:    []int{0},
				Buckets: 3,
			}
			if _, err := home.Create(table, o); err != nil {
				t.Fatal(err)
			}
			found, err := home.Inferred.Describe([]string{table.Name})
			if err != nil || len(found) != 1 {
				t.Fatalf("%v: %v, %v", o, found, err)
			}
			got := found[0]
			if got.Name != table.Name || got.Buckets != 3 || !slices.Equal(got.Keys, table.Keys) || !slices.Equal(got.Schema, table.Schema) {
				t.Errorf("%+v", got.Table)
			}
			for key, v := range got.Options {
				if o[key] != v {
					t.Errorf("%v: '%s' = '%s'", o, key, v)
				}
				delete(o, key)
			}
			if len(o) > 0 {
				t.Errorf("lost: %v", o)
			}
			if err := home.Alter(got.Table, got.Table, got.Options, got.Options); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestInferredNames: topics whose names begin with '_' are for brokers and programs, and no tables; brokers are not asked for what no topic can be.
func TestInferredNames(t *testing.T) {
	b := brokertest.Start(t)
	home := Managed(At(b.Addr))
	table := columns()
	for _, name := range []string{"orders", "web.clicks", "_tidemark_watermarks", "__consumer_offsets"} {
		table.Name = name
		if _, err := home.Create(table, connector.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	names, err := home.Inferred.Names()
	if want := []string{"orders", "web.clicks"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("%v, %v", names, err)
	}
	found, err := home.Inferred.Describe([]string{"_tidemark_watermarks", "not-there", "a b", "orders"})
	if err != nil || len(found) != 1 || found[0].Name != "orders" {
		t.Errorf("%v, %v", found, err)
	}
	nowhere := Managed(At("127.0.0.1:1")).Inferred
	if found, err := nowhere.Describe([]string{"a b", "_x", "", "t$late"}); err != nil || found != nil {
		t.Errorf("%v, %v", found, err)
	}
}

// TestInferredFromWideTopic: a topic can have more partitions than it can be made with, and is read all the same.
func TestInferredFromWideTopic(t *testing.T) {
	home := Managed(At("127.0.0.1:1"))
	for _, n := range []int{topicrule.MaxPartitions, topicrule.MaxPartitions + 1} {
		table := inferredTable(kadm.ResourceConfig{Name: "wide"}, n)
		if _, err := home.NewSource(table.Table, table.Options); err != nil {
			t.Errorf("%d partitions: %v", n, err)
		}
	}
}

// TestNobodyToAsk: brokers that cannot be reached are an error that says where they should be.
func TestNobodyToAsk(t *testing.T) {
	_, err := Managed(At("127.0.0.1:1")).Inferred.Describe([]string{"orders"})
	if fault.Of(err) != fault.External || !strings.Contains(err.Error(), "ask for topic 'orders' of the brokers at 127.0.0.1:1") {
		t.Errorf("%v", err)
	}
}
