package main

import (
	"context"
	"io"
	"time"

	"github.com/tidemark-sql/tidemark/internal/nexmark"
)

func generateVerb(_ context.Context, args []string, stdout, stderr io.Writer) error {
	f := newFlags("generate", "nexmark [flags] > FILE", stderr)
	c := nexmark.Config{}
	table := f.String("table", "bids", "what to write: bids, auctions or people")
	f.Int64Var(&c.Rows, "rows", 1_000_000, "`number` of rows")
	f.Uint64Var(&c.Seed, "seed", 1, "`number` that picks one of many sequences; the same one gives the same bytes")
	f.Int64Var(&c.Keys, "keys", nexmark.DefaultKeys, "`number` of distinct bidders")
	f.Int64Var(&c.Rate, "rate", nexmark.DefaultRate, "events of all three kinds per second of event time")
	jitter := f.Duration("jitter", nexmark.DefaultJitter, "how far a row's time may lie behind that of rows before it")
	rest, err := parse(f, args)
	if err != nil {
		return err
	}
	if len(rest) != 1 || rest[0] != "nexmark" {
		return usageErrorf("write: tidemark generate nexmark --rows 1000000 > bids.jsonl")
	}
	if c.Table, err = nexmark.ParseKind(*table); err != nil {
		return usageErrorf("%s", err)
	}
	if c.Jitter = *jitter; c.Jitter == 0 {
		c.Jitter = nexmark.InOrder
	}
	if c.Jitter < 0 && *jitter != 0 {
		return usageErrorf("--jitter must not be negative: %s", time.Duration(*jitter))
	}
	if c.Keys == 0 || c.Rate == 0 {
		return usageErrorf("--keys and --rate must be positive")
	}
	if err := c.Validate(); err != nil {
		return usageErrorf("%s", err)
	}
	return writeFault(nexmark.Write(stdout, c))
}
