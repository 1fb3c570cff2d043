// Package process runs code of the program over rows by key: it keeps the state of each key and its timers, and gathers what the code writes.
//
// A Spec says what a Function reads and writes; an Instance is a function with all that it keeps, for one task. It is driven from outside: it is shown rows and how far the streams
// have come, and calls the function for each row and for each timer that is due. It knows columns, but no batches, plans or edges; operator.Process puts it behind an exchange.
//
// What timers do and mean is YTsaurus Flow's rule, without its whole seconds: a timer fires when the watermark has reached its trigger, inclusively; only when a watermark moves, never in
// the call that set it; in the order of triggers; and until then it holds back, at its event time, the streams that are written of it.
//
// Start at spec.go and function.go, which is what code sees; then instance.go, timers.go and store.go.
package process
