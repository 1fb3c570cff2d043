package kafka

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/handover"
)

// promiseTopic is where writers say how far they are. It has one partition, and keeps the last record of each writer.
const promiseTopic = "_tidemark_watermarks"

// promiseSettings are what the topic must have: one that forgets the word of a writer before the writer takes it back, or has times of many clocks, would let watermarks run ahead.
var promiseSettings = []struct{ key, value string }{
	{"cleanup.policy", "compact"},
	{"message.timestamp.type", "LogAppendTime"},
}

// makePromiseTopic makes the side topic unless it is there, and wants it to be as it must be.
func (c *config) makePromiseTopic(ctx context.Context, admin *kadm.Client) error {
	there, err := admin.ListTopics(ctx, promiseTopic)
	if err != nil {
		return c.promiseTrouble("ask for", err)
	}
	if errors.Is(there[promiseTopic].Err, kerr.UnknownTopicOrPartition) {
		settings := map[string]*string{}
		for _, s := range promiseSettings {
			settings[s.key] = &s.value
		}
		_, err := admin.CreateTopic(ctx, 1, -1, settings, promiseTopic)
		if err == nil {
			err = visible(ctx, admin, promiseTopic, 1)
		}
		if err == nil {
			return nil
		}
		if !errors.Is(err, kerr.TopicAlreadyExists) {
			return c.promiseTrouble("make", err)
		}
	}
	for try := 1; ; try++ {
		err := c.checkPromiseTopic(ctx, admin)
		if !kerr.IsRetriable(err) || try == maxErrors || ctx.Err() != nil {
			return err
		}
		pauseFor(ctx, min(firstPause<<min(try, 10), maxPause))
	}
}

// checkPromiseTopic refuses a side topic that somebody has made otherwise.
func (c *config) checkPromiseTopic(ctx context.Context, admin *kadm.Client) error {
	there, err := admin.ListTopics(ctx, promiseTopic)
	if err == nil {
		err = there[promiseTopic].Err
	}
	if err != nil {
		return c.promiseTrouble("ask for", err)
	}
	wrong := func(format string, args ...any) error {
		return fault.Wrap(fault.User, &connector.OptionError{Key: connector.OptionHandover,
			Message: fmt.Sprintf("topic '%s', where watermarks are handed over, ", promiseTopic) + fmt.Sprintf(format, args...),
			Hint:    "set it so at the brokers, or delete the topic while no statement uses it: it is made anew as it must be"})
	}
	if n := len(there[promiseTopic].Partitions); n > 1 {
		return wrong("has %d partitions and must have one", n)
	}
	described, err := admin.DescribeTopicConfigs(ctx, promiseTopic)
	if err != nil {
		return c.promiseTrouble("ask for the settings of", err)
	}
	r, err := described.On(promiseTopic, nil)
	if err == nil {
		err = r.Err
	}
	if err != nil {
		return c.promiseTrouble("ask for the settings of", err)
	}
	for _, s := range promiseSettings {
		i := slices.IndexFunc(r.Configs, func(is kadm.Config) bool { return is.Key == s.key })
		if i >= 0 && r.Configs[i].MaybeValue() != s.value {
			return wrong("has %s = %s and must have %s", s.key, r.Configs[i].MaybeValue(), s.value)
		}
	}
	return nil
}

// promiseTrouble is an error of doing something with the side topic.
func (c *config) promiseTrouble(do string, err error) error {
	what := fmt.Sprintf("%s topic '%s', where watermarks are handed over", do, promiseTopic)
	switch {
	case errors.Is(err, kerr.TopicAuthorizationFailed), errors.Is(err, kerr.ClusterAuthorizationFailed):
		return fault.Errorf(fault.External, "%s: the brokers do not allow it to this user; who writes and who reads needs the operations Describe, DescribeConfigs, Read and Write on the topic, and Create unless it is there: %w", what, err)
	case errors.Is(err, kerr.UnknownTopicOrPartition), errors.Is(err, kerr.UnknownTopicID):
		return fault.Errorf(fault.External, "%s: it was deleted while the statement was running; it is made anew when the statement is started again: %w", what, err)
	case kerr.IsRetriable(err):
		return fault.Errorf(fault.External, "%s: the broker answers %w", what, err)
	}
	return c.unreachable(what, err)
}

