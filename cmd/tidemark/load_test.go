package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/client"
	"github.com/tidemark-sql/tidemark/internal/server/api"
)

// TestLoad has a server run many statements while many look at them and a browser shows the page, kills it and starts it again. There are 20 statements unless TIDEMARK_LOAD says how many, and they
// are looked at for 2 seconds unless TIDEMARK_LOAD_TIME says how long. Make load runs it with 200 and tells what that takes.
func TestLoad(t *testing.T) {
	l := &load{T: t, statements: 20, lasts: 2 * time.Second, phases: map[string]string{}, figures: figures{}}
	if n, err := strconv.Atoi(os.Getenv("TIDEMARK_LOAD")); err == nil {
		l.statements, l.large = n, true
	} else if testing.Short() {
		t.Skip("it starts a server with 20 statements")
	}
	if d, err := time.ParseDuration(os.Getenv("TIDEMARK_LOAD_TIME")); err == nil {
		l.lasts = d
	}
	s := startApart(t, t.TempDir())
	l.Client.URL, l.Client.Organization, l.Client.Environment = s.url, "load", "load"
	l.Client.HTTP.Transport = &http.Transport{MaxIdleConnsPerHost: 2 * l.statements}
	begun := time.Now()
	l.declare()
	l.fill()
	t.Logf("%d statements over %d partitions: made in %s", len(l.running), l.partitions(), time.Since(begun).Round(time.Millisecond))
	l.settle(nil)
	t.Logf("all of them in their phase after %s", time.Since(begun).Round(time.Millisecond))
	if l.large {
		l.idle(s)
	}
	l.look(s)
	t.Log(l.figures)
	was := l.now()

	s.kill(t)
	if l.large {
		l.age(s)
	}
	begun = time.Now()
	s = startApart(t, s.dir)
	t.Logf("killed and started again: it answers after %s", time.Since(begun).Round(time.Millisecond))
	l.Client.URL = s.url
	l.settle(func(name, phase string) string {
		if phase == "RUNNING" && strings.HasPrefix(name, "select-") {
			return "STOPPED" // what it told is gone
		}
		return phase
	})
	t.Logf("all of them in their phase after %s", time.Since(begun).Round(time.Millisecond))
	if now := l.now(); len(now) != len(was) {
		t.Errorf("there were %d statements, and %d after the kill", len(was), len(now))
	}
	l.everyRowOnce()
	if l.large {
		l.lasts /= 5
		l.figures = figures{}
		l.look(s)
		l.remembers()
	}
	begun = time.Now()
	s.stop(t)
	t.Logf("ended after %s", time.Since(begun).Round(time.Millisecond))
	t.Log(l.figures)
}

// apart is a server in a process of its own.
type apart struct {
	dir, url string
	command  *exec.Cmd
	out      *firstLine
	errs     *syncBuffer
}

// startApart starts a server over a folder. It is this program, or that at TIDEMARK_PROGRAM.
func startApart(t *testing.T, dir string, args ...string) *apart {
	t.Helper()
	program := os.Getenv("TIDEMARK_PROGRAM")
	if program == "" {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		program = self
	}
	s := &apart{dir: dir, out: &firstLine{come: make(chan struct{})}, errs: &syncBuffer{}}
	s.command = exec.Command(program, append([]string{"server", "--listen", "127.0.0.1:0", "--data-dir", dir}, args...)...)
	s.command.Env = append(os.Environ(), asProgram+"=1", "GODEBUG=gctrace=1")
	s.command.Stdout, s.command.Stderr = s.out, s.errs
	if err := s.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.command.Process.Kill() })
	select {
	case <-s.out.come:
	case <-time.After(time.Minute):
		t.Fatalf("the server does not start: %s", s.errs)
	}
	at := serverAt.FindStringSubmatch(s.out.String())
	if at == nil {
		t.Fatalf("the server says %q", s.out)
	}
	s.url = at[1]
	return s
}

func (s *apart) kill(t *testing.T) {
	t.Helper()
	if err := s.command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	s.command.Wait()
}

// stop ends the server in order.
func (s *apart) stop(t *testing.T) {
	t.Helper()
	if err := s.command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := s.command.Wait(); err != nil {
		t.Errorf("the server ends with %v: %s", err, s.errs)
	}
}

// load is what a server is given to do.
type load struct {
	*testing.T
	client.Client
	statements int
	large      bool
	lasts      time.Duration
	running    []string          // all statements but those that declare
	phases     map[string]string // in which each is to be

	mu sync.Mutex // guards figures
	figures
}

// The tables: the first has a quarter of the partitions, the last two are silent.
func (l *load) tables() int     { return max(4, l.statements/10) }
func (l *load) partitions() int { return 5 * l.statements }
func (l *load) partitionsOf(table int) int {
	wide, n := l.partitions()/4, l.tables()-1
	if table == 0 {
		return wide
	}
	return (l.partitions() - wide + table - 1) / n
}

