package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// mode is a value of 'scan.startup.mode' or 'scan.bounded.mode'.
type mode uint8

const (
	modeUnbounded mode = iota
	modeEarliest
	modeLatest
	modeGroup
	modeTimestamp
	modeSpecific
)

// position says where in every partition something begins or ends.
type position struct {
	mode    mode
	millis  int64           // of modeTimestamp
	offsets map[int32]int64 // of modeSpecific
}

// place sets where the partitions begin, and where they end.
func (s *Source) place(ctx context.Context, partitions []*partition, start position) error {
	if len(partitions) == 0 {
		return nil
	}
	o := offsets{source: s, ctx: ctx, listed: map[mode]kadm.ListedOffsets{}}
	for _, p := range partitions {
		if len(o.topics) == 0 || o.topics[len(o.topics)-1] != p.topic {
			o.topics = append(o.topics, p.topic)
		}
	}
	for _, p := range partitions {
		at, err := o.of(p, start)
		if err != nil {
			return err
		}
		p.at, p.next = at, at
		if s.config.end.mode == modeUnbounded {
			continue
		}
		if p.end, err = o.of(p, s.config.end); err != nil {
			return err
		}
		// What lies behind the end at this moment may never come.
		latest, err := o.of(p, position{mode: modeLatest})
		if err != nil {
			return err
		}
		p.end = min(p.end, latest)
		p.reached = p.at >= p.end
	}
	return nil
}

// offsets asks for offsets, each kind once for all partitions.
type offsets struct {
	source  *Source
	ctx     context.Context
	topics  []string
	listed  map[mode]kadm.ListedOffsets
	times   map[int64]kadm.ListedOffsets
	commits kadm.OffsetResponses
}

func (o *offsets) of(p *partition, at position) (int64, error) {
	switch at.mode {
	case modeSpecific:
		if offset, ok := at.offsets[p.number]; ok {
			return offset, nil
		}
		// Flink 2.3: partitions that are not named begin where the group has got to; without a group, where the reset says.
		return o.committed(p)
	case modeGroup:
		return o.committed(p)
	}
	return o.list(p, at)
}

func (o *offsets) committed(p *partition) (int64, error) {
	group := o.source.config.group
	if group != "" {
		if o.commits == nil {
			var err error
			if o.commits, err = o.source.admin.FetchOffsetsForTopics(o.ctx, group, o.topics...); err != nil {
				return 0, o.source.config.unreachable("ask for the offsets of group '"+group+"'", err)
			}
		}
		if r, ok := o.commits.Lookup(p.topic, p.number); ok && r.At >= 0 {
			return r.At, nil
		}
	}
	if o.source.config.onReset == modeUnbounded {
		return 0, fault.Errorf(fault.User, "group '%s' has no offset for %s; set 'properties.auto.offset.reset' = 'earliest' or 'latest' to say where it begins, or choose another 'scan.startup.mode'",
			group, p.Name())
	}
	return o.list(p, position{mode: o.source.config.onReset})
}

func (o *offsets) list(p *partition, at position) (int64, error) {
	known, ok := o.listed[at.mode]
	if at.mode == modeTimestamp {
		known, ok = o.times[at.millis]
	}
	if !ok {
		var err error
		if known, err = o.ask(at); err != nil {
			return 0, o.source.config.unreachable("ask for offsets", err)
		}
		if at.mode == modeTimestamp {
			if o.times == nil {
				o.times = map[int64]kadm.ListedOffsets{}
			}
			o.times[at.millis] = known
		} else {
			o.listed[at.mode] = known
		}
	}
	l, ok := known.Lookup(p.topic, p.number)
	if !ok {
		return 0, fault.Errorf(fault.External, "the brokers did not tell the offsets of %s", p.Name())
	}
	if l.Err != nil {
		return 0, o.source.config.unreachable(fmt.Sprintf("ask for offsets of %s", p.Name()), l.Err)
	}
	return l.Offset, nil
}

// ask asks the brokers. Right after a topic is made, or its leaders change, they do not know yet; then it asks again.
func (o *offsets) ask(at position) (known kadm.ListedOffsets, err error) {
	for try := 1; ; try++ {
		switch {
		case at.mode == modeEarliest:
			known, err = o.source.admin.ListStartOffsets(o.ctx, o.topics...)
		case at.mode == modeTimestamp:
			known, err = o.source.admin.ListOffsetsAfterMilli(o.ctx, at.millis, o.topics...)
		case o.source.config.committed:
			known, err = o.source.admin.ListCommittedOffsets(o.ctx, o.topics...)
		default:
			known, err = o.source.admin.ListEndOffsets(o.ctx, o.topics...)
		}
		trouble := err
		if trouble == nil {
			trouble = known.Error()
		}
		if !kerr.IsRetriable(trouble) || try == maxErrors {
			return known, err
		}
		if !pauseFor(o.ctx, min(firstPause<<min(try, 10), maxPause)) {
			return known, err
		}
	}
}

var errNoReset = errors.New("has nothing at offset")

// reset deals with a partition that has nothing at the offset to be fetched: its records were deleted, or it was made anew. What was fetched
// before stays to be read if reading goes on behind it.
func (s *Source) reset(p *partition) error {
	ctx, done := context.WithTimeout(s.ctx, patience)
	defer done()
	p.mu.Lock()
	from := p.next
	p.mu.Unlock()
	o := offsets{source: s, ctx: ctx, listed: map[mode]kadm.ListedOffsets{}, topics: []string{p.topic}}
	first, err := o.of(p, position{mode: modeEarliest})
	if err != nil {
		return err
	}
	if s.config.onReset == modeUnbounded {
		return fault.Errorf(fault.External, "%s %w %d: it begins at %d; the records were deleted or the topic was made anew; 'properties.auto.offset.reset' = 'earliest' goes on with what there is",
			p.Name(), errNoReset, from, first)
	}
	to, err := o.of(p, position{mode: s.config.onReset})
	if err != nil {
		return err
	}
	if err := o.reaches(p); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next != from {
		return nil
	}
	if to < from {
		// What is queued was taken back by the brokers, and what takes its place has lower offsets.
		p.queue.clear()
		p.at = to
	}
	p.next = to
	p.reached = to >= p.end
	p.errors, p.trouble = 0, nil
	return nil
}

var errLost = errors.New("has lost records")

// reaches is errLost if p has become shorter than it is to be read: what lies behind its end may never come. The brokers say for sure how long it is; what
// a fetch tells of it can be old after another broker has taken the lead.
func (o *offsets) reaches(p *partition) error {
	if p.end == unbounded {
		return nil
	}
	last, err := o.of(p, position{mode: modeLatest})
	if err != nil || last >= p.end {
		return err
	}
	return fault.Errorf(fault.External, "%s %w: the statement reads it up to offset %d, and it ends at %d since; the topic was made anew, or the brokers have lost what they had", p.Name(), errLost, p.end, last)
}

// short deals with a partition that a fetch found shorter than it is to be read, and returns how long to wait. Brokers before Kafka 3.1 are
// asked by the name of the topic alone, and answer from whatever topic has it.
func (s *Source) short(p *partition) time.Duration {
	ctx, done := context.WithTimeout(s.ctx, patience)
	defer done()
	o := offsets{source: s, ctx: ctx, listed: map[mode]kadm.ListedOffsets{}, topics: []string{p.topic}}
	if err := o.reaches(p); errors.Is(err, errLost) {
		p.fail(err)
		return 0
	}
	return s.trouble(p, errShort)
}
