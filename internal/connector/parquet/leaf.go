package parquet

import (
	"errors"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// leaf reads a column that is no part of a nested one straight from its pages.
type leaf interface {
	// read gives the next n values. They point to nothing of the file.
	read(a *vector.Arena, n int) (*vector.Vector, error)
	close() error
}

// flat is a leaf of one of Parquet's physical types.
type flat[T any] struct {
	t    types.Type
	from pages[T]
	defs []int16 // whether each row of a batch has a value; nil if all have
	// room is where n values are read to: the vector itself if it holds them as they are, or scratch.
	room func(v *vector.Vector, n int) []T
	// take puts values that were read to room into v, from value at on. They are gone with the next page.
	take func(a *vector.Arena, v *vector.Vector, at int, values []T) error
}

// pages is what the readers of arrow-go have in common.
type pages[T any] interface {
	file.ColumnChunkReader
	// ReadBatchInPage reads up to size rows and tells how many there were and how many of them have a value.
	ReadBatchInPage(size int64, values []T, defs, reps []int16) (rows int64, present int, err error)
}

var (
	errShort  = errors.New("a column has fewer rows than its row group")
	errLevels = errors.New("the values of a page are not as many as it says")
)

func (f *flat[T]) read(a *vector.Arena, n int) (*vector.Vector, error) {
	v := a.Flat(vector.KindOf(f.t), n)
	values := f.room(v, n)
	if f.defs != nil && len(f.defs) < n {
		f.defs = make([]int16, n)
	}
	present := 0
	for done := 0; done < n; {
		var defs []int16
		if f.defs != nil {
			defs = f.defs[done:n]
		}
		rows, k, err := f.from.ReadBatchInPage(int64(n-done), values[present:], defs, nil)
		if err == nil && rows == 0 {
			if err = f.from.Err(); err == nil {
				err = errShort
			}
		}
		if err != nil {
			return nil, err
		}
		if err := f.take(a, v, present, values[present:present+k]); err != nil {
			return nil, err
		}
		done, present = done+int(rows), present+k
	}
	switch {
	case f.defs != nil:
		return v, spread(a, v, f.defs[:n], present)
	case present != n:
		return nil, errLevels
	}
	return v, nil
}

func (f *flat[T]) close() error { return f.from.Close() }

// spread moves the first values of v, as many as are present, to the rows that have one, and makes the others NULL.
func spread(a *vector.Arena, v *vector.Vector, defs []int16, present int) error {
	sum := 0
	for _, d := range defs {
		sum += int(d)
	}
	if sum != present {
		return errLevels
	}
	if present == len(defs) {
		return nil
	}
	v.Valid = a.AllNull(len(defs))
	for i, d := range defs {
		v.Valid[i>>6] |= uint64(d) << (uint(i) & 63)
	}
	switch v.Kind {
	case vector.Bool:
		stretch(v.Bools, defs, present)
	case vector.Int64:
		stretch(v.Ints, defs, present)
	case vector.Int128:
		stretch(v.Wides, defs, present)
	case vector.Float64:
		stretch(v.Floats, defs, present)
	case vector.Bytes:
		stretch(v.Views, defs, present)
	}
	for i, d := range defs {
		if d == 0 {
			v.Zero(i)
		}
	}
	return nil
}

// stretch goes backwards, so that no value is overwritten before it has moved. What is NULL gets any value.
func stretch[T any](s []T, defs []int16, present int) {
	for i := len(defs) - 1; i >= 0; i-- {
		present -= int(defs[i])
		s[i] = s[present]
	}
}

// newLeaf makes a leaf of column c as values of t; it is nil if they are not its.
func newLeaf(t types.Type, c *schema.Column, chunk file.ColumnChunkReader) leaf {
	if c.MaxRepetitionLevel() > 0 || c.MaxDefinitionLevel() > 1 {
		return nil
	}
	var defs []int16
	if c.MaxDefinitionLevel() > 0 {
		defs = []int16{}
	}
	switch from := chunk.(type) {
	case *file.BooleanColumnChunkReader:
		return made(t, from, defs, booleansOf(t))
	case *file.Int32ColumnChunkReader:
		return made(t, from, defs, int32sOf(c, t))
	case *file.Int64ColumnChunkReader:
		if take := int64sOf(c, t); take != nil && vector.KindOf(t) == vector.Int64 {
			return &flat[int64]{t, from, defs, func(v *vector.Vector, _ int) []int64 { return v.Ints }, take}
		}
	case *file.Int96ColumnChunkReader:
		return made(t, from, defs, int96sOf(t))
	case *file.Float32ColumnChunkReader:
		return made(t, from, defs, float32sOf(t))
	case *file.Float64ColumnChunkReader:
		if t.Kind == types.Double {
			return &flat[float64]{t, from, defs, func(v *vector.Vector, _ int) []float64 { return v.Floats }, asIs[float64]}
		}
	case *file.ByteArrayColumnChunkReader:
		return made(t, from, defs, bytesOf[parquet.ByteArray](c, t))
	case *file.FixedLenByteArrayColumnChunkReader:
		return made(t, from, defs, bytesOf[parquet.FixedLenByteArray](c, t))
	}
	return nil
}

// taking is a flat's take.
type taking[T any] func(a *vector.Arena, v *vector.Vector, at int, values []T) error

func asIs[T any](*vector.Arena, *vector.Vector, int, []T) error { return nil }

// made makes a leaf that reads into scratch.
func made[T any](t types.Type, from pages[T], defs []int16, take taking[T]) leaf {
	if take == nil {
		return nil
	}
	var scratch []T
	room := func(_ *vector.Vector, n int) []T {
		if len(scratch) < n {
			scratch = make([]T, n)
		}
		return scratch[:n]
	}
	return &flat[T]{t, from, defs, room, take}
}

// set puts a decimal into v.
func set(v *vector.Vector, i int, x int128.Int) {
	if v.Kind == vector.Int128 {
		v.Wides[i] = x
	} else {
		v.Ints[i], _ = x.Int64()
	}
}