func (l *load) make(name, phase, sql string, properties map[string]string) {
	l.Helper()
	begun := time.Now()
	if _, err := l.Create(l.Context(), name, sql, properties); err != nil {
		l.Fatalf("%s: %v", name, err)
	}
	l.took("create", time.Since(begun))
	l.phases[name] = phase
}

// rows is how many numbered rows there are, and perSecond how many of them come in a second.
func (l *load) rows() (rows, perSecond int) {
	if l.large {
		return int(l.lasts.Seconds()+60) * 20, 20
	}
	return 400, 100
}

// declare makes the tables.
func (l *load) declare() {
	l.Helper()
	for i := range l.tables() {
		l.make(fmt.Sprint("table-", i), "COMPLETED", fmt.Sprintf("CREATE TABLE clicks_%d (id BIGINT, n BIGINT, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) DISTRIBUTED BY (id) INTO %d BUCKETS WITH ('scan.watermark.idle-timeout' = '5 s')", i, l.partitionsOf(i)), nil)
	}
	rows, perSecond := l.rows()
	for name, sql := range map[string]string{
		"made":     "CREATE TABLE made (id BIGINT, n BIGINT, ts TIMESTAMP_LTZ(3)) WITH ('connector' = 'datagen', 'rows-per-second' = '20', 'fields.id.min' = '0', 'fields.id.max' = '999', 'fields.n.min' = '0', 'fields.n.max' = '99', 'fields.ts.max-past' = '2 s')",
		"counted":  "CREATE TABLE counted (w TIMESTAMP_LTZ(3), n BIGINT) DISTRIBUTED INTO 1 BUCKETS",
		"gone":     "CREATE TABLE gone (k BIGINT, n BIGINT) WITH ('connector' = 'blackhole')",
		"numbered": fmt.Sprintf("CREATE TABLE numbered (id BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '%d', 'fields.id.kind' = 'sequence', 'fields.id.start' = '1', 'fields.id.end' = '%d')", perSecond, rows),
		"first":    "CREATE TABLE first_copy (id BIGINT) DISTRIBUTED BY (id) INTO 4 BUCKETS",
		"second":   "CREATE TABLE second_copy (id BIGINT) DISTRIBUTED BY (id) INTO 4 BUCKETS",
	} {
		l.make("table-"+name, "COMPLETED", sql, nil)
	}
	l.settle(nil)
}

// kinds are the statements, in turn; %[1]s and %[2]s are tables with rows, %[3]s is a silent one.
var kinds = []struct{ name, phase, sql string }{
	{"tumble", "RUNNING", "INSERT INTO counted SELECT window_start, COUNT(*) FROM TUMBLE(TABLE %[1]s, DESCRIPTOR(ts), INTERVAL '5' SECOND) GROUP BY window_start, window_end"},
	{"tumble-keys", "RUNNING", "INSERT INTO gone SELECT id, SUM(n) FROM TUMBLE(TABLE %[1]s, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end, id"},
	{"hop", "RUNNING", "INSERT INTO gone SELECT id, COUNT(*) FROM HOP(TABLE %[1]s, DESCRIPTOR(ts), INTERVAL '2' SECOND, INTERVAL '10' SECOND) GROUP BY window_start, window_end, id"},
	{"join", "RUNNING", "INSERT INTO gone SELECT a.id, b.n FROM %[1]s a, %[2]s b WHERE a.id = b.id AND a.ts BETWEEN b.ts - INTERVAL '5' SECOND AND b.ts"},
	{"group", "RUNNING", "INSERT INTO gone SELECT id, COUNT(*) FROM %[1]s GROUP BY id"},
	{"copy", "RUNNING", "INSERT INTO counted SELECT ts, n FROM %[1]s WHERE n < 5"},
	{"select-windows", "RUNNING", "SELECT window_start, COUNT(*) AS n FROM TUMBLE(TABLE %[1]s, DESCRIPTOR(ts), INTERVAL '5' SECOND) GROUP BY window_start, window_end"},
	{"select-rows", "RUNNING", "SELECT id, n, ts FROM %[1]s WHERE n < 50"},
	{"fails", "FAILED", "INSERT INTO gone SELECT id, 1 / (n - n) FROM %[1]s"},
	{"silent", "RUNNING", "INSERT INTO gone SELECT 1, COUNT(*) FROM TUMBLE(TABLE %[3]s, DESCRIPTOR(ts), INTERVAL '5' SECOND) GROUP BY window_start, window_end"},
}

