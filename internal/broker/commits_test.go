package broker_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestKilledWhileItCommits: a transaction that a broker was asked to commit is committed everywhere, offsets of groups included, wherever in between it was killed.
func TestKilledWhileItCommits(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	b, _, err := openFolder(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Admin(t).CreateTopic(ctx, 2, -1, nil, "t"); err != nil {
		t.Fatal(err)
	}
	c := b.Client(t, kgo.TransactionalID("x"))
	id, epoch, err := c.ProducerID(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.BeginTransaction(); err != nil {
		t.Fatal(err)
	}
	if err := c.ProduceSync(ctx, &kgo.Record{Topic: "t", Value: []byte("a")}, &kgo.Record{Topic: "t", Partition: 1, Value: []byte("b")}).FirstErr(); err != nil {
		t.Fatal(err)
	}
	topics, err := b.Admin(t).ListTopics(ctx, "t")
	if err != nil {
		t.Fatal(err)
	}
	commit := kmsg.NewPtrTxnOffsetCommitRequest()
	commit.TransactionalID, commit.ProducerID, commit.ProducerEpoch, commit.Group = "x", id, epoch, "g"
	topic := kmsg.NewTxnOffsetCommitRequestTopic()
	topic.Topic, topic.TopicID = "t", topics["t"].ID
	partition := kmsg.NewTxnOffsetCommitRequestTopicPartition()
	partition.Offset = 42
	topic.Partitions = append(topic.Partitions, partition)
	commit.Topics = append(commit.Topics, topic)
	if answer, err := commit.RequestWith(ctx, c); err != nil || answer.Topics[0].Partitions[0].ErrorCode != 0 {
		t.Fatalf("%+v, %v", answer, err)
	}
	before := copyFolder(t, dir)
	if err := c.EndTransaction(ctx, kgo.TryCommit); err != nil {
		t.Fatal(err)
	}
	after := copyFolder(t, dir)
	b.Embedded.Close()

	// What of the files was written when the broker was killed; what is not named is as before.
	for _, written := range [][]string{{}, {"commit.json"}, {"commit.json", "partitions/t-0"}, {"commit.json", "partitions/t-0", "partitions/t-1"},
		{"commit.json", "partitions/t-0", "partitions/t-1", "groups.log"}, {"commit.json", "partitions/t-0", "partitions/t-1", "groups.log", "pids.log"}} {
		killed := copyFolder(t, before)
		for _, name := range written {
			from, to := filepath.Join(after, name), filepath.Join(killed, name)
			if err := os.RemoveAll(to); err != nil {
				t.Fatal(err)
			}
			if i, err := os.Stat(from); err != nil {
				t.Fatal(err)
			} else if i.IsDir() {
				err = os.CopyFS(to, os.DirFS(from))
				if err != nil {
					t.Fatal(err)
				}
				continue
			}
			raw, err := os.ReadFile(from)
			if err == nil {
				err = os.WriteFile(to, raw, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		for range 2 { // and killed again at once
			b, _, err := openFolder(t, killed)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			offset := int64(-1)
			if len(written) > 0 {
				want, offset = []string{"a", "b"}, 42
			}
			var got []string
			for _, r := range b.Committed(t, "t") {
				got = append(got, string(r.Value))
			}
			if !slices.Equal(got, want) {
				t.Errorf("killed when %q was written: %q is committed, want %q", written, got, want)
			}
			at := int64(-1)
			if offsets, err := b.Admin(t).FetchOffsets(ctx, "g"); err == nil {
				if o, ok := offsets.Lookup("t", 0); ok {
					at = o.At
				}
			}
			if at != offset {
				t.Errorf("killed when %q was written: group g is at %d, want %d", written, at, offset)
			}
			end := kmsg.NewPtrEndTxnRequest()
			end.TransactionalID, end.ProducerID, end.ProducerEpoch, end.Commit = "x", id, epoch, true
			// kfake forgets how a transaction ended when it begins the next: who asks then has to look at the group.
			forgotten := slices.Contains(written, "pids.log")
			if answer, err := end.RequestWith(ctx, b.Client(t)); err != nil || !forgotten && (answer.ErrorCode == 0) != (len(written) > 0) {
				t.Errorf("killed when %q was written: asked to commit once more the broker answers %d, %v", written, answer.ErrorCode, err)
			}
			next := copyFolder(t, killed)
			b.Embedded.Close()
			killed = next
		}
	}
}
