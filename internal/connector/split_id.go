package connector

import "crypto/sha256"

// SplitID stands for the name of a split where very many have to be remembered. Two names never have the same one: 16 bytes of a SHA-256.
type SplitID [16]byte

// IDOf is the one of a name.
func IDOf(name string) SplitID {
	sum := sha256.Sum256([]byte(name))
	return SplitID(sum[:16])
}
