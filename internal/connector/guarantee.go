package connector

// Guarantee is how often a row is in the table of a sink in the end, whatever ends the statement and however often, if it goes on from its last checkpoint each time.
type Guarantee struct {
	Times Times
	// Why is half a sentence about what makes it so, and what would make it better.
	Why string
}

// Times is how often.
type Times uint8

// The guarantees, weakest first.
const (
	NoGuarantee Times = iota
	AtLeastOnce
	ExactlyOnce
)

// String is how people say it.
func (t Times) String() string { return [...]string{"none", "at least once", "exactly once"}[t] }

// GuaranteeOf is what the sink of a table promises.
func (c *Connector) GuaranteeOf(t Table, o Options) Guarantee {
	if c.Guarantee == nil {
		return Guarantee{AtLeastOnce, "what is written behind the last checkpoint is written again"}
	}
	return c.Guarantee(t, o)
}
