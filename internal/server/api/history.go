package api

// History is what a statement was like minute by minute, up to seven days back. Moments are milliseconds since the epoch.
type History struct {
	APIVersion string `json:"api_version"`
	Kind       string `json:"kind"`
	// From is the first minute; the values of a series are for each Step after it, and null where nothing is known.
	From   int64           `json:"from"`
	Step   int64           `json:"step_ms"`
	Series []HistorySeries `json:"series"`
}

// KindHistory is the kind of a History.
const KindHistory = "StatementHistory"

// HistorySeries is one series. Name and Labels are those of Metrics without the prefix; of counters the values are what was added in the step, of gauges the last or, where it says most, the greatest.
type HistorySeries struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels,omitempty"`
	Values []*float64        `json:"values"`
}
