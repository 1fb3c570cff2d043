// Package operator holds the streaming operators, one a file: filter, project, window_assign, window_aggregate,
// session_aggregate.
//
// An operator is built from a plain spec with columns given by position; it never learns how tasks are scheduled, what SQL said,
// or what time it is. The contract is dataflow.Operator.
package operator
