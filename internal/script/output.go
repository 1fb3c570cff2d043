package script

import (
	"bytes"
	"strings"
	"sync"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// output collects what a block prints. The last task of the job writes to it until the job settles, and tasks of a job that failed until
// it has stopped.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
	rows int64 // that sinks of scripts have taken
	told []*told
}

// Write takes what sinks for people print.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

// take returns the lines collected since the last call. Blank ones are left out, since they end a block.
func (o *output) take() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	text := o.text.String()
	o.text.Reset()
	return printable(text)
}

// length is how much has been collected since the last take.
func (o *output) length() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Len()
}

// cut forgets what was collected behind the first n bytes.
func (o *output) cut(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.Truncate(n)
}

// printable cuts a text into lines that can stand in a script.
func printable(text string) []string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimRight(line, " \t\r"); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// sink makes a sink of rows with the given schema.
func (o *output) sink(schema types.Schema) connector.Sink { return &sink{o, schema, nil} }

type sink struct {
	output *output
	schema types.Schema
	line   []byte
}

func (s *sink) Write(b *vector.Batch) error {
	s.output.mu.Lock()
	defer s.output.mu.Unlock()
	rows := b.Rows()
	for k := range rows.Count() {
		row := rows.At(k)
		op := vector.Insert
		if b.Ops != nil {
			op = b.Ops[row]
		}
		s.line = append(s.line[:0], op.String()...)
		for i, f := range s.schema {
			separator := ", "
			if i == 0 {
				separator = " "
			}
			s.line = append(s.line, separator...)
			s.line = appendValue(s.line, f.Type, b.Cols[i], row)
		}
		s.output.text.Write(append(s.line, '\n'))
		s.output.rows++
	}
	return nil
}

func (s *sink) Flush() error { return nil }

func (s *sink) Close() error { return nil }
