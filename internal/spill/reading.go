package spill

// reading is what Take has read: a stretch of a run with one wanted record or several.
type reading struct {
	run  *run
	from int64
	buf  []byte
}

const (
	// gapBytes is how far apart records may be that are read at once, and atOnceBytes how much that is at most. Reading what nobody wants costs less than another call.
	gapBytes    = 1 << 10
	atOnceBytes = 64 << 10
)

// record is the bytes of the record at an offset of r. probes begin with it and say what is wanted next.
func (x *reading) record(r *run, at int64, probes []uint64) ([]byte, error) {
	if b := x.held(r, at); len(b) >= headerBytes {
		if n := lengthAt(b); n <= int64(len(b)) {
			return b[:n], nil
		}
	}
	guess := r.guess()
	end := at + guess
	for _, p := range probes[1:] {
		next := int64(p>>printBits&(1<<32-1)) * unit
		if p>>printBits>>32 != r.id || next > end+gapBytes || next+guess > at+atOnceBytes {
			break
		}
		end = max(end, next+guess)
	}
	if err := x.fetch(r, at, end-at); err != nil {
		return nil, err
	}
	n := lengthAt(x.buf)
	if n > r.size-at {
		return nil, r.damaged()
	}
	if n > int64(len(x.buf)) {
		if err := x.fetch(r, at, n); err != nil {
			return nil, err
		}
	}
	return x.buf[:n], nil
}

// held is what has been read from an offset on.
func (x *reading) held(r *run, at int64) []byte {
	if r != x.run || at < x.from || at-x.from > int64(len(x.buf)) {
		return nil
	}
	return x.buf[at-x.from:]
}

func (x *reading) fetch(r *run, at, n int64) error {
	n = min(n, r.size-at)
	if size := int64(cap(x.buf)); size < n || size > 4*max(n, atOnceBytes) {
		x.buf = make([]byte, n, max(n, atOnceBytes))
	}
	x.run, x.from, x.buf = r, at, x.buf[:n]
	return r.readAt(x.buf, at)
}

// guess is how long a record is that has not been read: the longest, if that is not far from the average.
func (r *run) guess() int64 { return max(headerBytes, min(r.longest, 4*r.size/int64(r.records))) }
