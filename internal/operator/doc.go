// Package operator holds the streaming operators.
//
// An operator is built from a plain spec with columns given by position; it never learns how tasks are scheduled, what SQL said,
// or what time it is. The contract is dataflow.Operator.
//
// Each has a file named for it, and if it keeps state one beside it that ends in _state.go, with its snapshot and the way back. Without state are filter, project, expand, unnest,
// window_assign and current_watermark. By window: window_aggregate, whose windows are aligned (window_aligned) or carried by the rows (window_attached), session_aggregate and
// window_top_n. Without windows: group_aggregate, join, set_operation, normalize and top_n, which tell every change, and over, match and sort, which wait for the watermark; limit. Joins by time: temporal_join,
// interval_join and window_join.
//
// What several share: input.go and emit.go (the rows of a batch, the size of results), window_fire.go (when windows are due), aggregate.go, held_rows.go and ranked_rows.go (rows that are
// kept), cold.go (keys for which there is no memory), state_decoder.go, row_error.go. Start at filter.go, then read group_aggregate.go.
package operator
