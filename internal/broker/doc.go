// Package broker is a Kafka broker inside the process: the home of managed tables when no other brokers are named.
//
// It speaks Kafka's protocol on a port of the loopback interface, so that the connector that reads and writes Apache Kafka reads and writes
// it too, and so does any client of Kafka. Topics live in memory, or in a folder. The protocol is franz-go's kfake; this package starts and
// stops it, and adds what kfake stores and does not enforce: a topic's message.timestamp.type, the bounds of message timestamps, names and numbers of partitions.
// What kfake cannot keep of the broker's timestamps is kept as a mark, which connections turn into what it stands for (stamp.go, wire.go).
//
// kfake opens a damaged folder with what it can read of it. So the folder is looked at first (folder.go, segment.go, index.go), and sealed with
// checksums when the broker ends in order (seal.go). What kfake cannot write it only logs: storage.go listens.
//
// It is one process without replicas, and no place for data that must not be lost. kfake ends transactions partition by partition, and forgets those
// that are open at a kill. So what is about to be committed is noted in the folder (commits.go), and when it is opened after a kill that is finished and what else is open is given up, for good (unended.go). Production means
// Apache Kafka.
//
// Start at broker.go; timestamps.go, rules.go and named.go have what is added to the protocol. The tests run the same cases against this broker and against Apache Kafka.
package broker
