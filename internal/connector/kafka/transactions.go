package kafka

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// transactions are those of the sinks of a statement that write to the same brokers: an epoch is one transaction. Two producers take turns, so that rows are written while the
// transaction before is prepared and committed.
//
// begin, seal and abandon are called like the sinks, the methods of transaction beside them.
type transactions struct {
	config *config // that of the first sink, whose settings of the client hold for all
	sinks  []*sink
	base   string // of the ids of the producers; the group in which transactions are recorded
	pair   [2]producer
	now    int   // which of them takes rows
	number int64 // of the newest transaction

	unreadable map[string]bool // topics of which this client may not see what is open in them

	held []*held // what sinks that hand their watermarks over have written in it

	ctx    context.Context // ends when the sinks are closed
	cancel context.CancelFunc
	last   prepared // of the epoch that was prepared last

	mu sync.Mutex // held while an epoch is prepared or committed
}

// producer is one of the two.
type producer struct {
	client *kgo.Client
	open   bool   // rows of a transaction were handed to it
	topic  string // of one of them
	ready  bool   // its transaction may be committed by whoever finds the checkpoint
}

// abandonPatience is how long brokers that do not answer are waited for before what was begun is left to its time out.
const abandonPatience = 5 * time.Second

func newTransactions(first *sink) *transactions {
	return &transactions{config: first.config, sinks: []*sink{first}, unreadable: map[string]bool{}}
}

// recover settles what became of the transactions of earlier runs.
func (t *transactions) recover(r connector.Recovery) error {
	newest, err := readPrepared(r.State)
	if err != nil {
		return err
	}
	t.base = t.config.prefix + "-" + r.Statement
	b := &brokers{transactions: t, copied: r.Copied}
	if newest.base != "" && newest.base != t.base {
		b.before = newest.base
	}
	options, err := t.config.client()
	if err != nil {
		return err
	}
	if b.client, err = kgo.NewClient(options...); err != nil {
		return fault.Wrap(fault.User, err)
	}
	defer b.client.Close()
	t.ctx, t.cancel = context.WithCancel(context.Background())
	ctx, done := context.WithTimeout(t.ctx, patience)
	defer done()
	if t.number, err = settle(ctx, b, newest, r.Shown); err != nil {
		t.close()
		return err
	}
	newest.doubt = false
	t.last = newest
	return nil
}

// claim makes the client of a transactional id. Whoever had the id before can write no more, and what he had begun is given up.
func (t *transactions) claim(ctx context.Context, id string) (*kgo.Client, error) {
	options, err := t.config.client()
	if err != nil {
		return nil, err
	}
	options = append(options, t.config.producerOptions()...)
	options = append(options, kgo.TransactionalID(id), kgo.TransactionTimeout(t.config.transaction), kgo.ProducerBatchMaxBytesFn(t.batchBytes))
	if len(t.sinks) > 1 {
		options = append(options, kgo.RecordPartitioner(partitioners{}))
	} else {
		options = append(options, kgo.RecordPartitioner(t.sinks[0].partitioner()))
	}
	c, err := kgo.NewClient(options...)
	if err != nil {
		return nil, fault.Wrap(fault.User, err)
	}
	for {
		_, _, err := c.ProducerID(ctx)
		if err == nil {
			return c, nil
		}
		if k := (*kerr.Error)(nil); errors.As(err, &k) && !k.Retriable || !wait(ctx) {
			c.Close()
			return nil, t.config.transactionError("begin to write in transactions", err)
		}
	}
}

func (t *transactions) batchBytes(topic string) int32 {
	most := t.config.batchBytes
	for _, s := range t.sinks {
		if s.config.topics[0] == topic {
			most = min(most, s.config.batchBytes)
		}
	}
	return most
}

