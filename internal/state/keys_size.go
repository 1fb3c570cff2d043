package state

// Bytes implements Keys.
func (t *intKeys) Bytes() int64 { return 16*int64(len(t.slots)) + 8*int64(len(t.keys)) }

// Bytes implements Keys.
func (t *byteKeys) Bytes() int64 {
	return 8*int64(len(t.slots)+len(t.hashes)+len(t.ends)) + int64(len(t.data))
}
