// Package flowspec reads specs of pipelines as YTsaurus Flow has them: computations that are joined by streams, with their sources, sinks, timers and watermark
// strategies. Texts are YAML, JSON, which YAML holds, or the part of YSON that specs need.
//
// A Pipeline says what was written, each part with its place, and is checked as a whole: who writes which stream, who reads it, what a source may have and a transform may
// not. It knows no tables, connectors or plans; package lower makes plans of it.
//
// Start at Parse. Node is a text in whatever notation (yaml.go, yson.go); pipeline.go is what a spec can say, decode.go reads it from nodes, validate.go holds the parts against
// each other.
package flowspec
