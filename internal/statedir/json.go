package statedir

import (
	"encoding/json"
	"io"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

// The same as WriteText, for programs: fields may be added, none changes its meaning. Watermarks are null until they are set, and "max" at the end of the input.
type (
	jsonStatement struct {
		Name        string           `json:"name"`
		Path        string           `json:"path"`
		SQL         string           `json:"sql,omitempty"`
		Checkpoints []jsonCheckpoint `json:"checkpoints"`
		Aside       []string         `json:"set_aside"`
		Orphaned    bool             `json:"orphaned,omitempty"`
	}
	jsonCheckpoint struct {
		ID         int64        `json:"id"`
		File       string       `json:"file"`
		Taken      string       `json:"taken"`
		Age        int64        `json:"age_ms"`
		Bytes      int64        `json:"bytes"`
		Elsewhere  int64        `json:"bytes_in_older_files,omitempty"`
		OlderFiles int          `json:"older_files,omitempty"`
		Damage     string       `json:"damage,omitempty"`
		Content    *jsonContent `json:"content,omitempty"`
	}
	jsonContent struct {
		Finished  bool           `json:"finished"`
		Written   int64          `json:"rows_written"`
		Prepared  int64          `json:"sink_bytes"`
		Sources   []jsonSource   `json:"sources"`
		Operators []jsonOperator `json:"operators"`
	}
	jsonSource struct {
		Table     string      `json:"table"`
		Watermark *string     `json:"watermark"`
		Read      int64       `json:"rows_read"`
		Bytes     int64       `json:"bytes_read"`
		Late      int64       `json:"rows_late"`
		Skipped   int64       `json:"rows_skipped"`
		NullTime  int64       `json:"rows_without_time"`
		Splits    []jsonSplit `json:"splits"`
		Gone      int         `json:"splits_gone"`
	}
	jsonSplit struct {
		Name      string  `json:"name"`
		Offset    int64   `json:"offset"`
		Finished  bool    `json:"finished"`
		Watermark *string `json:"watermark"`
		Read      int64   `json:"rows_read"`
		Late      int64   `json:"rows_late"`
	}
	jsonOperator struct {
		ID      string `json:"id"`
		Label   string `json:"label,omitempty"`
		Print   string `json:"fingerprint,omitempty"`
		State   bool   `json:"stateful"`
		Groups  int64  `json:"groups"`
		Rows    int64  `json:"rows"`
		Bytes   int64  `json:"bytes"`
		In      int64  `json:"rows_in"`
		Out     int64  `json:"rows_out"`
		Dropped int64  `json:"rows_dropped"`
	}
)

// WriteJSON writes what statements have kept as one JSON value, an array. now is the wall clock in microseconds. Errors are those of w.
func WriteJSON(w io.Writer, views []*View, now int64) error {
	all := []jsonStatement{}
	for _, v := range views {
		s := jsonStatement{Name: v.Name, Path: v.Path, SQL: v.SQL, Checkpoints: []jsonCheckpoint{}, Aside: v.Aside, Orphaned: v.Orphaned}
		if s.Aside == nil {
			s.Aside = []string{}
		}
		for _, c := range v.Checkpoints {
			s.Checkpoints = append(s.Checkpoints, jsonCheckpoint{ID: c.ID, File: c.File, Taken: isoTime(c.Taken, true), Age: (now - c.Taken) / timefmt.Millisecond,
				Bytes: c.Bytes, Elsewhere: c.Elsewhere, OlderFiles: c.OlderFiles, Damage: c.Damage, Content: c.Content.json()})
		}
		all = append(all, s)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(all)
}

func (c *Content) json() *jsonContent {
	if c == nil {
		return nil
	}
	out := &jsonContent{Finished: c.Finished, Written: c.Written, Prepared: c.Prepared, Sources: []jsonSource{}, Operators: []jsonOperator{}}
	for _, s := range c.Sources {
		x := jsonSource{Table: s.Table, Watermark: jsonMark(s.Watermark.Frontier, s.Instant), Read: s.Counts.Rows, Bytes: s.Counts.Bytes, Late: s.Counts.Late,
			Skipped: s.Counts.Skipped, NullTime: s.Counts.NullTime, Splits: []jsonSplit{}, Gone: len(s.Finished)}
		for i, p := range s.Splits {
			split := jsonSplit{Name: p.Name, Offset: p.Offset, Finished: p.Done}
			if i < len(s.Watermark.Splits) {
				own := s.Watermark.Splits[i]
				split.Watermark, split.Read, split.Late = jsonMark(own.Frontier, s.Instant), own.Read, own.Late
			}
			x.Splits = append(x.Splits, split)
		}
		out.Sources = append(out.Sources, x)
	}
	for _, o := range c.Operators {
		out.Operators = append(out.Operators, jsonOperator{o.ID, o.Label, o.Print, o.State, o.Size.Groups, o.Size.Rows, o.Size.Bytes, o.In, o.Out, o.Dropped})
	}
	return out
}

func jsonMark(f watermark.Frontier, utc bool) *string {
	switch f {
	case watermark.Unset:
		return nil
	case watermark.Final:
		end := "max"
		return &end
	}
	at := isoTime(f.W()*timefmt.Millisecond, utc)
	return &at
}

func isoTime(micros int64, utc bool) string {
	return string(timefmt.AppendTimestamp(nil, micros, 3, 'T', utc))
}
