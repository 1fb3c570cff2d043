// Package nexmark generates the events of the Nexmark benchmark, an online auction, as JSON lines: people register,
// auctions open, and people bid. It is deterministic, one Config gives the same bytes on every machine, and writes
// millions of rows a second.
//
// It is neither a connector nor a set of queries: it writes to an [io.Writer] and knows nothing of SQL.
//
// The classic generator interleaves one person, three auctions and 46 bids in every 50 events. This one writes one
// kind at a time but keeps that numbering: three files made with the same Seed, Rate and Start tell one story, in which
// bids go to auctions that are open and auctions are opened by people who have registered. Files of N people, 3 N
// auctions and 46 N bids cover the same stretch of event time.
//
// Start with config.go for what can be asked for and generator.go for how a row comes about; bid.go, auction.go and
// person.go hold one kind of event each.
package nexmark
