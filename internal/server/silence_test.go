package server

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/statements"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// told is a table of one column whose splits have the rows that a test tells them, and no end.
type told struct {
	mu      sync.Mutex
	rows    [][]int64 // by split, not yet read
	arrived chan<- struct{}
}

// tell gives a split a row.
func (x *told) tell(split int, at time.Time) {
	x.mu.Lock()
	x.rows[split] = append(x.rows[split], at.UnixMicro())
	x.mu.Unlock()
	select {
	case x.arrived <- struct{}{}:
	default:
	}
}

func (x *told) Bounded() bool                          { return false }
func (x *told) NewDecoder() (connector.Decoder, error) { return toldDecoder{}, nil }
func (x *told) Listen(arrived chan<- struct{})         { x.arrived = arrived }
func (x *told) Close() error                           { return nil }
func (x *told) Open() (all []connector.Split, err error) {
	for i := range x.rows {
		all = append(all, &toldSplit{x, i, 0})
	}
	return all, nil
}

type toldSplit struct {
	of     *told
	number int
	offset int64
}

func (s *toldSplit) Name() string              { return fmt.Sprintf("clicks-%d", s.number) }
func (s *toldSplit) Offset() int64             { return s.offset }
func (s *toldSplit) Resume(offset int64) error { s.offset = offset; return nil }
func (s *toldSplit) Close() error              { return nil }
func (s *toldSplit) Poll(int64) (connector.Chunk, int64, error) {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	rows := s.of.rows[s.number]
	if len(rows) == 0 {
		return nil, connector.Never, nil
	}
	s.of.rows[s.number], s.offset = nil, s.offset+int64(len(rows))
	return toldChunk(rows), 0, nil
}

type toldChunk []int64

func (c toldChunk) Size() int64 { return 8 * int64(len(c)) }

type toldDecoder struct{}

func (toldDecoder) Decode(c connector.Chunk, memory *vector.Pool, _ int, each func(*vector.Batch) error) (connector.Decoded, error) {
	times := c.(toldChunk)
	a := memory.Get()
	b := &vector.Batch{N: len(times), Arena: a, Cols: a.Columns(1)}
	b.Cols[0] = a.Flat(vector.Int64, len(times))
	copy(b.Cols[0].Ints, times)
	return connector.Decoded{}, each(b)
}

// get asks for something that is JSON.
func get[T any](t *testing.T, s *Server, path string) (x T) {
	t.Helper()
	synctest.Wait()
	w := ask(s, "GET", base+"/statements/"+path, "")
	if err := json.Unmarshal(w.Body.Bytes(), &x); err != nil || w.Code != 200 {
		t.Fatalf("%s: %d %v %s", path, w.Code, err, w.Body)
	}
	return x
}

// counting runs a statement that counts clicks, of which there are two partitions, in windows of ten seconds; the table has more options.
func counting(t *testing.T, options string, play func(t *testing.T, s *Server, clicks *told)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		clicks := &told{rows: make([][]int64, 2)}
		connectors := append(slices.Clone(builtin.Connectors), connector.Connector{Name: "told", NewSource: func(connector.Table, connector.Options) (connector.Source, error) { return clicks, nil }})
		hub, err := statements.Open(statements.Options{Dir: filepath.Join(dir, "server"), Connectors: connectors, Parallelism: 2, Tell: func(line string) { t.Log(line) }})
		if err != nil {
			t.Fatal(err)
		}
		defer hub.Close()
		s := New(Options{Hub: hub})
		made(t, s, "clicks", "CREATE TABLE clicks (ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'told', "+options+")")
		made(t, s, "counts", "CREATE TABLE counts (w TIMESTAMP_LTZ(3), n BIGINT) WITH ('connector' = 'blackhole')")
		made(t, s, "count", countClicks)
		play(t, s, clicks)
	})
}

const countClicks = "INSERT INTO counts SELECT window_start, COUNT(*) FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end"

// made makes a statement.
func made(t *testing.T, s *Server, name, sql string) {
	t.Helper()
	body, _ := json.Marshal(map[string]any{"name": name, "spec": map[string]string{"statement": sql}})
	if w := ask(s, "POST", base+"/statements", string(body)); w.Code != 201 {
		t.Fatal(w.Body)
	}
	synctest.Wait()
}

