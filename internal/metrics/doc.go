// Package metrics gives numbers about running statements the names and labels of Confluent Cloud, so that dashboards and alerts that people have keep their meaning. It counts nothing itself: what
// there is to say comes from runtime.Stats.
//
// Open series.go first: the list of all series. collect.go makes samples of a look at the statements; prometheus.go writes them.
package metrics
