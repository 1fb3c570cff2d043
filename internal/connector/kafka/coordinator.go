package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// brokers are the coordinator of the transactions of a statement.
type brokers struct {
	transactions *transactions
	client       *kgo.Client
	before       string // what the ids began with when the checkpoint was written, if that was something else
	copied       bool   // whoever has those ids may go on writing with them
}

// again is how long to wait before a question is asked again.
const again = 20 * time.Millisecond

// wait waits a little, and is false if there is no time left.
func wait(ctx context.Context) bool {
	return pauseFor(ctx, again)
}

// recorded implements coordinator. A transaction's number is the offset that it commits for the group of its statement.
func (b *brokers) recorded(ctx context.Context, settled bool) (int64, error) {
	most := int64(0)
	groups := []string{b.transactions.base}
	if b.before != "" {
		groups = append(groups, b.before)
	}
	for _, group := range groups {
		n, err := b.recordedIn(ctx, group, settled)
		if err != nil {
			return 0, b.transactions.config.transactionError("ask group '"+group+"' which transactions were committed", err)
		}
		most = max(most, n)
	}
	return most, nil
}

func (b *brokers) recordedIn(ctx context.Context, group string, settled bool) (most int64, err error) {
	for {
		if settled {
			err = b.settled(ctx, group)
		}
		if err == nil {
			most, err = b.newestIn(ctx, group)
		}
		if errors.Is(err, kerr.GroupIDNotFound) {
			return 0, nil
		}
		if err == nil || !kerr.IsRetriable(err) || !wait(ctx) {
			return most, err
		}
		err = nil
	}
}

func (b *brokers) newestIn(ctx context.Context, group string) (most int64, err error) {
	offsets, err := kadm.NewClient(b.client).FetchOffsets(ctx, group)
	if err != nil {
		return 0, err
	}
	offsets.Each(func(o kadm.OffsetResponse) { most = max(most, o.At) })
	return most, offsets.Error()
}

// settled is an error if an offset that a transaction has for a group is neither committed nor given up. The topics are named, for who asks for all offsets
// is told of one on its way only where there is an older one: not of the first.
func (b *brokers) settled(ctx context.Context, group string) error {
	q := kmsg.NewPtrOffsetFetchRequest()
	q.Group, q.RequireStable = group, true
	for _, name := range b.transactions.topics() {
		topic := kmsg.NewOffsetFetchRequestTopic()
		topic.Topic, topic.Partitions = name, []int32{0}
		q.Topics = append(q.Topics, topic)
	}
	answer, err := q.RequestWith(ctx, b.client)
	if err != nil {
		return err
	}
	if err := kerr.ErrorForCode(answer.ErrorCode); err != nil {
		return err
	}
	for _, topic := range answer.Topics {
		for _, p := range topic.Partitions {
			if err := kerr.ErrorForCode(p.ErrorCode); err != nil {
				return err
			}
		}
	}
	return nil
}

// commit implements coordinator.
func (b *brokers) commit(ctx context.Context, p prepared) (bool, error) {
	q := kmsg.NewPtrEndTxnRequest()
	q.TransactionalID, q.ProducerID, q.ProducerEpoch, q.Commit = transactionalID(p.base, p.which), p.producer, p.epoch, true
	for {
		answer, err := q.RequestWith(ctx, b.client)
		if err == nil {
			err = kerr.ErrorForCode(answer.ErrorCode)
		}
		if err == nil {
			return true, nil
		}
		for _, refusal := range []error{kerr.ProducerFenced, kerr.InvalidProducerEpoch, kerr.InvalidTxnState, kerr.InvalidProducerIDMapping, kerr.UnknownProducerID, kerr.TransactionAbortable} {
			if errors.Is(err, refusal) {
				return false, nil
			}
		}
		if !errors.Is(err, kerr.ConcurrentTransactions) && !kerr.IsRetriable(err) || !wait(ctx) {
			return false, b.transactions.config.transactionError("commit the transaction of the newest checkpoint", err)
		}
	}
}

// confirm is an error if a transaction that was committed has come to nothing. The client gives up what it takes for empty, and says that this was the commit that it was asked for.
func (b *brokers) confirm(ctx context.Context, p prepared) error {
	for _, settled := range []bool{false, true} {
		seen, err := b.recordedIn(ctx, p.base, settled)
		if err != nil {
			return b.transactions.config.transactionError("ask group '"+p.base+"' which transactions were committed", err)
		}
		if seen >= p.number {
			return nil
		}
	}
	return fault.Errorf(fault.External, "transaction %d of '%s' was given up where it was to be committed; the statement goes on from the checkpoint before it", p.number, p.base)
}

// claim implements coordinator.
func (b *brokers) claim(ctx context.Context) error {
	t := b.transactions
	if b.before != "" && !b.copied {
		for which := range t.pair {
			c, err := t.claim(ctx, transactionalID(b.before, which))
			if err != nil {
				return err
			}
			err = b.giveUp(ctx, transactionalID(b.before, which), c)
			c.Close()
			if err != nil {
				return err
			}
		}
	}
	for which := range t.pair {
		c, err := t.claim(ctx, transactionalID(t.base, which))
		if err != nil {
			return err
		}
		t.pair[which].client = c
		if err := b.giveUp(ctx, transactionalID(t.base, which), c); err != nil {
			return err
		}
	}
	return nil
}

func transactionalID(base string, which int) string { return fmt.Sprintf("%s-%d", base, which) }

// transactionError is an error of talking to the brokers about transactions.
func (c *config) transactionError(what string, err error) error {
	if refusal := c.refusal(what, err); refusal != nil {
		return refusal
	}
	switch {
	case errors.Is(err, kerr.InvalidTransactionTimeout):
		return fault.Wrap(fault.User, &connector.OptionError{Key: optionTimeout, Message: fmt.Sprintf("the brokers let no transaction take %d ms", c.transaction.Milliseconds()),
			Hint: "write at most what transaction.max.timeout.ms of the brokers says"})
	case errors.Is(err, kerr.ProducerFenced), errors.Is(err, kerr.InvalidProducerEpoch), errors.Is(err, kerr.InvalidTxnState), errors.Is(err, kerr.TransactionAbortable):
		return fault.Errorf(fault.External, "%s: the brokers have given up the transaction: it took longer than %s, so raise '%s' or take checkpoints more often; or another process writes with the state of this statement: %w", what, c.transaction, optionTimeout, err)
	}
	return c.unreachable(what, err)
}