// TestWhatWhySaysMends: the SQL of a remedy alone changes nothing for the statement that waits, and with what follows it the window fires.
func TestWhatWhySaysMends(t *testing.T) {
	counting(t, "'scan.watermark.idle-timeout' = '1 h'", func(t *testing.T, s *Server, clicks *told) {
		pass := func(seconds int) {
			for range seconds {
				clicks.tell(0, time.Now())
				<-time.After(time.Second)
			}
		}
		held := func(why api.Why) bool { return strings.Contains(why.Text, "because of clicks-1, which has had no row") }

		pass(15)
		why := get[api.Why](t, s, "count/why")
		if !held(why) || len(why.Sources[0].Remedies) == 0 {
			t.Fatalf("while it is silent: %s", why.Text)
		}
		remedy := why.Sources[0].Remedies[0]
		if !strings.HasPrefix(remedy.Then, "then delete this statement and make it again") || !strings.Contains(why.Text, remedy.Then) {
			t.Errorf("what follows is %q, in\n%s", remedy.Then, why.Text)
		}
		made(t, s, "mend", remedy.SQL)
		pass(15)
		if why := get[api.Why](t, s, "count/why"); !held(why) {
			t.Errorf("the table has been changed, and the statement that ran has something of it; then why says too much:\n%s", why.Text)
		}

		if w := ask(s, "DELETE", base+"/statements/count", ""); w.Code != 202 {
			t.Fatal(w.Code, w.Body)
		}
		synctest.Wait()
		made(t, s, "count", countClicks)
		pass(30)
		if why, x := get[api.Why](t, s, "count/why"), get[api.Timeline](t, s, "count/timeline"); held(why) || len(x.Firings) == 0 {
			t.Errorf("made again, it waits: %s%d windows fired", why.Text, len(x.Firings))
		}
	})
}

// TestASilentPartition: of two partitions one falls silent. Profile and why name it and what waits; its idle timeout lets it go, the window fires, and the timeline shows all of that.
func TestASilentPartition(t *testing.T) {
	counting(t, "'scan.watermark.idle-timeout' = '20 s'", func(t *testing.T, s *Server, clicks *told) {
		began := time.Now()
		second := func(n int) int64 { return began.Add(time.Duration(n) * time.Second).UnixMilli() }
		pass := func(until int) {
			for at := int(time.Since(began) / time.Second); at < until; at++ {
				clicks.tell(0, time.Now())
				if at < 5 {
					clicks.tell(1, time.Now())
				}
				if at == 30 {
					clicks.tell(0, time.Now().Add(-9*time.Second)) // late by then
				}
				<-time.After(time.Second)
			}
		}

		pass(15)
		p := get[api.Profile](t, s, "count/profile")
		silent := p.Tasks[0].Partitions[1]
		if p.Input == nil || p.Input.At != second(3) || p.Input.Text != "up to date" || p.Sources[0].State != "held" || silent.Split != "clicks-1" || !silent.Holds || p.Tasks[0].Partitions[0].Holds || silent.State != "active" ||
			*silent.LastRow != second(4) {
			t.Errorf("while it is silent: %+v, %+v", p.Input, p.Tasks[0].Partitions)
		}
		var due *api.Due
		for _, task := range p.Tasks {
			for _, o := range task.Operators {
				if o.Next != nil {
					due = o.Next
				}
			}
		}
		if due == nil || due.What != "window" || due.At != second(10) || *due.Start != second(0) || *due.Needed != 6_999 {
			t.Errorf("while it is silent, it waits for %+v", due)
		}
		if w := get[api.Why](t, s, "count/why"); !strings.Contains(w.Text, "because of clicks-1") || !strings.Contains(w.Text, "needs 7.0 s more of event time") || len(w.Waiting) != 1 || *w.Waiting[0].NeededMs != 6_999 {
			t.Errorf("why says\n%s%+v", w.Text, w.Waiting)
		}
		if x := get[api.Timeline](t, s, "count/timeline"); len(x.Firings) != 0 {
			t.Errorf("windows fired: %+v", x.Firings)
		}

		pass(40)
		p = get[api.Profile](t, s, "count/profile")
		for _, x := range p.Tasks[0].Partitions {
			if sum := *x.Active + *x.Blocked + *x.Idle; sum < 99.999 || sum > 100.001 {
				t.Errorf("the parts of %s add up to %f", x.Split, sum)
			}
		}
		if silent := p.Tasks[0].Partitions[1]; silent.State != "idle" || silent.Holds || *silent.Idle != 100 || silent.Since < second(24) || silent.Since > second(25) {
			t.Errorf("idle: %+v", silent)
		}
		if p.Input.At != second(38) || p.Late != 1 || p.Dropped != 0 || *p.Tasks[0].RecentLate != 1 || *p.Tasks[0].WorstLateness != 7_000 || p.Sources[0].State != "moving" {
			t.Errorf("behind it: %+v, %d late, %d dropped, %+v", p.Input, p.Late, p.Dropped, p.Tasks[0])
		}
		x := get[api.Timeline](t, s, "count/timeline")
		src := x.Sources[0]
		if len(src.Splits) != 2 || src.Splits[1].Name != "clicks-1" || len(src.Splits[1].Rows) != 5 || len(src.Splits[0].Rows) != 41 || !src.Instant {
			t.Fatalf("timeline: %+v", src)
		}
		spells := src.Splits[1].Spells
		if len(spells) != 1 || spells[0].State != "idle" || spells[0].From < second(24) || spells[0].From > second(25) || spells[0].To != 0 || len(src.Splits[0].Spells) != 0 {
			t.Errorf("spells: %+v", spells)
		}
		if late := slices.DeleteFunc(src.Splits[0].Rows, func(r api.TimelineRow) bool { return !r.Late }); len(late) != 1 || late[0].Event != second(21) || late[0].At != second(30) {
			t.Errorf("late rows: %+v", late)
		}
		// The watermark stood still from when the partition had its last row until it was left out, and so did that of the statement.
		for _, marks := range [][]api.TimelineMark{src.Marks, x.Marks} {
			for _, m := range marks {
				if m.At > second(5) && m.At < second(24) {
					t.Errorf("the watermark moves to %+v", m)
				}
			}
			if last := marks[len(marks)-1]; *last.Event != second(38) {
				t.Errorf("the last mark is %+v", last)
			}
		}
		if len(x.Firings) != 3 {
			t.Fatalf("firings: %+v", x.Firings)
		}
		for i, f := range x.Firings {
			if *f.Start != second(10*i) || f.End != second(10*i+10) || f.Rows != 1 || i < 2 && (f.At < second(24) || f.At > second(25)) {
				t.Errorf("firing %d: %+v", i, f)
			}
		}
		if since := get[api.Timeline](t, s, fmt.Sprintf("count/timeline?since=%d", second(35))); len(since.Sources[0].Splits[0].Rows) != 5 || len(since.Firings) != 0 || since.From != second(35) {
			t.Errorf("since: %+v", since)
		}
	})
}

