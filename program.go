package tidemark

import (
	"io"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// blamedReader is a Reader of the program's, whose panics are errors of Read.
type blamedReader struct {
	io.Reader
	what string
}

// Read implements io.Reader.
func (r blamedReader) Read(p []byte) (n int, err error) {
	defer fault.Blamed(&err)
	defer fault.Blame(r.what)
	return r.Reader.Read(p)
}

// blamedWriter is a Writer of the program's, whose panics are errors of Write.
type blamedWriter struct {
	io.Writer
	what string
}

// Write implements io.Writer.
func (w blamedWriter) Write(p []byte) (n int, err error) {
	defer fault.Blamed(&err)
	defer fault.Blame(w.what)
	return w.Writer.Write(p)
}
