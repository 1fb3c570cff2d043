package api

// Why is what a statement waits for. Watermarks and times of rows are text as the table has them, without a zone if its times have none; other times are RFC 3339.
type Why struct {
	APIVersion string `json:"api_version"`
	Kind       string `json:"kind"`
	At         string `json:"at"`
	// Running says that there is a job to look at; without one the rest is empty.
	Running   bool        `json:"running"`
	Watermark string      `json:"watermark,omitempty"`
	Text      string      `json:"text,omitempty"`
	Sources   []WhySource `json:"sources"`
	// Waiting are the operators that hold something back until the watermark comes by, in the order of the rows.
	Waiting []WhyWaiting `json:"waiting,omitempty"`
}

// WhyWaiting is what an operator does first when the watermark comes by. NeededMs is how much of event time is left; absent while no watermark has come to it.
type WhyWaiting struct {
	ID       string `json:"operator_id"`
	Name     string `json:"operator_name"`
	What     string `json:"what"` // as in Due
	Start    string `json:"start,omitempty"`
	At       string `json:"at"`
	NeededMs *int64 `json:"needed_ms,omitempty"`
	Text     string `json:"text"`
}

// KindWhy is the kind of a Why.
const KindWhy = "StatementWhy"

// WhySource is what the watermark of a source waits for.
type WhySource struct {
	Name      string      `json:"name"`
	Table     string      `json:"table"`
	State     string      `json:"state"`
	Holds     bool        `json:"holds"`
	Watermark string      `json:"watermark,omitempty"`
	Text      string      `json:"text"`
	Holders   []WhySplit  `json:"holders,omitempty"`
	More      int         `json:"more,omitempty"`
	Awaited   []string    `json:"awaited,omitempty"`
	Releases  []string    `json:"releases,omitempty"`
	Remedies  []WhyRemedy `json:"remedies,omitempty"`
}

// WhySplit is a split that holds the watermark.
type WhySplit struct {
	Split     string `json:"split"`
	Doing     string `json:"doing"`
	Since     string `json:"since"`
	Watermark string `json:"watermark,omitempty"`
	LastRow   string `json:"last_row,omitempty"`
	Rows      int64  `json:"rows"`
	// IdleInMs is how long it has to be silent still to be left out; absent if it never is.
	IdleInMs *int64 `json:"idle_in_ms,omitempty"`
	Upstream string `json:"upstream,omitempty"`
	Value    string `json:"value,omitempty"`
}

// WhyRemedy is something to do.
type WhyRemedy struct {
	Text string `json:"text"`
	SQL  string `json:"sql,omitempty"`
	// Then is what has to follow before the statement that waits has something of it.
	Then string `json:"then,omitempty"`
}
