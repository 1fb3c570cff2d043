// Package kafka is the connectors of topics: 'kafka', 'upsert-kafka', and the managed tables of whoever has a broker at hand.
//
// Each partition is a split, whose offset is that of the partition. One goroutine for each broker asks for what all splits need, and leaves the
// batches of records as they came in the queues of the splits; these are the only goroutines of a statement that runtime does not start, and
// closing the splits waits for them. A chunk is whole batches, still compressed. The workers decompress them, walk the records, and give
// keys and values to a format as ranges of bytes.
//
// A bounded split ends at an offset that is found when it is opened, whatever lies before it: markers of transactions, records that were
// compacted away. Its chunks are cut by numbers of records and bytes alone, never by what has arrived, so a replay is always the same.
//
// The package parses no values, which is package format's part, and keeps no consumer groups. Start at connector.go; options.go reads the
// options, start.go finds offsets, managed.go makes topics and inferred.go makes tables of topics, fetch.go asks brokers, batch.go knows the layout of records, sink.go writes.
// Watermarks that are handed over: promises.go says how far a sink is, upstream.go what all have said, promise_topic.go knows the topic in between, predecessors.go keeps it small.
// What is written exactly once is in transactions.go, and what becomes of it after a crash in settle.go.
package kafka
