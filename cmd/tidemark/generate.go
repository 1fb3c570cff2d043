package main

import (
	"context"
	"io"
	"time"

	"github.com/tidemark-sql/tidemark/internal/nexmark"
)

func generateVerb(f *flags) action {
	c := nexmark.Config{}
	table := f.String("table", "bids", "what to write: bids, auctions or people")
	f.Int64Var(&c.Rows, "rows", 1_000_000, "`number` of rows")
	f.Uint64Var(&c.Seed, "seed", 1, "`number` that picks one of many sequences; the same one gives the same bytes")
	f.Int64Var(&c.Keys, "keys", nexmark.DefaultKeys, "`number` of distinct bidders")
	f.Int64Var(&c.Rate, "rate", nexmark.DefaultRate, "events of all three kinds per second of event time")
	jitter := f.Duration("jitter", nexmark.DefaultJitter, "how far a row's time may lie behind that of rows before it")
	return func(_ context.Context, args []string, stdout, _ io.Writer) error {
		return generate(args, c, *table, *jitter, stdout)
	}
}

func generate(rest []string, c nexmark.Config, table string, jitter time.Duration, stdout io.Writer) error {
	if len(rest) != 1 || rest[0] != "nexmark" {
		return usageErrorf("write: tidemark generate nexmark --rows 1000000 > bids.jsonl")
	}
	var err error
	if c.Table, err = nexmark.ParseKind(table); err != nil {
		return usageErrorf("%s", err)
	}
	if c.Jitter = jitter; c.Jitter == 0 {
		c.Jitter = nexmark.InOrder
	}
	if c.Jitter < 0 && jitter != 0 {
		return usageErrorf("--jitter must not be negative: %s", jitter)
	}
	if c.Keys == 0 || c.Rate == 0 {
		return usageErrorf("--keys and --rate must be positive")
	}
	if err := c.Validate(); err != nil {
		return usageErrorf("%s", err)
	}
	return writeFault(nexmark.Write(stdout, c))
}
