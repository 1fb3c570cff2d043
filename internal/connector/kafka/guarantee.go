package kafka

import (
	"fmt"
	"math"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
)

// guarantee is a value of 'sink.delivery-guarantee'.
type guarantee uint8

const (
	noGuarantee guarantee = iota
	atLeastOnce
	exactlyOnce
)

const (
	optionGuarantee = "sink.delivery-guarantee"
	optionPrefix    = "sink.transactional-id-prefix"
)

// defaultPrefix is what transactional ids, and the groups in which transactions are recorded, begin with.
const defaultPrefix = "tidemark"

// defaultTransaction is after how long brokers give up a transaction, and the longest that they let clients ask for unless they are told otherwise. Flink 2.3 asks for an hour, which brokers refuse.
// What is given up is written again, so that this is about work and not about rows.
const defaultTransaction = 15 * time.Minute

const (
	optionTimeout  = "properties.transaction.timeout.ms"
	timeoutDoc     = "for exactly-once: after how long brokers give up a transaction, in milliseconds, which has to be longer than from one checkpoint to the next; what is given up is written again"
	timeoutDefault = "900000"
)

func (c *config) readTimeout(v string) error {
	n, err := number("transaction.timeout.ms", v, 1000, math.MaxInt32)
	c.transaction = time.Duration(n) * time.Millisecond
	return err
}

var guaranteeSpecs = []connector.Spec{
	{Key: optionGuarantee, Values: []string{"none", "at-least-once", "exactly-once"}, Default: "at-least-once; managed tables: exactly-once",
		Doc: "what holds of a statement with a folder for its state, if it fails: exactly-once writes in transactions, which are committed with checkpoints"},
	{Key: optionPrefix, Default: defaultPrefix,
		Doc: "for exactly-once: what transactional ids begin with, and the consumer group in which transactions are recorded; what follows is the name of the statement and of its folder"},
}

func chosenGuarantee(k kind, o connector.Options) guarantee {
	switch o[optionGuarantee] {
	case "none":
		return noGuarantee
	case "at-least-once":
		return atLeastOnce
	case "exactly-once":
		return exactlyOnce
	}
	if k == kindManaged {
		return exactlyOnce
	}
	return atLeastOnce
}

// guaranteeOf is what holds of a table.
func guaranteeOf(k kind, home Home, o connector.Options) connector.Guarantee {
	if home != nil && home.Ends() == Forgotten {
		return connector.Guarantee{Why: "the table is in the broker of this process and gone with it; --data-dir names a folder for it, --brokers other brokers"}
	}
	switch chosenGuarantee(k, o) {
	case noGuarantee:
		return connector.Guarantee{Why: "a checkpoint does not wait for the brokers ('" + optionGuarantee + "' = 'none')"}
	case atLeastOnce:
		return connector.Guarantee{Times: connector.AtLeastOnce, Why: "what is written behind the last checkpoint is written again; '" + optionGuarantee + "' = 'exactly-once' writes in transactions"}
	}
	if home != nil && home.Ends() == WithProcess {
		return connector.Guarantee{Times: connector.ExactlyOnce, Why: "a transaction for each checkpoint, whatever ends this process; a loss of power can take what was written last, which brokers of Apache Kafka have in several places (--brokers)"}
	}
	return connector.Guarantee{Times: connector.ExactlyOnce, Why: "a transaction for each checkpoint, for whoever reads with isolation level read_committed"}
}

// readGuarantee reads what the table is promised.
func (c *config) readGuarantee(o connector.Options) error {
	c.guarantee = chosenGuarantee(c.kind, o)
	c.prefix = defaultPrefix
	if p, ok := o[optionPrefix]; ok {
		c.prefix = p
	}
	if c.guarantee != exactlyOnce {
		return nil
	}
	acks := o["properties.acks"]
	switch {
	case c.prefix == "":
		return &connector.OptionError{Key: optionPrefix, Message: "transactional ids have to begin with something", Hint: "leave it out: '" + defaultPrefix + "' is what they begin with"}
	case acks != "" && acks != "all" && acks != "-1":
		return &connector.OptionError{Key: "properties.acks", Message: fmt.Sprintf("what is written exactly once is acknowledged by all brokers, and 'properties.acks' is '%s'", acks),
			Hint: "leave it out, or write 'sink.delivery-guarantee' = 'at-least-once'"}
	}
	return nil
}
