package main

import (
	"context"
	"io"
)

func testVerb(_ context.Context, args []string, stdout, stderr io.Writer) error {
	return usageErrorf("x")
}
