package statements

import (
	"maps"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// Phase is where a statement is in its life. The names are Confluent Cloud's.
type Phase string

// The phases. Failed, Completed and Stopped are ends; a statement that was stopped can be resumed.
const (
	Pending   Phase = api.Pending
	Running   Phase = api.Running
	Degraded  Phase = api.Degraded // it is started again and again
	Stopping  Phase = api.Stopping
	Stopped   Phase = api.Stopped
	Completed Phase = api.Completed
	Failed    Phase = api.Failed
	Deleting  Phase = api.Deleting
)

// Ended reports whether nothing of the statement runs any more.
func (p Phase) Ended() bool { return api.Ended(string(p)) }

// Spec is what a client asked for.
type Spec struct {
	// SQL is one statement, with or without its semicolon.
	SQL string
	// Properties are SET for the statement alone.
	Properties map[string]string
	// Labels are for clients.
	Labels map[string]string
	// Organization, Environment, Pool and Principal are what the client calls where and for whom the statement runs. There is one place, and they mean nothing to it.
	Organization, Environment, Pool, Principal string
	// Owner is the name of the API key with which it was made; "" without one.
	Owner string
	// Stopped says that it is not to run.
	Stopped bool
}

func (s Spec) clone() Spec {
	s.Properties, s.Labels = maps.Clone(s.Properties), maps.Clone(s.Labels)
	return s
}

// Statement is a statement at one moment.
type Statement struct {
	Name string
	// UID is of this statement alone, also if another has had its name.
	UID string
	Spec
	// Created and Updated are microseconds since the epoch.
	Created, Updated int64
	// Version grows with every change.
	Version int64
	Phase   Phase
	// Detail says more about the phase: why it failed, mostly.
	Detail   string
	Warnings []Warning
	// Traits are nil before the statement is planned, and if it could not be.
	Traits *Traits
}

// Warning is something about a statement that may not be meant.
type Warning struct {
	At       int64 // microseconds
	Severity Severity
	Reason   string
	Message  string
}

// Severity is how bad it is. The names are Confluent Cloud's.
type Severity string

// The severities: something to know, something that is seldom meant, something that is wrong now.
const (
	Low      Severity = "LOW"
	Moderate Severity = "MODERATE"
	Critical Severity = "CRITICAL"
)

// Traits are what the plan of a statement tells.
type Traits struct {
	// Kind is what it is: SELECT, INSERT_INTO, CREATE_TABLE and so on.
	Kind string
	// Bounded says that it comes to an end by itself, AppendOnly that it takes no result back.
	Bounded, AppendOnly bool
	// Schema is that of its results; nil if it has none.
	Schema types.Schema
}

// Exception is an attempt that failed.
type Exception struct {
	At      int64 // microseconds
	Name    string
	Message string
}

// byAge orders statements by when they were created, the newest first, then by name.
func byAge(all []Statement) {
	slices.SortFunc(all, func(a, b Statement) int {
		switch {
		case a.Created != b.Created:
			return int(max(min(b.Created-a.Created, 1), -1))
		case a.Name < b.Name:
			return -1
		case a.Name > b.Name:
			return 1
		}
		return 0
	})
}