// begin is the client that takes rows for a topic now.
func (t *transactions) begin(topic string) (*kgo.Client, error) {
	p := &t.pair[t.now]
	if p.open {
		return p.client, nil
	}
	if err := p.client.BeginTransaction(); err != nil {
		return nil, t.config.transactionError("begin a transaction", err)
	}
	p.open, p.topic = true, topic
	return p.client, nil
}

// seal ends the transaction that takes rows.
func (t *transactions) seal() connector.Epoch {
	p, h := &t.pair[t.now], t.held
	t.held = nil
	if !p.open {
		return &transaction{t: t, held: h}
	}
	t.number++
	e := &transaction{t, p, h, prepared{number: t.number, doubt: true, base: t.base, which: t.now}}
	t.now = 1 - t.now
	return e
}

// failure is the first record of any sink that could not be written.
func (t *transactions) failure() error {
	for _, s := range t.sinks {
		if err := s.failure(); err != nil {
			return err
		}
	}
	return nil
}

// transaction is that of an epoch; without a producer, the epoch has no rows.
type transaction struct {
	t        *transactions
	producer *producer
	held     []*held
	prepared prepared
}

// Prepare implements connector.Epoch. When the brokers have all rows, the transaction's number becomes part of it: an offset of the statement's group.
func (e *transaction) Prepare() ([]byte, error) {
	t := e.t
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ctx.Err() != nil {
		return nil, connector.ErrClosed
	}
	if e.producer == nil {
		return t.last.append(nil), nil
	}
	if e.producer.client == nil {
		return nil, connector.ErrClosed
	}
	if err := e.producer.client.Flush(t.ctx); err != nil {
		return nil, t.interrupted(fault.Wrap(fault.External, err))
	}
	if err := t.failure(); err != nil {
		return nil, err
	}
	if err := noted(t.ctx, e.producer.client); err != nil {
		return nil, connector.ErrClosed
	}
	if err := e.record(); err != nil {
		return nil, t.interrupted(e.recordError(err))
	}
	t.last = e.prepared
	t.last.doubt = false
	e.producer.ready = true
	return e.prepared.append(nil), nil
}

// noted waits until a client has noted the partitions to which it has written. franz-go 1.22.3 writes the first records of a topic before it notes the topic's partitions, so that they can be there, and Flush be over, before. The end of
// a transaction goes by the notes: without any the transaction counts as empty, and is given up.
//
// What is noted is noted in the client's loop of metadata. So is the removal of topics, here of none.
func noted(ctx context.Context, c *kgo.Client) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.PurgeTopicsFromProducing("") // returns at the latest when c is closed
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// interrupted is err, or that the sinks were closed meanwhile.
func (t *transactions) interrupted(err error) error {
	if t.ctx.Err() != nil {
		return connector.ErrClosed
	}
	return err
}

// recordError is why record has failed. A topic can be named in a group by who may read it.
func (e *transaction) recordError(err error) error {
	c, what := e.t.config, "record a transaction in group '"+e.t.base+"'"
	if errors.Is(err, kerr.TopicAuthorizationFailed) {
		return c.refused("topic", what, right{operation: "Read", resource: "topic", name: e.producer.topic})
	}
	return c.transactionError(what, err)
}

