package function

import (
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// InstantOfText reads an instant as ISO 8601 writes it, with its offset; one without is UTC. A text that is none gives NULL. It is in no list, since Flink SQL has no such function; others
// that need one take it from here.
var InstantOfText = &Scalar{
	Name: "ISO_8601", Family: FamilyTime,
	Overloads: []Overload{{Params: stringParams(1), Result: types.TimestampLTZType, MayBeNull: true, Kernel: func(c *Call) error {
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			micros, _, ok := timefmt.ParseTimestamp(c.Args[0].Bytes(i))
			if !ok {
				c.SetNull(i)
				micros = 0
			}
			c.Out.Ints[i] = timefmt.Floor(micros, timefmt.Step(3))
		}
		return nil
	}}},
}
