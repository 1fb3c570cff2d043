package broker_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/tidemark-sql/tidemark/internal/broker"
	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/topicrule"
)

// openFolder opens a folder; notes is what is told meanwhile.
func openFolder(t *testing.T, dir string) (b brokertest.Target, notes *[]string, err error) {
	t.Helper()
	notes = &[]string{}
	e, err := broker.Start(broker.Options{Dir: dir, Note: func(line string) { *notes = append(*notes, line) }})
	if err != nil {
		return b, notes, err
	}
	t.Cleanup(e.Close)
	return brokertest.Target{Addr: e.Addr(), Embedded: e}, notes, nil
}

// copyFolder copies a folder, as a kill of its broker would leave it.
func copyFolder(t *testing.T, from string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

// filled is a folder with records 0 to 7 in one partition, in four batches, and an empty partition; killed is the same after a kill.
func filled(t *testing.T) (closed, killed string) {
	t.Helper()
	closed = t.TempDir()
	b, _, err := openFolder(t, closed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Admin(t).CreateTopic(context.Background(), 2, -1, nil, "t"); err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		b.Send(t, false, &kgo.Record{Topic: "t", Value: fmt.Append(nil, 2*i)}, &kgo.Record{Topic: "t", Value: fmt.Append(nil, 2*i+1)})
	}
	killed = copyFolder(t, closed)
	b.Embedded.Close()
	return closed, killed
}

// values are the records of partition 0, to its end.
func values(t *testing.T, b brokertest.Target) string {
	t.Helper()
	ends, err := b.Admin(t).ListCommittedOffsets(context.Background(), "t")
	if err != nil {
		t.Fatal(err)
	}
	end, ok := ends.Lookup("t", 0)
	if !ok || end.Err != nil {
		return fmt.Sprint("no partition: ", end.Err)
	}
	var got []string
	if end.Offset > 0 {
		c := b.Client(t, kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{"t": {0: kgo.NewOffset().AtStart()}}))
		for next := int64(0); next < end.Offset; {
			f := c.PollFetches(context.Background())
			if err := f.Err(); err != nil {
				t.Fatal(err)
			}
			for _, r := range f.Records() {
				got = append(got, string(r.Value))
				next = r.Offset + 1
			}
		}
	}
	return strings.Join(got, " ")
}

const all = "0 1 2 3 4 5 6 7"

