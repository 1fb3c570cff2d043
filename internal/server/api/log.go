package api

// StatementLog is what has happened to a statement since the server began, the oldest first: changes of its phase, errors, warnings.
type StatementLog struct {
	APIVersion string       `json:"api_version"`
	Kind       string       `json:"kind"`
	Metadata   ListMetadata `json:"metadata"`
	Data       []LogLine    `json:"data"`
}

// KindLog is the kind of a StatementLog.
const KindLog = "StatementLog"

// LogLine is one thing that happened. Timestamp is RFC 3339 in UTC.
type LogLine struct {
	Timestamp string `json:"timestamp"`
	Level     string `json:"level"` // INFO, WARN or ERROR
	Message   string `json:"message"`
}
