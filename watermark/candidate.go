package watermark

// Candidates says what a split promises by itself. The set is closed: nil, which is the greatest value of the watermark expression, Code, Lookahead and HandedOver.
type Candidates interface {
	String() string
	candidates()
}

// SourceDelay is how far the watermark of SOURCE_WATERMARK() is behind the newest time, in microseconds. Confluent Cloud: since March 2026, whatever the disorder; before, it was learnt from
// the last 5,000 records of a partition.
const SourceDelay int64 = 180_000
