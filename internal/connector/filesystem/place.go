package filesystem

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// place names the line that begins at offset. Lines are counted only now, by reading the file again, so that counting costs nothing while all is well;
// if that fails the offset has to do.
func place(path string, offset int64) string {
	if line, err := lineNumber(path, offset); err == nil {
		return fmt.Sprintf("%s line %d", path, line)
	}
	return fmt.Sprintf("%s at byte %d", path, offset)
}

// lineNumber counts from 1.
func lineNumber(path string, offset int64) (int, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	before := io.LimitReader(f, offset)
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
