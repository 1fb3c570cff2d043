// Package state holds what operators keep by key, and how it is written down.
//
// Keys gives every key a dense number, so that the rest of an operator's state can live in plain columns indexed by it. Encoding
// of keys, their hash and their group are fixed here once: the canonical encoding of a key is what is hashed, what a snapshot
// holds, and what decides which task owns the key.
//
// Tables are in memory; a snapshot is bytes made by explicit, versioned encoders, never by reflection over Go types.
package state
