//go:build invariants

package invariant

// Enabled turns the checks on.
const Enabled = true
