package runtime

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// injection holds back the chunks of a source that are too far ahead of others; see watermark.ReadDelay. It belongs to the sequencer.
type injection struct {
	behind  []*source
	delays  []watermark.ReadDelay // by source of behind, like known
	known   []watermark.Frontier
	decoder connector.Decoder
	intake  Intake
	rows    atomic.Int64 // held back
}

// held is a chunk that was taken from its split and waits.
type held struct {
	chunk         connector.Chunk
	rows          int64
	from          position // in front of it
	least, newest int64    // event times
	first, last   int64    // when it was written
}

// inject finds who each source has to wait for. A replay waits for nobody: it reads the split that is furthest behind.
func (j *Job) inject() error {
	for i := range j.sources {
		s := j.sources[i]
		if len(s.spec.Delays) == 0 || j.sequencer.replay {
			continue
		}
		x := &injection{}
		for _, d := range s.spec.Delays {
			found := false
			for _, other := range j.sources {
				if other.spec.Name == d.Table && other != s {
					x.behind, x.delays, x.known = append(x.behind, other), append(x.delays, d), append(x.known, watermark.Unset)
					found = true
				}
			}
			if !found {
				return fault.Errorf(fault.User, "table '%s' waits for '%s', which the statement does not read; leave '%s' out of 'watermark.read-delays'", s.spec.Name, d.Table, d.Table)
			}
		}
		var err error
		if x.decoder, err = s.spec.Reader.NewDecoder(); err != nil {
			return err
		}
		if x.intake, err = s.spec.NewIntake(); err != nil {
			return err
		}
		s.injected = x
	}
	return j.noCircle()
}

// noCircle refuses sources that wait for each other: what each of them holds back is what the others wait for, so that all can stand still for good.
func (j *Job) noCircle() error {
	done := map[*source]bool{}
	var path []*source
	var visit func(s *source) []*source
	visit = func(s *source) []*source {
		if at := slices.Index(path, s); at >= 0 {
			return path[at:]
		}
		if done[s] || s.injected == nil {
			return nil
		}
		done[s] = true
		path = append(path, s)
		for _, other := range s.injected.behind {
			if circle := visit(other); circle != nil {
				return circle
			}
		}
		path = path[:len(path)-1]
		return nil
	}
	for _, s := range j.sources {
		circle := visit(s)
		if circle == nil {
			continue
		}
		text := ""
		for i, x := range circle {
			text += fmt.Sprintf(", '%s' for '%s'", x.spec.Name, circle[(i+1)%len(circle)].spec.Name)
		}
		first := circle[0].spec.Name
		return fault.Errorf(fault.User, "tables wait for each other and could stand still for good: %s; leave '%s' out of 'watermark.read-delays' of '%s', or align them: 'scan.watermark.alignment.group'",
			text[2:], circle[1%len(circle)].spec.Name, first)
	}
	return nil
}

// look notes how far the others are. Like a job of Flow it does so at its ticks, and what it knows is the same until the next.
func (x *injection) look() {
	for i, s := range x.behind {
		if w := s.core.Load(); w != nil {
			x.known[i] = w.Frontier
		}
	}
}

// lets reports whether a chunk with that newest row may enter.
func (x *injection) lets(newest int64) bool {
	for i, f := range x.known {
		if !x.delays[i].Lets(newest, f) {
			return false
		}
	}
	return true
}

// holds takes chunk c of s aside if it has to wait. One that cannot be decoded does not: its error has its turn.
func (x *injection) holds(s *split, c connector.Chunk, from position, now int64, memory *vector.Pool, batchRows int) bool {
	h := &held{chunk: c, from: from, least: watermark.NoTime, newest: watermark.NoTime, first: now, last: now}
	x.intake.SetNow(now)
	_, err := x.decoder.Decode(c, memory, batchRows, func(b *vector.Batch) error {
		return x.intake.Prepare(b, func(b *vector.Batch, times, _ []int64) {
			h.rows += int64(b.N)
			for _, t := range times {
				if t == watermark.NoTime {
					continue
				}
				if h.least == watermark.NoTime || t < h.least {
					h.least = t
				}
				h.newest = max(h.newest, t)
			}
			b.Release()
		})
	})
	if err != nil || h.newest == watermark.NoTime || x.lets(h.newest) {
		return false
	}
	if w, ok := c.(connector.Written); ok {
		h.first, h.last = w.Written()
	}
	s.held = h
	s.unread(1)
	x.rows.Add(h.rows)
	return true
}

// release lets what s holds back into the statement, if it may enter.
func (x *injection) release(s *split) (c connector.Chunk, ok bool) {
	if !x.lets(s.held.newest) {
		return nil, false
	}
	return x.letGo(s), true
}

// letGo lets what s holds back into the statement.
func (x *injection) letGo(s *split) connector.Chunk {
	h := s.held
	s.held = nil
	s.unread(-1)
	x.rows.Add(-h.rows)
	return h.chunk
}

// position is an offset, and what tells the thing in which it is one from others of its name, if the split knows that.
type position struct {
	offset int64
	origin []byte
}

func positionOf(s connector.Split) position {
	if o, ok := s.(connector.Originated); ok {
		offset, origin := o.Position()
		return position{offset, origin}
	}
	return position{offset: s.Offset()}
}

// position is where s goes on if what it holds back is lost.
func (s *split) position() position {
	if s.held != nil {
		return s.held.from
	}
	return positionOf(s.Split)
}