// record makes the number part of the transaction.
func (e *transaction) record() (err error) {
	ctx, done := context.WithTimeout(e.t.ctx, patience)
	defer done()
	p, id := &e.prepared, transactionalID(e.t.base, e.prepared.which)
	if p.producer, p.epoch, err = e.producer.client.ProducerID(ctx); err != nil {
		return err
	}
	add := kmsg.NewPtrAddOffsetsToTxnRequest()
	add.TransactionalID, add.ProducerID, add.ProducerEpoch, add.Group = id, p.producer, p.epoch, e.t.base
	note := "transaction of a checkpoint"
	of := kmsg.NewTxnOffsetCommitRequestTopicPartition()
	of.Offset, of.Metadata = p.number, &note
	topic := kmsg.NewTxnOffsetCommitRequestTopic()
	topic.Topic, topic.Partitions = e.producer.topic, append(topic.Partitions, of)
	commit := kmsg.NewPtrTxnOffsetCommitRequest()
	commit.TransactionalID, commit.ProducerID, commit.ProducerEpoch, commit.Group, commit.Topics = id, p.producer, p.epoch, e.t.base, append(commit.Topics, topic)
	if err := persist(ctx, func() (int16, error) {
		answer, err := add.RequestWith(ctx, e.producer.client)
		if err != nil {
			return 0, err
		}
		return answer.ErrorCode, nil
	}); err != nil {
		return err
	}
	admin := kadm.NewClient(e.producer.client)
	return persist(ctx, func() (int16, error) {
		// Since Kafka 4.1 topics are named by their ids here.
		there, err := admin.ListTopics(ctx, topic.Topic)
		if err != nil {
			return 0, err
		}
		commit.Topics[0].TopicID = there[topic.Topic].ID
		answer, err := commit.RequestWith(ctx, e.producer.client)
		if err != nil {
			return 0, err
		}
		for _, t := range answer.Topics {
			for _, p := range t.Partitions {
				if p.ErrorCode != 0 {
					return p.ErrorCode, nil
				}
			}
		}
		return 0, nil
	})
}

// persist asks until the answer is not that it is to be asked again.
func persist(ctx context.Context, ask func() (code int16, err error)) error {
	for {
		code, err := ask()
		if err == nil {
			err = kerr.ErrorForCode(code)
		}
		if err == nil || !errors.Is(err, kerr.ConcurrentTransactions) && !kerr.IsRetriable(err) || !wait(ctx) {
			return err
		}
	}
}

// Commit implements connector.Epoch.
func (e *transaction) Commit() error {
	t := e.t
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ctx.Err() != nil {
		return connector.ErrClosed
	}
	if e.producer != nil {
		if e.producer.client == nil {
			return connector.ErrClosed
		}
		if err := e.producer.client.EndTransaction(t.ctx, kgo.TryCommit); err != nil {
			return t.interrupted(t.config.transactionError("commit the transaction of a checkpoint", err))
		}
		e.producer.open, e.producer.ready = false, false
		if err := e.completeLast(); err != nil {
			return err
		}
	}
	for _, h := range e.held {
		h.release()
	}
	return nil
}

// Revoke implements connector.Revocable: abandon gives up the transaction.
func (e *transaction) Revoke() {
	e.t.mu.Lock()
	defer e.t.mu.Unlock()
	if e.producer != nil {
		e.producer.ready = false
	}
}

// completeLast waits until the rows can be seen. Before that neither a checkpoint behind this one is written, from which nobody would look back, nor the producer used again, whose
// next transaction would decide over these rows too.
func (e *transaction) completeLast() error {
	ctx, done := context.WithTimeout(e.t.ctx, patience)
	defer done()
	b := &brokers{transactions: e.t, client: e.producer.client}
	if err := b.completeLast(ctx, e.prepared); err != nil {
		return err
	}
	return b.confirm(ctx, e.prepared)
}

// abandon gives up what was begun and is in no checkpoint, so that readers need not wait for it.
func (t *transactions) abandon() {
	t.cancel()
	t.mu.Lock()
	defer t.mu.Unlock()
	ctx, done := context.WithTimeout(context.Background(), abandonPatience)
	defer done()
	for i := range t.pair {
		if p := &t.pair[i]; p.client != nil && p.open && !p.ready && p.client.AbortBufferedRecords(ctx) == nil {
			p.client.EndTransaction(ctx, kgo.TryAbort)
		}
	}
	t.closeClients()
}

// close ends the clients.
func (t *transactions) close() {
	t.cancel()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closeClients()
}

func (t *transactions) closeClients() {
	for i := range t.pair {
		if c := t.pair[i].client; c != nil {
			c.Close()
			t.pair[i].client = nil
		}
	}
}
