package api

// Text is SQL that somebody is writing.
type Text struct {
	SQL string `json:"statement"`
	// Properties are as in a Spec. Cursor is where it is written, in UTF-16 units from the beginning, as JavaScript counts; only for completions.
	Properties map[string]string `json:"properties,omitempty"`
	Cursor     int               `json:"cursor,omitempty"`
}

// Checked is what is wrong with a Text.
type Checked struct {
	APIVersion string    `json:"api_version"`
	Kind       string    `json:"kind"`
	Problems   []Problem `json:"problems"`
}

// The kinds of answers about a Text.
const (
	KindChecked     = "TextChecked"
	KindExplained   = "TextExplained"
	KindCompletions = "TextCompletions"
)

// Problem is an error or a warning at a place of a Text. From and To are UTF-16 units from the beginning.
type Problem struct {
	Severity string `json:"severity"` // "error" or "warning"
	Code     string `json:"code,omitempty"`
	Message  string `json:"message"`
	Hint     string `json:"hint,omitempty"`
	From     int    `json:"from"`
	To       int    `json:"to"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
}

// Explained is the plan of a Text, or what is wrong with it.
type Explained struct {
	APIVersion string    `json:"api_version"`
	Kind       string    `json:"kind"`
	Plan       string    `json:"plan,omitempty"`
	Problems   []Problem `json:"problems"`
}

// Completions are what can stand at the cursor in place of what is between From and To, in UTF-16 units.
type Completions struct {
	APIVersion string   `json:"api_version"`
	Kind       string   `json:"kind"`
	From       int      `json:"from"`
	To         int      `json:"to"`
	Options    []string `json:"options"`
}
