package ysontext

import (
	"errors"
	"math"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/jsontext"
)

// FromJSON appends the canonical text of a JSON value, which was checked. A whole number is an Int, or a Uint if it is too great for that, or else a Double.
func FromJSON(dst, value []byte) []byte {
	switch jsontext.KindOf(value) {
	case jsontext.Bool:
		return AppendBool(dst, value[0] == 't')
	case jsontext.Number:
		text := string(value)
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return AppendInt(dst, n)
		}
		if n, err := strconv.ParseUint(text, 10, 64); err == nil {
			return AppendUint(dst, n)
		}
		f, _ := strconv.ParseFloat(text, 64)
		return AppendFloat(dst, f)
	case jsontext.String:
		return AppendQuoted(dst, jsontext.AppendUnquoted(nil, value))
	case jsontext.Array:
		dst = append(dst, '[')
		first := true
		jsontext.Elements(value, func(item []byte) bool {
			if !first {
				dst = append(dst, ';')
			}
			first = false
			dst = FromJSON(dst, item)
			return true
		})
		return append(dst, ']')
	case jsontext.Object:
		dst = append(dst, '{')
		first := true
		jsontext.Members(value, func(key, item []byte) {
			if !first {
				dst = append(dst, ';')
			}
			first = false
			dst = AppendQuoted(dst, jsontext.AppendUnquoted(nil, key))
			dst = FromJSON(append(dst, '='), item)
		})
		return append(dst, '}')
	}
	return append(dst, '#')
}

// JSON says how values are written as JSON.
type JSON struct {
	// SkipEntities leaves entries of maps out whose value is an entity.
	SkipEntities bool
	// NumbersAsText writes NaN and the infinities as strings; else they are an error.
	NumbersAsText bool
}

// ErrNotFinite says that JSON has no such number.
var ErrNotFinite = errors.New("JSON has no NaN and no infinity")

// Append writes a value as JSON, without blanks. Attributes are left out.
func (j JSON) Append(dst, value []byte) ([]byte, error) {
	value = Bytes(value)
	var err error
	switch KindOf(value) {
	case Entity:
		return append(dst, "null"...), nil
	case Bool:
		return strconv.AppendBool(dst, BoolOf(value)), nil
	case Int:
		return append(dst, value...), nil
	case Uint:
		return append(dst, value[:len(value)-1]...), nil
	case Double:
		return j.AppendFloat(dst, FloatOf(value))
	case String:
		return jsontext.AppendQuoted(dst, AppendText(nil, value)), nil
	case List:
		dst = append(dst, '[')
		first := true
		for item := range Elements(value) {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			if dst, err = j.Append(dst, item); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	}
	dst = append(dst, '{')
	first := true
	for key, item := range Entries(value) {
		if j.SkipEntities && KindOf(item) == Entity {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = jsontext.AppendQuoted(dst, AppendText(nil, key))
		if dst, err = j.Append(append(dst, ':'), item); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}

// AppendFloat writes a number: the shortest digits that give it again, without a point if it is whole.
func (j JSON) AppendFloat(dst []byte, f float64) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		if !j.NumbersAsText {
			return nil, ErrNotFinite
		}
		name := "nan"
		switch {
		case f > 0:
			name = "inf"
		case f < 0:
			name = "-inf"
		}
		return append(append(append(dst, '"'), name...), '"'), nil
	}
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(dst, f, format, -1, 64), nil
}
