package summary

import (
	"fmt"
	"time"

	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Progress is a line on how far a job has come.
func Progress(s runtime.Stats, took time.Duration) string {
	var read, bytes, size int64
	frontier, utc := watermark.Final, false
	for _, src := range s.Sources {
		read += src.Rows
		bytes += src.Bytes
		size += src.Size
		if src.Watermarked && src.Watermark != nil && src.Watermark.Frontier < frontier {
			frontier, utc = src.Watermark.Frontier, src.Instant
		}
	}
	line := fmt.Sprintf("%s in, %s out, %s rows/s", rows(read), rows(s.Results()), numfmt.Grouped(int64(float64(read)/max(took.Seconds(), 0.001))))
	if size > 0 {
		line += fmt.Sprintf(", %d %%", min(bytes*100/size, 100))
	}
	if frontier != watermark.Final && frontier != watermark.Unset {
		line += ", watermark " + mark(frontier, utc)
	}
	system := watermark.Final
	for _, sink := range s.Sinks {
		system = min(system, sink.System)
	}
	if onTheWay(system) {
		line += ", system watermark " + mark(system, true)
	}
	return line
}

// onTheWay reports whether there is something to say of a system frontier: it is known, and there is more to come.
func onTheWay(system watermark.Frontier) bool {
	return system != watermark.Unset && system != watermark.Final
}
