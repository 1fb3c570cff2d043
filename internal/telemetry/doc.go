// Package telemetry answers queries for single series, as the metrics API of Confluent Cloud does: what a profiler asks that is made for it. It knows what is now and no more: a query has the
// point of the step of time in which it is asked.
//
// Open query.go first; fields.go has what a series can be filtered and grouped by, descriptors.go what can be asked for. It does not speak HTTP.
package telemetry
