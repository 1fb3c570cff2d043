package metrics

import "github.com/tidemark-sql/tidemark/watermark"

// streams tells of the streams of a pipeline and of the alignment groups of its sources. Flow: Stream Time Lag and Event Watermark Lag.
func (c *collector) streams() {
	for _, s := range c.look.Stats.Streams() {
		c.add(streamRecords, float64(s.Rows), s.Name)
		c.mark(streamEvent, s.Frontier, s.Name)
		c.mark(streamSystem, s.System, s.Name)
		if s.System != watermark.Unset && s.System != watermark.Final {
			c.add(streamLag, millis(c.look.At-int64(s.System)), s.Name)
		}
	}
	for _, g := range c.look.Stats.Groups() {
		c.mark(groupEvent, g.Frontier, g.Name)
		c.mark(groupSystem, g.System, g.Name)
	}
}
