// Package otlp sends the metrics of statements to a receiver of OpenTelemetry, over HTTP as protobuf, under the literal names of Confluent Cloud. What there is to say comes from package metrics; a
// statement never waits for it.
//
// Counters are sent as what was added since the last time that the receiver took them, as Confluent Cloud exports them, so nothing is lost while it is away. That is why this is not the SDK of
// OpenTelemetry: there, what was collected and could not be sent is gone.
//
// Open exporter.go first, then points.go; options.go has the standard variables of the environment.
package otlp
