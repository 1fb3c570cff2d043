package faker

import (
	"encoding/base64"
	"hash/fnv"
	"math/rand/v2"

	"github.com/brianvoe/gofakeit/v7"

	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// column is a column, or a part of one, and what it holds.
type column struct {
	types.Field
	seed     uint64
	make     generate // nil for a nested type
	parts    []column // of an ARRAY or MULTISET its element, of a MAP key and value, of a ROW its fields
	length   int64    // of a collection, in elements
	nullRate float64
}

// seedOf makes a number that others have nothing to do with.
func seedOf(table, name string) uint64 {
	h := fnv.New64a()
	for _, s := range []string{table, "\x00", name} {
		_, _ = h.Write([]byte(s)) // never fails
	}
	return h.Sum64()
}

// dice makes words. It is set anew for every value, so that a value does not depend on those before it.
type dice struct {
	pcg  *rand.PCG
	fake *gofakeit.Faker
	now  int64
}

func newDice() *dice {
	pcg := rand.NewPCG(0, 0)
	return &dice{pcg: pcg, fake: gofakeit.NewFaker(pcg, false)}
}

// append appends value number i of c as JSON.
func (c *column) append(dst []byte, d *dice, i int64) []byte {
	if c.nullRate > 0 {
		d.pcg.Seed(^c.seed, uint64(i))
		if float64(d.pcg.Uint64()>>11)/(1<<53) < c.nullRate {
			return append(dst, "null"...)
		}
	}
	comma := func(k int) {
		if k > 0 {
			dst = append(dst, ',')
		}
	}
	switch c.Type.Kind {
	case types.Array:
		dst = append(dst, '[')
		for k := range int(c.length) {
			comma(k)
			dst = c.parts[0].append(dst, d, i*c.length+int64(k))
		}
		return append(dst, ']')
	case types.Map, types.Multiset:
		dst = append(dst, '{')
		for k := range int(c.length) {
			comma(k)
			at := i*c.length + int64(k)
			dst = append(c.parts[0].append(dst, d, at), ':')
			if c.Type.Kind == types.Multiset {
				dst = append(dst, '1')
			} else {
				dst = c.parts[1].append(dst, d, at)
			}
		}
		return append(dst, '}')
	case types.Row:
		dst = append(dst, '{')
		for k := range c.parts {
			comma(k)
			dst = append(format.AppendJSONString(dst, []byte(c.Type.Fields()[k].Name)), ':')
			dst = c.parts[k].append(dst, d, i)
		}
		return append(dst, '}')
	}
	d.pcg.Seed(c.seed, uint64(i))
	return format.AppendJSONString(dst, c.text(c.make(d.fake, d.now)))
}

// text is v as the json format wants it for the type of c.
func (c *column) text(v value) []byte {
	switch {
	case c.Type.IsBytes():
		return base64.StdEncoding.AppendEncode(nil, []byte(v.String()))
	case v.instant && c.Type.Kind == types.Date:
		return timefmt.AppendDate(nil, timefmt.FloorDiv(v.micros, timefmt.Day))
	case v.instant && c.Type.Kind == types.Time:
		return timefmt.AppendTime(nil, v.micros-timefmt.Floor(v.micros, timefmt.Day), 6)
	case v.instant && c.Type.IsTime():
		return timefmt.AppendTimestamp(nil, v.micros, 6, ' ', c.Type.Kind == types.TimestampLTZ)
	case c.Type.Kind == types.TimestampLTZ && v.text != "" && v.text[len(v.text)-1] != 'Z':
		return []byte(v.text + "Z")
	}
	return []byte(v.String())
}
