package format

import "errors"

// tolerant leaves out what its decoder cannot read, and counts it.
type tolerant struct {
	Decoder
	skipped int64
}

// tolerantLines is a tolerant decoder that goes from line to line itself, as its decoder does.
type tolerantLines struct {
	tolerant
	lines lineDecoder
}

// tolerate makes d tolerant. What d can do quickly it can do still.
func tolerate(d Decoder) Decoder {
	if l, ok := d.(lineDecoder); ok {
		return &tolerantLines{tolerant{Decoder: d}, l}
	}
	return &tolerant{Decoder: d}
}

func (t *tolerant) Read(start, end int) (int, error) {
	rows, err := t.Decoder.Read(start, end)
	if t.leavesOut(err) {
		return 0, nil
	}
	return rows, err
}

func (t *tolerant) leavesOut(err error) bool {
	if _, bad := errors.AsType[*RowError](err); !bad {
		return false
	}
	t.skipped++
	return true
}

func (t *tolerant) Skipped() int64 { return t.skipped + t.Decoder.Skipped() }

// readLines implements lineDecoder.
func (t *tolerantLines) readLines(from, maxRows int) (to int, err error) {
	to, err = t.lines.readLines(from, maxRows)
	for t.leavesOut(err) {
		to, err = t.lines.readLines(to, maxRows)
	}
	return to, err
}