// fill makes the statements that run.
func (l *load) fill() {
	l.Helper()
	often := map[string]string{}
	if !l.large {
		often["execution.checkpointing.interval"] = "200 ms"
	}
	l.run("number", "", "INSERT INTO first_copy SELECT id FROM numbered", often)
	l.run("number-again", "RUNNING", "INSERT INTO second_copy SELECT id FROM first_copy", often)
	loud := l.tables() - 2
	for i := range loud {
		l.run(fmt.Sprint("feed-", i), "RUNNING", fmt.Sprintf("INSERT INTO clicks_%d SELECT * FROM made", i), often)
	}
	for i := 0; len(l.running) < l.statements; i++ {
		k, at := kinds[i%len(kinds)], i/len(kinds)+i
		table := func(n int) string { return fmt.Sprint("clicks_", n) }
		sql := fmt.Sprintf(k.sql+"%[4]s", table(at%loud), table((at+1)%loud), table(loud+at%2), "")
		l.run(fmt.Sprintf("%s-%d", k.name, i), k.phase, sql, nil)
	}
}

func (l *load) run(name, phase, sql string, properties map[string]string) {
	l.Helper()
	l.make(name, phase, sql, properties)
	l.running = append(l.running, name)
}

// now are the phases of all statements.
func (l *load) now() map[string]string {
	l.Helper()
	all, err := l.List(l.Context())
	if err != nil {
		l.Fatal(err)
	}
	phases := map[string]string{}
	for _, s := range all {
		phases[s.Name] = s.Status.Phase
	}
	return phases
}

// settle waits until each statement is in the phase in which it is to be, or in what other makes of that.
func (l *load) settle(other func(name, phase string) string) {
	l.Helper()
	wanted := maps.Clone(l.phases)
	for name, phase := range wanted {
		switch {
		case phase == "":
			delete(wanted, name)
		case other != nil:
			wanted[name] = other(name, phase)
		}
	}
	l.await(func() string {
		now := l.now()
		for name, phase := range wanted {
			if now[name] == "FAILED" && phase != "FAILED" {
				s, err := l.Get(l.Context(), name)
				l.Fatalf("%s has failed: %s %v", name, s.Status.Detail, err)
			}
			if now[name] != phase {
				return fmt.Sprintf("%s is %s and not %s", name, now[name], phase)
			}
		}
		return ""
	})
}

// await asks until there is nothing to wait for any more.
func (l *load) await(missing func() string) {
	l.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(3 * time.Minute); ; <-tick.C {
		what := missing()
		if what == "" {
			return
		}
		if time.Now().After(end) {
			l.Fatal(what)
		}
	}
}

// everyRowOnce waits for the numbered rows and sees that each is there once.
func (l *load) everyRowOnce() {
	l.Helper()
	rows, _ := l.rows()
	round := 0
	l.await(func() string {
		round++
		name := fmt.Sprint("sum-", round)
		l.make(name, "COMPLETED", "SELECT COUNT(*), COUNT(DISTINCT id) FROM second_copy", map[string]string{"sql.snapshot.mode": "now"})
		l.phases = map[string]string{name: "COMPLETED"}
		l.settle(nil)
		var page api.StatementResults
		l.ask("sum", "/statements/"+name+"/results", &page)
		if len(page.Results.Data) != 1 {
			return fmt.Sprintf("%s has %d rows", name, len(page.Results.Data))
		}
		var row [2]string
		if err := json.Unmarshal(page.Results.Data[0].Row, &row); err != nil {
			l.Fatal(err)
		}
		all, err := strconv.Atoi(row[0])
		if err != nil || row[0] != row[1] || all > rows {
			l.Fatalf("of %d rows there are %s, and distinct ones %s", rows, row[0], row[1])
		}
		if all < rows {
			return fmt.Sprintf("of %d rows %d have come", rows, all)
		}
		return ""
	})
}

// ask asks for a path of all environments, or for another one that begins with two slashes, and notes how long that takes.
func (l *load) ask(kind, path string, into any) {
	url := l.URL + "/sql/v1/organizations/-/environments/-" + path
	if rest, ok := strings.CutPrefix(path, "//"); ok {
		url = l.URL + "/" + rest
	}
	q, err := http.NewRequestWithContext(l.Context(), http.MethodGet, url, nil)
	if err != nil {
		l.Error(err)
		return
	}
	begun := time.Now()
	answer, err := l.Client.HTTP.Do(q)
	if err != nil {
		l.Errorf("%s: %v", kind, err)
		return
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	l.took(kind, time.Since(begun))
	l.bytes(kind, len(body))
	if err != nil || answer.StatusCode != http.StatusOK {
		l.Errorf("%s: %s %v: %.200s", kind, answer.Status, err, body)
		return
	}
	if into != nil {
		if err := json.Unmarshal(body, into); err != nil {
			l.Errorf("%s: %v", kind, err)
		}
	}
}
