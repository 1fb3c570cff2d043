package engine

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestWorkOfLongStatements plans what is four times as long with four times the memory: nothing of a chain or a list is copied for each of its links.
func TestWorkOfLongStatements(t *testing.T) {
	const table = "CREATE TABLE t (a INT, b INT) WITH ('connector' = 'datagen'); "
	for name, c := range map[string]struct{ begin, each, end string }{
		"AND":        {table + "SELECT a FROM t WHERE a <> 0", " AND a <> %d", ""},
		"OR":         {table + "SELECT a FROM t WHERE a < 0", " OR a / 2 > %d", ""},
		"AND of YQL": {table + "$q = SELECT a FROM t WHERE a != 0", " AND a != %d", "; SELECT a FROM $q"},
		"OR of YQL":  {table + "$q = SELECT a FROM t WHERE a < 0", " OR a / 2 > %d", "; SELECT a FROM $q"},
	} {
		t.Run(name, func(t *testing.T) {
			work := func(n int) uint64 {
				var text strings.Builder
				text.WriteString(c.begin)
				for i := range n {
					fmt.Fprintf(&text, c.each, i)
				}
				text.WriteString(c.end)
				return allocated(func() { executed(t, text.String()) })
			}
			work(1)
			if few, many := work(1_000), work(4_000); many > 6*few {
				t.Errorf("1,000 take %d bytes, 4,000 take %d", few, many)
			}
		})
	}
}

// allocated is how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, behind runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&behind)
	return behind.TotalAlloc - before.TotalAlloc
}