// TestEveryFlippedByte: whichever byte of a folder changes, either all records are there or the folder is not opened, and the error names the file.
// After a kill that holds of segments and their indexes.
func TestEveryFlippedByte(t *testing.T) {
	closed, killed := filled(t)
	for _, dir := range []string{closed, killed} {
		sealed := dir == closed
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			name, _ := filepath.Rel(dir, path)
			if err != nil || !d.Type().IsRegular() || name == "lock" || !sealed && filepath.Ext(name) != ".dat" && filepath.Ext(name) != ".idx" {
				return err
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			damaged := copyFolder(t, dir)
			for at := range raw {
				bad := slices.Clone(raw)
				bad[at] ^= 1 << (at % 8)
				if err := os.WriteFile(filepath.Join(damaged, name), bad, 0o644); err != nil {
					return err
				}
				b, notes, err := openFolder(t, damaged)
				if err != nil { // and the folder is as it was
					if fault.Of(err) != fault.External || !strings.Contains(err.Error(), damaged) || !strings.Contains(err.Error(), filepath.Base(name)) {
						t.Errorf("%s byte %d: %v", name, at, err)
					}
					continue
				}
				ext := filepath.Ext(name)
				if got := values(t, b); got != all || ext != ".idx" && ext != ".dat" || sealed && ext == ".idx" && len(*notes) != 1 {
					t.Errorf("%s byte %d: records %q, told %q", name, at, got, *notes)
				}
				b.Embedded.Close()
				damaged = copyFolder(t, dir)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestCutAfterKill: what was not written whole is cut off, with a line that says so, and the folder goes on from there.
func TestCutAfterKill(t *testing.T) {
	closed, killed := filled(t)
	const file = "partitions/t-0/0.dat"
	raw, err := os.ReadFile(filepath.Join(killed, file))
	if err != nil {
		t.Fatal(err)
	}
	batch := len(raw) / 4
	for n := 2 * batch; n <= len(raw); n++ {
		dir := copyFolder(t, killed)
		if err := os.Truncate(filepath.Join(dir, file), int64(n)); err != nil {
			t.Fatal(err)
		}
		b, notes, err := openFolder(t, dir)
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		want := strings.TrimSpace(all[:min(n/batch*4, len(all))])
		told := n%batch == 0 && len(*notes) == 0 || len(*notes) == 1 && strings.Contains((*notes)[0], fmt.Sprintf("its %d bytes are cut off at byte %d", n%batch, n/batch*batch))
		if got := values(t, b); got != want || !told {
			t.Errorf("cut at %d: %q, told %q", n, got, *notes)
		}
		b.Send(t, false, &kgo.Record{Topic: "t", Value: []byte("new")})
		b.Embedded.Close()
		if b, notes, err = openFolder(t, dir); err != nil {
			t.Fatalf("cut at %d, again: %v", n, err)
		}
		if got := values(t, b); got != strings.TrimSpace(want+" new") || len(*notes) > 0 {
			t.Errorf("cut at %d, again: %q, told %q", n, got, *notes)
		}
		b.Embedded.Close()
	}
	// A folder that was closed in order has nothing to cut off.
	if err := os.Truncate(filepath.Join(closed, file), int64(len(raw)-1)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := openFolder(t, closed); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("closed and cut: %v", err)
	}
}

// TestLostFiles: a file that is gone is noticed, and no other file takes its place in silence.
func TestLostFiles(t *testing.T) {
	closed, killed := filled(t)
	for _, c := range []struct{ dir, file, message string }{
		{closed, "partitions/t-0/0.dat", "partitions/t-0/0.dat: it is gone"},
		{closed, "topics.json", "topics.json: it is gone"},
		{closed, "meta.json", "meta.json: it is gone"},
		{killed, "topics.json", "partitions/t-0: topics.json has no such partition"},
		{killed, "meta.json", "meta.json: it is missing"},
	} {
		dir := copyFolder(t, c.dir)
		if err := os.Remove(filepath.Join(dir, c.file)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := openFolder(t, dir); err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("without %s: %v", c.file, err)
		}
	}
}

// TestTransactionsInFolder: a transaction that is open, or given up, at the end is no damage.
func TestTransactionsInFolder(t *testing.T) {
	dir := t.TempDir()
	b, _, err := openFolder(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Admin(t).CreateTopic(context.Background(), 1, -1, nil, "t"); err != nil {
		t.Fatal(err)
	}
	for i, end := range []kgo.TransactionEndTry{kgo.TryCommit, kgo.TryAbort, kgo.TryCommit} {
		c := b.Client(t, kgo.TransactionalID(fmt.Sprint("x", i)))
		if err := c.BeginTransaction(); err != nil {
			t.Fatal(err)
		}
		if err := c.ProduceSync(context.Background(), &kgo.Record{Topic: "t", Value: fmt.Append(nil, i)}).FirstErr(); err != nil {
			t.Fatal(err)
		}
		if i == 2 {
			break // it stays open
		}
		if err := c.EndTransaction(context.Background(), end); err != nil {
			t.Fatal(err)
		}
	}
	killed := copyFolder(t, dir)
	b.Embedded.Close()
	for _, d := range []string{dir, killed} {
		if _, notes, err := openFolder(t, d); err != nil || len(*notes) > 0 {
			t.Errorf("%v, told %q", err, *notes)
		}
	}
}

// TestTransactionsAfterKills: what was open at a kill is given up for good, whoever writes with its transactional id afterwards, and what is committed then is there; again and again.
func TestTransactionsAfterKills(t *testing.T) {
	dir := t.TempDir()
	want := []string{}
	for i := range 3 {
		b, notes, err := openFolder(t, dir)
		if err != nil || len(*notes) > 0 {
			t.Fatalf("%v, told %q", err, *notes)
		}
		if i == 0 {
			if _, err := b.Admin(t).CreateTopic(context.Background(), 2, -1, nil, "t"); err != nil {
				t.Fatal(err)
			}
		}
		c := b.Client(t, kgo.TransactionalID("x"))
		write := func(value string) {
			if err := c.BeginTransaction(); err != nil {
				t.Fatal(err)
			}
			if err := c.ProduceSync(context.Background(), &kgo.Record{Topic: "t", Value: []byte(value)}, &kgo.Record{Topic: "t", Partition: 1, Value: []byte(value)}).FirstErr(); err != nil {
				t.Fatal(err)
			}
		}
		write(fmt.Sprint("committed ", i))
		if err := c.EndTransaction(context.Background(), kgo.TryCommit); err != nil {
			t.Fatal(err)
		}
		want = append(want, fmt.Sprint("committed ", i))
		for partition := range int32(2) {
			var got []string
			for _, r := range b.Committed(t, "t") {
				if r.Partition == partition {
					got = append(got, string(r.Value))
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("after %d kills partition %d has %q, want %q", i, partition, got, want)
			}
		}
		write(fmt.Sprint("open ", i))
		killed := copyFolder(t, dir)
		if i == 0 {
			// Whoever has not heard of the kill is refused: what he goes on with is half a transaction.
			again, _, err := openFolder(t, copyFolder(t, dir))
			if err != nil {
				t.Fatal(err)
			}
			id, epoch, err := c.ProducerID(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			end := kmsg.NewPtrEndTxnRequest()
			end.TransactionalID, end.ProducerID, end.ProducerEpoch, end.Commit = "x", id, epoch, true
			answer, err := end.RequestWith(context.Background(), again.Client(t))
			if err != nil {
				t.Fatal(err)
			}
			if answer.ErrorCode == 0 {
				t.Error("a transaction was committed that was open at a kill")
			}
		}
		b.Embedded.Close()
		dir = killed
	}
}

// TestCompactedFolder: gaps that compaction and deletion leave are no damage.
func TestCompactedFolder(t *testing.T) {
	dir := t.TempDir()
	b, _, err := openFolder(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	policy, size := "compact", "200"
	if _, err := b.Admin(t).CreateTopic(context.Background(), 1, -1, map[string]*string{"cleanup.policy": &policy, "segment.bytes": &size}, "t"); err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		b.Send(t, false, &kgo.Record{Topic: "t", Key: fmt.Append(nil, i%3), Value: fmt.Append(nil, i)})
	}
	b.Embedded.Compact()
	b.Delete(t, "t", 0, 38)
	killed := copyFolder(t, dir)
	want := values(t, b)
	b.Embedded.Close()
	for _, d := range []string{dir, killed} {
		b, notes, err := openFolder(t, d)
		if err != nil || len(*notes) > 0 {
			t.Fatalf("%v, told %q", err, *notes)
		}
		if got := values(t, b); d == dir && got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestNamesOfTopics: what Apache Kafka refuses is refused here, and so never gets into a folder.
func TestNamesOfTopics(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		admin := b.Admin(t)
		there := b.Topic(t, 1)
		long := strings.Repeat("x", topicrule.MaxName)
		for _, c := range []struct {
			name string
			n    int32
			want error
		}{
			{"a b", 1, kerr.InvalidTopicException}, {"a/b", 1, kerr.InvalidTopicException}, {"..", 1, kerr.InvalidTopicException}, {"größe", 1, kerr.InvalidTopicException},
			{long + "x", 1, kerr.InvalidTopicException}, {strings.Replace(there, "-", "_", 1) + ".", 1, nil}, {strings.Replace(there, "-", "_", 1) + "_", 1, kerr.InvalidTopicException},
			{there + "-many", topicrule.MaxPartitions + 1, kerr.InvalidPartitions},
		} {
			_, err := admin.CreateTopic(context.Background(), c.n, -1, nil, c.name)
			// Apache Kafka calls too many partitions a violation of its policy.
			if !errors.Is(err, c.want) && !(b.Embedded == nil && c.n > 1 && errors.Is(err, kerr.PolicyViolation)) {
				t.Errorf("%.30s with %d: %v", c.name, c.n, err)
			}
		}
		if b.Embedded == nil {
			return
		}
		if _, err := admin.CreateTopic(context.Background(), 1, -1, nil, long); err != nil {
			t.Errorf("the longest name: %v", err)
		}
		if r, err := admin.UpdatePartitions(context.Background(), topicrule.MaxPartitions+1, there); err != nil || !errors.Is(r.Error(), kerr.InvalidPartitions) {
			t.Errorf("more partitions: %v, %v", err, r.Error())
		}
	})
}

// TestNameThatRuinedFolders: a folder that has a topic with a name too long for a folder is opened without it.
func TestNameThatRuinedFolders(t *testing.T) {
	_, killed := filled(t)
	path := filepath.Join(killed, "topics.json")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	long := fmt.Sprintf(`"topics":[{"name":%q,"id":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16],"partitions":6,"replicas":1},`, strings.Repeat("y", 300))
	if err := os.WriteFile(path, []byte(strings.Replace(string(raw), `"topics":[`, long, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	b, notes, err := openFolder(t, killed)
	if err != nil || len(*notes) != 1 || !strings.Contains((*notes)[0], "300 characters") {
		t.Fatalf("%v, told %q", err, *notes)
	}
	if got := values(t, b); got != all {
		t.Errorf("%q", got)
	}
}

// TestFullDisk: the broker says that there is no room, and where. A segment that lies on a device that is always full stands for it.
func TestFullDisk(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	b, notes, err := openFolder(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Admin(t).CreateTopic(context.Background(), 1, -1, nil, "t"); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "partitions/t-0"), 0o755); err != nil {
		t.Fatal(err)
	}
	segment := filepath.Join(dir, "partitions/t-0/0.dat")
	if err := os.Symlink(full, segment); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		err = b.Client(t).ProduceSync(context.Background(), &kgo.Record{Topic: "t", Value: []byte("v")}).FirstErr()
		if !errors.Is(err, kerr.UnknownServerError) {
			t.Errorf("produce: %v", err)
		}
	}
	err = b.Embedded.Trouble()
	if fault.Of(err) != fault.Resource || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "no space left on device") {
		t.Errorf("trouble: %v", err)
	}
	if len(*notes) != 1 || (*notes)[0] != err.Error() {
		t.Errorf("told %q", *notes)
	}
	// There is room again: what comes then is written, and the folder is whole.
	if err := os.Remove(segment); err != nil {
		t.Fatal(err)
	}
	b.Send(t, false, &kgo.Record{Topic: "t", Value: []byte("later")})
	b.Embedded.Close()
	if b, _, err = openFolder(t, dir); err != nil {
		t.Fatal(err)
	}
	if got := values(t, b); got != "later" {
		t.Errorf("%q", got)
	}
}

// TestTopicsThatWritersMake: whoever writes to a topic that is not there makes it. What no topic can be called is refused, and so is what collides.
func TestTopicsThatWritersMake(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		there := strings.ReplaceAll(b.Topic(t, 1), "-", "_")
		writer := b.Client(t, kgo.AllowAutoTopicCreation())
		for _, c := range []struct {
			name string
			want error
		}{
			{there + "_new", nil}, {there + "_new", nil}, {"a/b", kerr.InvalidTopicException}, {strings.Repeat("x", 250), kerr.InvalidTopicException}, {there + ".new", kerr.InvalidTopicException},
		} {
			err := writer.ProduceSync(context.Background(), &kgo.Record{Topic: c.name, Value: []byte("v")}).FirstErr()
			// Apache Kafka goes on answering that a topic is not there that cannot be beside another one.
			if !errors.Is(err, c.want) && !(b.Embedded == nil && c.name == there+".new" && errors.Is(err, kerr.UnknownTopicOrPartition)) {
				t.Errorf("%.40s: %v, want %v", c.name, err, c.want)
			}
		}
		// Who only reads makes none.
		topics, err := b.Admin(t).ListTopics(context.Background(), there+"_read")
		if err != nil || !errors.Is(topics[there+"_read"].Err, kerr.UnknownTopicOrPartition) {
			t.Errorf("%v %v", topics, err)
		}
	})
}