// TestAPartitionThatIsAhead: alignment does not read it, for which the profile calls it blocked and the timeline has a spell, until the other one has come near.
func TestAPartitionThatIsAhead(t *testing.T) {
	counting(t, "'scan.watermark.idle-timeout' = '0', 'scan.watermark.alignment.group' = 'g', 'scan.watermark.alignment.max-drift' = '5 s'", func(t *testing.T, s *Server, clicks *told) {
		began := time.Now()
		clicks.tell(1, began)
		for range 20 {
			clicks.tell(0, time.Now())
			<-time.After(time.Second)
		}
		p := get[api.Profile](t, s, "count/profile").Tasks[0].Partitions[0]
		if p.State != "blocked" || *p.Blocked != 100 || p.Holds || p.Rows > 10 {
			t.Errorf("ahead: %+v", p)
		}
		paused := get[api.Timeline](t, s, "count/timeline").Sources[0].Splits[0].Spells
		if len(paused) != 1 || paused[0].State != "paused" || paused[0].From != p.Since || paused[0].To != 0 {
			t.Errorf("ahead: %+v", paused)
		}
		clicks.tell(1, began.Add(18*time.Second))
		<-time.After(time.Second)
		p = get[api.Profile](t, s, "count/profile").Tasks[0].Partitions[0]
		if p.State != "active" || p.Rows != 20 {
			t.Errorf("near: %+v", p)
		}
		spells := get[api.Timeline](t, s, "count/timeline").Sources[0].Splits[0].Spells
		if len(spells) != 1 || spells[0].From != paused[0].From || spells[0].To != p.Since {
			t.Errorf("near: %+v", spells)
		}
	})
}

// TestAdviceIsNoWarning: what is of low severity is told with the statement, and is not counted as a warning in the list.
func TestAdviceIsNoWarning(t *testing.T) {
	counting(t, "'scan.watermark.idle-timeout' = '1 h'", func(t *testing.T, s *Server, _ *told) {
		made(t, s, "short", strings.Replace(countClicks, "INSERT", "/* windows shorter than the drift */ INSERT", 1))
		var low, other int
		for _, w := range get[api.Statement](t, s, "short").Status.Warnings {
			if w.Severity == "LOW" {
				low++
			} else {
				other++
			}
		}
		w := ask(s, "GET", base+"/overview?statement_name_search_query=short", "")
		var all api.Overview
		if err := json.Unmarshal(w.Body.Bytes(), &all); err != nil || len(all.Data) != 1 {
			t.Fatal(err, w.Body)
		}
		if low == 0 || all.Data[0].Warnings != other {
			t.Errorf("%d are of low severity, %d are not; the list has %d warnings", low, other, all.Data[0].Warnings)
		}
	})
}
