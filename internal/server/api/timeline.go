package api

// Timeline is event time against wall clock over the last ten minutes, of the sources of a statement and of what the operators behind made of it; with the parameter since, in milliseconds, from then on. Moments are milliseconds since the epoch, event times too.
type Timeline struct {
	APIVersion string `json:"api_version"`
	Kind       string `json:"kind"`
	At         int64  `json:"at"`
	Running    bool   `json:"running"`
	// From is the first moment that is known; before it there is nothing, or it was forgotten.
	From    int64            `json:"from"`
	Sources []TimelineSource `json:"sources"`
	Firings []Firing         `json:"firings"`
	// Marks are the watermark of the statement: the least of its sources that take part.
	Marks []TimelineMark `json:"marks"`
}

// KindTimeline is the kind of a Timeline.
const KindTimeline = "StatementTimeline"

// TimelineSource is a source.
type TimelineSource struct {
	Name    string          `json:"name"`
	Instant bool            `json:"instant"`
	Marks   []TimelineMark  `json:"marks"`
	Splits  []TimelineSplit `json:"splits"`
	// More is how many splits are left out.
	More int `json:"more,omitempty"`
}

// TimelineMark is a watermark from a moment on; Event is nil while there is none.
type TimelineMark struct {
	At    int64  `json:"at"`
	Event *int64 `json:"event"`
}

// TimelineSplit is a split: a sample of its rows, its watermark, and the spells in which it took no part.
type TimelineSplit struct {
	Name   string          `json:"name"`
	Rows   []TimelineRow   `json:"rows"`
	Marks  []TimelineMark  `json:"marks"`
	Spells []TimelineSpell `json:"spells"`
}

// TimelineRow is a row of the sample, which has at least one of every stretch in which there were rows, and late ones before others.
type TimelineRow struct {
	At    int64 `json:"at"`
	Event int64 `json:"event"`
	Late  bool  `json:"late,omitempty"`
}

// TimelineSpell is a stretch in which a split was idle or paused; To is 0 while it lasts.
type TimelineSpell struct {
	State string `json:"state"` // "idle" or "paused"
	From  int64  `json:"from"`
	To    int64  `json:"to,omitempty"`
}

// Firing is that windows of one end were complete: when, which (Start is nil for what has only an end), and how many rows came out.
type Firing struct {
	At       int64  `json:"at"`
	Operator string `json:"operator_id"`
	Start    *int64 `json:"start,omitempty"`
	End      int64  `json:"end"`
	Rows     int64  `json:"rows"`
}
