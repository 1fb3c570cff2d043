package api

import "encoding/json"

// Advice is what delays would do to a table: where a study is, and what it has found. Report has the form that `tidemark advise --json` prints.
type Advice struct {
	APIVersion string `json:"api_version"`
	Kind       string `json:"kind"`
	// State is "running", "done" or "failed", and Detail why it failed.
	State  string          `json:"state"`
	Detail string          `json:"detail,omitempty"`
	Rows   int64           `json:"rows"`
	Report json.RawMessage `json:"report,omitempty"`
}

// KindAdvice is the kind of an Advice.
const KindAdvice = "TableAdvice"
