package main

import (
	"os"
	"testing"
)

// The spec names its file from the root of the repository.
func TestMain(m *testing.M) {
	if err := os.Chdir("../../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func Example() {
	main()
	// Output:
	// +I[that, 2026-11-30T12:00:00Z, 1]
	// +I[is, 2026-11-30T12:00:00Z, 1]
	// +I[question, 2026-11-30T12:00:00Z, 1]
	// +I[not, 2026-11-30T12:00:00Z, 2]
	// +I[or, 2026-11-30T12:00:00Z, 1]
	// +I[to, 2026-11-30T12:00:00Z, 4]
	// +I[be, 2026-11-30T12:00:00Z, 4]
	// +I[the, 2026-11-30T12:00:00Z, 1]
	// +I[whether, 2026-11-30T12:00:00Z, 1]
	// +I[not, 2026-11-30T13:00:00Z, 1]
	// +I[or, 2026-11-30T13:00:00Z, 1]
	// +I[to, 2026-11-30T13:00:00Z, 1]
	// +I[be, 2026-11-30T13:00:00Z, 1]
}
