package function

import (
	"bytes"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/javaregexp"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var stringMap = types.MapOf(types.StringType, types.StringType)

// mustPattern compiles a pattern that is known to be right.
func mustPattern(pattern string) perRow[*javaregexp.Pattern] {
	p, err := javaregexp.Compile(pattern)
	if err != nil {
		panic("tidemark bug: " + err.Error())
	}
	return known(p)
}

func bindStrToMap(constants []*vector.Vector) (Kernel, error) {
	entry, err := preparePattern("STR_TO_MAP", 1, javaregexp.Compile, constants)
	if err != nil {
		return nil, err
	}
	key, err := preparePattern("STR_TO_MAP", 2, javaregexp.Compile, constants)
	if err != nil {
		return nil, err
	}
	return strToMap(entry, key), nil
}

// strToMap splits as Java's String.split does: entries without the empty ones at the end, then each into two.
func strToMap(entrySeparator, keySeparator perRow[*javaregexp.Pattern]) Kernel {
	return func(c *Call) error {
		m := newEntries(c)
		entryPattern, keyPattern := entrySeparator(c), keySeparator(c)
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			entry, err := entryPattern(i)
			if err != nil {
				return err
			}
			key, err := keyPattern(i)
			if err != nil {
				return err
			}
			if entry == nil || key == nil {
				return rowErrorf(i, "a separator of STR_TO_MAP is no regular expression")
			}
			if s := c.Args[0].Bytes(i); len(s) > 0 {
				entry.Split(s, 0, func(s []byte) { m.split(s, key) })
			}
			m.end()
		}
		nested.PackMap(c.Arena, m.keys.Done(), m.values.Done(), m.ends, c.Rows, c.Out)
		return nil
	}
}

// entries builds maps of strings row by row.
type entries struct {
	keys, values *vector.Builder
	ends         []int32
	row          [][2][]byte    // the entries of the row; a value of nil is NULL
	byKey        map[string]int // of a row with many entries
}

// few is how many entries of a row are searched one by one.
const few = 16

func newEntries(c *Call) *entries {
	n := c.Rows.Count()
	return &entries{keys: vector.NewBuilder(c.Arena, vector.Bytes, 2*n), values: vector.NewBuilder(c.Arena, vector.Bytes, 2*n), ends: make([]int32, 0, n)}
}

// split puts the entry s into the row.
func (m *entries) split(s []byte, separator *javaregexp.Pattern) {
	var pair [2][]byte
	n := 0
	separator.Split(s, 2, func(part []byte) {
		pair[n] = part
		n++
	})
	if k := m.find(pair[0]); k >= 0 {
		m.row[k] = pair
		return
	}
	m.row = append(m.row, pair)
	switch {
	case m.byKey != nil:
		m.byKey[string(pair[0])] = len(m.row) - 1
	case len(m.row) > few:
		m.byKey = map[string]int{}
		for k := range m.row {
			m.byKey[string(m.row[k][0])] = k
		}
	}
}

// find is which entry of the row has a key, or -1.
func (m *entries) find(key []byte) int {
	if m.byKey != nil {
		if k, ok := m.byKey[string(key)]; ok {
			return k
		}
		return -1
	}
	return slices.IndexFunc(m.row, func(pair [2][]byte) bool { return bytes.Equal(pair[0], key) })
}

func (m *entries) end() {
	for _, pair := range m.row {
		m.keys.AppendBytes(pair[0])
		if pair[1] == nil {
			m.values.AppendNull()
		} else {
			m.values.AppendBytes(pair[1])
		}
	}
	m.row, m.byKey = m.row[:0], nil
	m.ends = append(m.ends, int32(m.keys.Len()))
}
