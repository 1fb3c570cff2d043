package runtime

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/watermark"
)

// everything is a snapshot in which every field says something.
func everything() *Snapshot {
	return &Snapshot{
		ID: 7, Written: 12, Sink: []byte("pending"), Finished: true, Chunks: 2, Recent: []lesson{{0, 5}, {3, watermark.Unset}},
		Sources: []SourceSnapshot{
			{Table: "t", Core: []byte{1, 2}, Counts: SourceTotals{Rows: 1, Bytes: 2, Skipped: 3, NullTime: 4, Late: 5},
				Splits:   []SplitSnapshot{{Name: "a", Offset: -1, Origin: []byte{4, 0}, Frontier: watermark.Final}, {Name: "b/ü", Done: true, Frontier: -3}},
				Finished: []connector.SplitID{connector.IDOf("x"), connector.IDOf("y")}},
			{Core: []byte{}},
		},
		About: &About{Taken: 5, Instant: []bool{true, false}, Operators: []OperatorLabel{{"0/filter", "", false}, {"0/aggregate", "GROUP BY", true}}},
		Operators: map[string]*OperatorSnapshot{
			"0/aggregate":   {Print: "by a", Parts: [][]byte{{9, 8}, {}}, Size: dataflow.Size{Groups: 3, Rows: 4}},
			"0/aggregate/1": {Print: "uncounted", Parts: [][]byte{{7}}},
		},
		Counts: map[string]dataflow.Totals{
			"0/aggregate":   {In: 1, Out: 2, Filtered: 3, Absorbed: 4, Dropped: 5, Worst: &dataflow.Dropped{Time: 1, Deadline: -2, Frontier: 3}},
			"0/aggregate/1": {},
			"0/filter":      {In: 6},
		},
	}
}

func folder(t testing.TB) *checkpoint.Folder {
	f, err := checkpoint.Open(checkpoint.Memory(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// load commits what add adds as checkpoint 7, and reads it as a snapshot.
func load(t testing.TB, add func(w *checkpoint.Writer)) (*Snapshot, error) {
	f := folder(t)
	w, err := f.Begin(7)
	if err != nil {
		t.Fatal(err)
	}
	add(w)
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	r, err := f.Read(7)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	return LoadSnapshot(r)
}

func TestSnapshotSurvives(t *testing.T) {
	got, err := load(t, func(w *checkpoint.Writer) {
		if err := everything().Save(w); err != nil {
			t.Fatal(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if got.from = nil; !reflect.DeepEqual(got, everything()) {
		t.Errorf("got  %+v\nwant %+v", got, everything())
	}
}

// TestSnapshotWithMoreCounters reads what a program with counters that this one does not know would write.
func TestSnapshotWithMoreCounters(t *testing.T) {
	s := &Snapshot{ID: 7, Sources: []SourceSnapshot{{}}}
	more := appendList(nil, 1, 2, 3, 4, 5, 6, 7)
	got, err := load(t, func(w *checkpoint.Writer) {
		w.Add(statementSection, s.appendStatement(nil))
		before := appendBytes(nil, "")
		rest := s.Sources[0].append(nil)[len(before)+len(appendList(nil, 0, 0, 0, 0, 0)):]
		w.Add(sourceSection(0), slices.Concat(before, more, rest))
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := (SourceTotals{Rows: 1, Bytes: 2, Skipped: 3, NullTime: 4, Late: 5}); got.Sources[0].Counts != want {
		t.Error(got.Sources[0].Counts)
	}
}

// TestSnapshotWithRuns reads what a statement says that had state on the disk.
func TestSnapshotWithRuns(t *testing.T) {
	s := everything()
	s.Operators["0/aggregate"].Runs = []string{"one", "another"}
	got, err := load(t, func(w *checkpoint.Writer) {
		w.Add(statementSection, s.appendStatement(nil))
		for i := range s.Sources {
			w.Add(sourceSection(i), s.Sources[i].append(nil))
		}
		for id, o := range s.Operators {
			for i, part := range o.Parts {
				w.Add(operatorSection(id, i), part)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if runs := got.Operators["0/aggregate"].Runs; !slices.Equal(runs, []string{"one", "another"}) || len(got.Operators["0/aggregate/1"].Runs) > 0 {
		t.Errorf("the runs are %q", runs)
	}
	// Their sections are missing.
	if err := got.Operators["0/aggregate"].eachRun(got.from, "0/aggregate", nil); err == nil || !strings.Contains(err.Error(), "operator/0/aggregate/alive/one") {
		t.Error(err)
	}
}

func TestSnapshotThatMakesNoSense(t *testing.T) {
	s := everything()
	s.Operators["0/aggregate"].Runs = []string{"one", "another"}
	statement := s.appendStatement(nil)
	for n := range statement {
		_, err := load(t, func(w *checkpoint.Writer) {
			w.Add(statementSection, statement[:n])
			for i, s := range everything().Sources {
				w.Add(sourceSection(i), s.append(nil))
			}
		})
		if err == nil {
			t.Errorf("the first %d bytes are read as a snapshot", n)
		}
	}
	origins := everything().Sources[0].appendOrigins(nil)
	for n := range origins {
		_, err := load(t, func(w *checkpoint.Writer) {
			w.Add(statementSection, (&Snapshot{Sources: everything().Sources[:1]}).appendStatement(nil))
			w.Add(sourceSection(0), everything().Sources[0].append(nil))
			w.Add(originsSection(0), origins[:n])
		})
		if err == nil {
			t.Errorf("the first %d bytes are read as origins", n)
		}
	}
	about := everything().About.append(nil)
	for n := range about {
		_, err := load(t, func(w *checkpoint.Writer) {
			w.Add(statementSection, (&Snapshot{}).appendStatement(nil))
			w.Add(aboutSection, about[:n])
		})
		if err == nil {
			t.Errorf("the first %d bytes are read as what people ask for", n)
		}
	}
	statement[0] = snapshotVersionWithRuns + 1
	_, err := load(t, func(w *checkpoint.Writer) { w.Add(statementSection, statement) })
	if err == nil || !strings.Contains(err.Error(), "it has version 3, and this program reads versions up to 2") {
		t.Error(err)
	}
}

func FuzzLoadSnapshot(f *testing.F) {
	s := everything()
	f.Add(s.appendStatement(nil), s.Sources[0].append(nil), s.Sources[0].appendOrigins(nil), s.About.append(nil))
	f.Fuzz(func(t *testing.T, statement, source, origins, about []byte) {
		load(t, func(w *checkpoint.Writer) {
			w.Add(statementSection, statement)
			w.Add(sourceSection(0), source)
			w.Add(originsSection(0), origins)
			w.Add(operatorSection("0/aggregate", 0), nil)
			w.Add(aboutSection, about)
		})
	})
}