// promiseLog reads the side topic.
type promiseLog struct {
	config *config
	client *kgo.Client
	// What has arrived, and where the topic ends as far as is known. Nothing is taken before that end: the record in which a writer said that it is there
	// makes way for a later one of its own, and in between others may promise more than it does.
	waiting []*kgo.Record
	end     int64
	empty   bool // there was nothing when it was opened
}

func (c *config) openPromiseLog(ctx context.Context, admin *kadm.Client) (*promiseLog, error) {
	starts, err := admin.ListStartOffsets(ctx, promiseTopic)
	if err == nil {
		err = starts.Error()
	}
	if err != nil {
		return nil, c.promiseTrouble("ask for the beginning of", err)
	}
	ends, err := endOffsets(ctx, admin, promiseTopic)
	if err != nil {
		return nil, c.promiseTrouble("ask for the end of", err)
	}
	options, err := c.client()
	if err != nil {
		return nil, err
	}
	options = append(options, kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{promiseTopic: {0: kgo.NewOffset().AtStart()}}))
	first, _ := starts.Lookup(promiseTopic, 0)
	l := &promiseLog{config: c, end: ends[0], empty: first.Offset >= ends[0]}
	if l.client, err = kgo.NewClient(options...); err != nil {
		return nil, fault.Wrap(fault.User, err)
	}
	return l, nil
}

// toEnd reads what was there when the log was opened.
func (l *promiseLog) toEnd(ctx context.Context) error {
	for !l.empty && !l.complete() {
		if err := l.fetch(ctx); err != nil {
			return err
		}
	}
	return nil
}

// fetch waits for records.
func (l *promiseLog) fetch(ctx context.Context) error {
	fetches := l.client.PollFetches(ctx)
	if err := fetches.Err(); err != nil {
		return l.config.promiseTrouble("read", err)
	}
	fetches.EachPartition(func(p kgo.FetchTopicPartition) {
		l.waiting = append(l.waiting, p.Records...)
		l.end = max(l.end, p.HighWatermark)
	})
	return nil
}

// complete reports whether everything has arrived that was there.
func (l *promiseLog) complete() bool {
	n := len(l.waiting)
	return n > 0 && l.waiting[n-1].Offset+1 >= l.end
}

// entry is a record of the side topic.
type entry struct {
	key     handover.Key
	raw     []byte // the key
	time    int64  // microseconds, by the clock of the broker
	promise handover.Promise
	removed bool  // the record of the writer is there no more
	err     error // it cannot be read; then the topic of the key is empty if not even that can
}

// take gives what has arrived, once. What cannot be read is left out if it was taken out of the topic by now.
func (l *promiseLog) take() []entry {
	var entries []entry
	for i, r := range l.waiting {
		e := l.read(r)
		if e.err != nil && slices.ContainsFunc(l.waiting[i+1:], func(later *kgo.Record) bool { return later.Value == nil && bytes.Equal(later.Key, r.Key) }) {
			continue
		}
		entries = append(entries, e)
	}
	l.waiting = nil
	return entries
}

func (l *promiseLog) read(r *kgo.Record) entry {
	e := entry{raw: r.Key, time: r.Timestamp.UnixMicro(), removed: r.Value == nil}
	unreadable := func(err error) error {
		return fault.Errorf(fault.External, "record %d of topic '%s', where watermarks are handed over, cannot be read: %w; if it is of no Tidemark, take it out: write one with the same key and no value", r.Offset, promiseTopic, err)
	}
	var err error
	if e.key, err = handover.ReadKey(r.Key); err != nil {
		if !e.removed {
			e.err = unreadable(fmt.Errorf("in its key, %w", err))
		}
		e.key = handover.Key{}
		return e
	}
	if e.removed {
		return e
	}
	if e.promise, err = handover.ReadPromise(r.Value); err != nil {
		e.err = unreadable(err)
	}
	return e
}

// endOffsets asks where the partitions of a topic end.
func endOffsets(ctx context.Context, admin *kadm.Client, topic string) (map[int32]int64, error) {
	for try := 1; ; try++ {
		listed, err := admin.ListEndOffsets(ctx, topic)
		if err == nil {
			err = listed.Error()
		}
		if err != nil && kerr.IsRetriable(err) && try < maxErrors {
			// Right after a topic is made, or its leaders change, they do not know yet.
			if pauseFor(ctx, min(firstPause<<min(try, 10), maxPause)) {
				continue
			}
		}
		if err != nil {
			return nil, err
		}
		ends := map[int32]int64{}
		listed.Each(func(l kadm.ListedOffset) { ends[l.Partition] = l.Offset })
		return ends, nil
	}
}
