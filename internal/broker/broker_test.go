package broker_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/broker"
	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// readAll reads n records of a topic, or fails after a minute without one.
func readAll(t *testing.T, b brokertest.Target, topic string, n int) []*kgo.Record {
	t.Helper()
	c := b.Client(t, kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	var got []*kgo.Record
	for len(got) < n {
		ctx, done := context.WithTimeout(context.Background(), time.Minute)
		f := c.PollFetches(ctx)
		done()
		if err := f.Err(); err != nil {
			t.Fatalf("%d records of %d: %v", len(got), n, err)
		}
		got = append(got, f.Records()...)
	}
	return got
}

func record(topic string, at time.Time) *kgo.Record {
	return &kgo.Record{Topic: topic, Value: []byte("v"), Timestamp: at}
}

func TestFolderKeepsTopics(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	for i := range 3 {
		b, err := broker.Start(broker.Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		target := brokertest.Target{Addr: b.Addr(), Embedded: b}
		if i == 0 {
			if _, err := target.Admin(t).CreateTopic(context.Background(), 2, -1, nil, "kept"); err != nil {
				t.Fatal(err)
			}
		}
		target.Send(t, false, &kgo.Record{Topic: "kept", Value: fmt.Append(nil, i)})
		var got []string
		for _, r := range readAll(t, target, "kept", i+1) {
			got = append(got, string(r.Value))
		}
		if want := strings.Split("0,1,2", ",")[:i+1]; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("start %d: %v, want %v", i, got, want)
		}
		if _, err := broker.Start(broker.Options{Dir: dir}); fault.Of(err) != fault.User {
			t.Errorf("a second broker with the folder: %v", err)
		}
		b.Close()
		b.Close()
	}
}

func TestAddresses(t *testing.T) {
	for _, bad := range []string{"9092", ":9092", "0.0.0.0:9092", "[::]:0"} {
		if _, err := broker.Start(broker.Options{Listen: bad}); fault.Of(err) != fault.User {
			t.Errorf("%s: %v", bad, err)
		}
	}
	b, err := broker.Start(broker.Options{Listen: "localhost:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if _, err := broker.Start(broker.Options{Listen: b.Addr()}); fault.Of(err) != fault.External {
		t.Errorf("an address in use: %v", err)
	}
}
