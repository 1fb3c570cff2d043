package config

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
)

// List is the value of a setting that has any number of values: a flag that is given several times, a variable with commas, a list in the file. It is a flag.Value, as all of these are.
type List []string

func (l *List) String() string { return strings.Join(*l, ",") }

// Set adds a value.
func (l *List) Set(value string) error { *l = append(*l, value); return nil }

// Count is a whole number from 0.
type Count int

func (c *Count) String() string { return strconv.Itoa(int(*c)) }

// Set reads a number.
func (c *Count) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return fmt.Errorf("'%s' is not a number; write a whole number from 0", text)
	}
	*c = Count(n)
	return nil
}

// Size is a number of bytes, written as in the options of tables.
type Size int64

var units = []struct {
	name  string
	bytes Size
}{{"GB", 1 << 30}, {"MB", 1 << 20}, {"KB", 1 << 10}}

func (s *Size) String() string {
	for _, u := range units {
		if *s != 0 && *s%u.bytes == 0 {
			return fmt.Sprintf("%d%s", *s/u.bytes, u.name)
		}
	}
	return strconv.FormatInt(int64(*s), 10)
}

// Set reads a size.
func (s *Size) Set(text string) error {
	n, ok := connector.ParseSize(text)
	if !ok {
		return errors.New("write a number and a unit, such as 256MB or 2GB")
	}
	*s = Size(n)
	return nil
}

// Span is a length of time above 0, written as in Go or as in the options of tables. A number alone is refused: it is milliseconds there, and few who write one mean that.
type Span time.Duration

const day = 24 * time.Hour

func (s *Span) String() string {
	if *s == 0 {
		return ""
	}
	if d := time.Duration(*s); d >= 2*day && d%day == 0 {
		return fmt.Sprintf("%d d", d/day)
	}
	text := time.Duration(*s).String()
	if cut, ok := strings.CutSuffix(text, "m0s"); ok {
		text = cut + "m"
	}
	if cut, ok := strings.CutSuffix(text, "h0m"); ok {
		text = cut + "h"
	}
	return text
}

// Set reads a length of time.
func (s *Span) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil {
		micros, err := connector.ParseDuration(text)
		if _, number := strconv.ParseFloat(text, 64); err != nil || number == nil {
			return fmt.Errorf("'%s' is not a length of time; write a number and a unit, such as 10s", text)
		}
		if micros > math.MaxInt64/1000 {
			return fmt.Errorf("'%s' is too long", text)
		}
		d = time.Duration(micros) * time.Microsecond
	}
	if d <= 0 {
		return errors.New("it must be longer than 0")
	}
	*s = Span(d)
	return nil
}
