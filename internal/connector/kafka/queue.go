package kafka

// A chunk ends with the batch that brings it to so many records or bytes. What a replay does depends on these numbers, and so on nothing that
// differs between two runs.
const (
	chunkRecords = 8192
	chunkBytes   = 512 << 10
)

// chunk is whole batches of one partition, of which the records in [from, to) count.
type chunk struct {
	partition *partition
	from, to  int64
	batches   []batch
	bytes     int64
}

// Size is the bytes of the batches, as compressed as they were sent.
func (c *chunk) Size() int64 { return c.bytes }

// Written implements connector.Written: the timestamps of the first batch and the last. A batch tells those of its producer, or that of the log.
func (c *chunk) Written() (first, last int64) {
	b := c.batches[0]
	first = b.firstTime()
	if b.attributes()&logAppendTime != 0 {
		first = b.maxTime()
	}
	return 1000 * first, 1000 * c.batches[len(c.batches)-1].maxTime()
}

// full reports whether c takes no more batches.
func (c *chunk) full(records int) bool { return records >= chunkRecords || c.bytes >= chunkBytes }

// queue is the batches of one partition that have arrived and are not read yet.
type queue struct {
	batches []batch
	bytes   int64
}

func (q *queue) push(b batch) {
	q.batches = append(q.batches, b)
	q.bytes += int64(len(b))
}

// take cuts a chunk off the queue. Unless partial, there is none before it is full.
func (q *queue) take(c *chunk, partial bool) bool {
	n, records := 0, 0
	for n < len(q.batches) && !c.full(records) {
		b := q.batches[n]
		c.bytes += int64(len(b))
		records += b.count()
		n++
	}
	if n == 0 || !partial && !c.full(records) {
		return false
	}
	c.batches = append(c.batches, q.batches[:n]...)
	rest := copy(q.batches, q.batches[n:])
	clear(q.batches[rest:])
	q.batches = q.batches[:rest]
	q.bytes -= c.bytes
	return true
}

func (q *queue) clear() { *q = queue{} }
