package plan

// The hidden columns of relations whose rows are messages with two times, as those of Flow's streams are; both are TIMESTAMP_LTZ(3). They stand behind the others.
const (
	// EventTimestamp is when something happened; the watermark is about it.
	EventTimestamp = "$event_timestamp"
	// SystemTimestamp is when the message came to be: when its record was written, or by the clock of the engine.
	SystemTimestamp = "$system_timestamp"
)
