package api

// Overview is a page of statements with what the list of the page shows beside them. It takes the parameters of a list of statements.
type Overview struct {
	APIVersion string         `json:"api_version"`
	Kind       string         `json:"kind"`
	Metadata   ListMetadata   `json:"metadata"`
	At         int64          `json:"at"`
	Data       []OverviewLine `json:"data"`
}

// KindOverview is the kind of an Overview.
const KindOverview = "StatementOverview"

// OverviewLine is one of them. What its job tells is absent if none runs.
type OverviewLine struct {
	Name          string   `json:"name"`
	EnvironmentID string   `json:"environment_id"`
	Phase         string   `json:"phase"`
	Detail        string   `json:"detail"`
	Type          string   `json:"type"` // the sql_kind of its traits
	CreatedAt     string   `json:"created_at"`
	SQL           string   `json:"statement"` // its beginning, on one line
	Behind        *int64   `json:"behind,omitempty"`
	In            *Counted `json:"in,omitempty"`
	Out           *Counted `json:"out,omitempty"`
	Input         *Mark    `json:"input,omitempty"`
	Output        *Mark    `json:"output,omitempty"`
	Late          int64    `json:"late"`
	// Warnings are those of MODERATE severity and worse.
	Warnings int `json:"warnings"`
}
