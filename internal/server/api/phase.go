package api

// The phases of a statement. The names are Confluent Cloud's.
const (
	Pending   = "PENDING"
	Running   = "RUNNING"
	Degraded  = "DEGRADED"
	Stopping  = "STOPPING"
	Stopped   = "STOPPED"
	Completed = "COMPLETED"
	Failed    = "FAILED"
	Deleting  = "DELETING"
)

// Phases are all of them.
var Phases = []string{Pending, Running, Degraded, Stopping, Stopped, Completed, Failed, Deleting}

// Runs reports whether a statement has a job in this phase.
func Runs(phase string) bool { return phase == Running || phase == Degraded }

// Ended reports whether a statement does nothing any more in this phase, unless somebody has it go on.
func Ended(phase string) bool { return phase == Stopped || phase == Completed || phase == Failed }
