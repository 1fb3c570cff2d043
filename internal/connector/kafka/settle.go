package kafka

import (
	"context"
	"encoding/binary"
	"errors"
	"math"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// prepared is what a checkpoint keeps of transactions: the newest one of its statement.
type prepared struct {
	// number counts the transactions of a statement, 0 if there was none. It is recorded in the transaction, and so can be seen when that is committed.
	number int64
	// doubt says that the transaction was ready and not committed when the checkpoint was written. One that is not in doubt was committed before.
	doubt bool
	// base and which are its transactional id, producer and epoch what the brokers know it by.
	base     string
	which    int
	producer int64
	epoch    int16
}

// preparedVersion is the first byte of a prepared. Behind it come, as varints of package encoding/binary: number; flags (1 = in doubt, 2 = the second of the two producers);
// length of base; base; producer; epoch.
const preparedVersion = 1

func (p *prepared) append(b []byte) []byte {
	var flags int64
	if p.doubt {
		flags |= 1
	}
	flags |= int64(p.which) << 1
	b = append(b, preparedVersion)
	for _, n := range []int64{p.number, flags, int64(len(p.base))} {
		b = binary.AppendVarint(b, n)
	}
	b = append(b, p.base...)
	b = binary.AppendVarint(b, p.producer)
	return binary.AppendVarint(b, int64(p.epoch))
}

var errPrepared = errors.New("what a checkpoint says of transactions makes no sense")

// readPrepared reads what append wrote. No bytes are those of a statement that begins.
func readPrepared(b []byte) (p prepared, err error) {
	if len(b) == 0 {
		return p, nil
	}
	if b[0] != preparedVersion {
		return p, fault.Errorf(fault.User, "what a checkpoint says of transactions has version %d, and this program reads version %d", b[0], preparedVersion)
	}
	b = b[1:]
	ok := true
	next := func(least, most int64) int64 {
		n, size := binary.Varint(b)
		if ok = ok && size > 0 && n >= least && n <= most; !ok {
			return 0
		}
		b = b[size:]
		return n
	}
	p.number = next(0, math.MaxInt64)
	flags := next(0, 3)
	p.doubt, p.which = flags&1 != 0, int(flags>>1)
	length := next(0, int64(len(b)))
	if ok = ok && length <= int64(len(b)); !ok {
		return prepared{}, errPrepared
	}
	p.base, b = string(b[:length]), b[length:]
	p.producer = next(-1, math.MaxInt64)
	p.epoch = int16(next(-1, math.MaxInt16))
	if !ok || len(b) > 0 || p.doubt && p.number == 0 {
		return prepared{}, errPrepared
	}
	return p, nil
}

// coordinator is what brokers can be asked about the transactions of a statement. An error is one of talking to them.
type coordinator interface {
	// recorded is the greatest number in a transaction that is committed, 0 if there is none. If settled it waits until no transaction is on its way to be.
	recorded(ctx context.Context, settled bool) (int64, error)
	// commit commits a transaction, which may have been committed before. It is false if that cannot be told or will never be.
	commit(ctx context.Context, p prepared) (bool, error)
	// complete sees that a transaction that is committed can be seen, and its number too, if brokers have died before they saw to that.
	complete(ctx context.Context, p prepared) error
	// claim takes the ids of both producers away from whoever has them, and gives up what they have begun or left behind.
	claim(ctx context.Context) error
}

// settle decides what became of the newest transaction of a checkpoint, and sees that nothing else of the statement ever comes to light. It is connector.ErrUndone if that transaction has
// not and will not. The number is that of the newest transaction that there is.
func settle(ctx context.Context, c coordinator, newest prepared, shown bool) (number int64, err error) {
	seen, err := c.recorded(ctx, false)
	if err != nil {
		return 0, err
	}
	committed := !newest.doubt || shown || seen >= newest.number
	if !committed {
		// Before the ids are claimed, which gives up what is not committed.
		if committed, err = c.commit(ctx, newest); err != nil {
			return 0, err
		}
	}
	if committed && newest.number > 0 {
		// Before the ids are claimed too: whoever has them next would have to guess how it ended.
		if err := c.complete(ctx, newest); err != nil {
			return 0, err
		}
	}
	if err := c.claim(ctx); err != nil {
		return 0, err
	}
	if !committed {
		if seen, err = c.recorded(ctx, true); err != nil {
			return 0, err
		}
		switch {
		case seen >= newest.number:
		case seen == 0 && newest.number > 1:
			return 0, fault.Errorf(fault.User, "nobody knows any more whether the rows of the newest checkpoint are in the topics: they were to be shown by transaction %d of '%s', which the brokers have forgotten, as they do after a week; docs/state.md says what to do",
				newest.number, newest.base)
		default:
			return 0, connector.ErrUndone
		}
	}
	return max(seen, newest.number), nil
}
