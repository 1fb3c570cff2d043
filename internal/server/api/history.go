package api

// History is what a statement was like minute by minute, up to seven days back. Moments are milliseconds since the epoch.
type History struct {
	APIVersion string `json:"api_version"`
	Kind       string `json:"kind"`
	// From is the first minute; the values of a series are for each Step after it, and null where nothing is known.
	From   int64           `json:"from"`
	Step   int64           `json:"step_ms"`
	Series []HistorySeries `json:"series"`
	// Notes are sentences about what is not there, such as that older values were dropped for want of room.
	Notes []string `json:"notes,omitempty"`
}

// KindHistory is the kind of a History.
const KindHistory = "StatementHistory"

// HistorySeries is one series. Name and Labels are those of Metrics without the prefix, where there is such a series. Fold says how the minutes of a step became one value: "sum" of what a counter
// counted, "last", "most" or "mean".
type HistorySeries struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels,omitempty"`
	Fold   string            `json:"fold"`
	Values []*float64        `json:"values"`
}
