package broker_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/broker"
	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
)

// asBroker in the environment makes of the test a broker whose folder it names.
const asBroker = "TIDEMARK_TEST_BROKER"

func TestMain(m *testing.M) {
	dir := os.Getenv(asBroker)
	if dir == "" {
		os.Exit(m.Run())
	}
	b, err := broker.Start(broker.Options{Dir: dir})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(b.Addr())
	select {}
}

// process starts a broker in a process of its own.
func process(t *testing.T, dir string) (b brokertest.Target, kill func()) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), asBroker+"="+dir)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	kill = func() { c.Process.Kill(); c.Wait() }
	t.Cleanup(kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return brokertest.Target{Addr: line[:len(line)-1]}, kill
}

// TestTopicsOfWritersSurviveKills: a topic that came to be because somebody wrote to it is there after a kill, with all records that were acknowledged.
func TestTopicsOfWritersSurviveKills(t *testing.T) {
	dir := t.TempDir()
	var want []string
	for i := range 3 {
		b, kill := process(t, dir)
		want = append(want, fmt.Sprint("topic", i))
		slices.Sort(want)
		writer := b.Client(t, kgo.AllowAutoTopicCreation())
		for _, name := range want {
			if err := writer.ProduceSync(context.Background(), &kgo.Record{Topic: name, Value: fmt.Append(nil, i)}).FirstErr(); err != nil {
				t.Fatal(err)
			}
		}
		kill()
	}
	b, notes, err := openFolder(t, dir)
	if err != nil || len(*notes) > 0 {
		t.Fatalf("%v, told %q", err, *notes)
	}
	topics, err := b.Admin(t).ListTopics(context.Background())
	if err != nil || !slices.Equal(topics.Names(), want) {
		t.Errorf("topics %v, want %v: %v", topics.Names(), want, err)
	}
	for i, name := range want {
		records := b.Records(t, name, 3-i)
		if len(records) != 3-i || string(records[0].Value) != fmt.Sprint(i) {
			t.Errorf("%s: %d records, the first is %q", name, len(records), records[0].Value)
		}
	}
}
