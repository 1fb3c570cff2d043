package filesystem

import (
	"bytes"
	"fmt"
	"io"
	"math"
)

// placeName names the line that begins at offset of the text of f. Lines are counted only now, by reading the file again, so that counting costs nothing while all is
// well; if that fails the offset has to do.
func placeName(f file, offset int64) string {
	if line, err := lineNumber(f, offset); err == nil {
		return fmt.Sprintf("%s line %d", f.path, line)
	}
	return fmt.Sprintf("%s at byte %d", f.path, offset)
}

// lineNumber counts from 1.
func lineNumber(f file, offset int64) (int, error) {
	text, err := openText(f, math.MaxInt64)
	if err != nil {
		return 0, err
	}
	defer text.Close()
	before := io.LimitReader(text, offset)
	buf := make([]byte, 64<<10)
	line := 1
	for {
		n, err := before.Read(buf)
		line += bytes.Count(buf[:n], []byte{'\n'})
		if err == io.EOF {
			return line, nil
		}
		if err != nil {
			return 0, err
		}
	}
}
