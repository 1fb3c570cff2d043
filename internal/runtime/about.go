package runtime

import "fmt"

// About is what a snapshot says to people.
type About struct {
	// Taken is when, by the wall clock, in microseconds.
	Taken int64
	// Instant says for each source whether its event time is an instant, and Operators what the operators are called, in the order of the rows.
	Instant   []bool
	Operators []OperatorLabel
}

// OperatorLabel is an OperatorSpec for people.
type OperatorLabel struct {
	ID, Label string
	Instant   bool
}

const (
	aboutSection = "about"
	aboutVersion = 1
)

// about tells of the job as it is now.
func (j *Job) about() *About {
	a := &About{Taken: j.clock.Now()}
	add := func(chain []OperatorSpec) {
		for _, o := range chain {
			a.Operators = append(a.Operators, OperatorLabel{o.ID, o.Label, o.Instant})
		}
	}
	for i := range j.graph.Sources {
		a.Instant = append(a.Instant, j.graph.Sources[i].Instant)
		for _, b := range j.graph.Sources[i].Branches {
			add(b.Chain)
		}
	}
	for i := range j.graph.Fragments {
		add(j.graph.Fragments[i].Chain)
	}
	return a
}

// append writes: version; when the snapshot was taken; for each source, flags (1 = its event time is an instant); for each operator, in the order of the rows: ID, label, the same flags.
func (a *About) append(b []byte) []byte {
	b = appendNumbers(append(b, aboutVersion), a.Taken, int64(len(a.Instant)))
	for _, instant := range a.Instant {
		b = append(b, flagIf(instant))
	}
	b = appendNumbers(b, int64(len(a.Operators)))
	for _, l := range a.Operators {
		b = append(appendBytes(appendBytes(b, l.ID), l.Label), flagIf(l.Instant))
	}
	return b
}

func (d *snapshotDecoder) about() *About {
	if v := d.byte(); d.err == nil && v != aboutVersion {
		d.src, d.err = nil, fmt.Errorf("it has version %d, and this program reads version %d", v, aboutVersion)
		return nil
	}
	a := &About{Taken: d.number()}
	for range d.count() {
		a.Instant = append(a.Instant, d.byte() == 1)
	}
	for range d.count() {
		a.Operators = append(a.Operators, OperatorLabel{string(d.bytes()), string(d.bytes()), d.byte() == 1})
	}
	return a
}
