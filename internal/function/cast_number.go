package function

import (
	"math"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// numberCast converts among numbers but DECIMAL. Flink 2.3: no check of the range; a narrower whole number takes the low bits, a FLOAT or DOUBLE goes to the
// nearest end of INT or BIGINT, and to TINYINT and SMALLINT by way of INT.
func numberCast(from, to types.Type) Kernel {
	switch {
	case from.IsApproximate() && to.IsInteger():
		return func(c *Call) error {
			for i, v := range c.Args[0].Floats[:len(c.Out.Ints)] {
				n := doubleToInt(v)
				if to.Kind != types.BigInt {
					n = min(max(n, math.MinInt32), math.MaxInt32)
				}
				c.Out.Ints[i] = n
			}
			wrap(to, c.Out.Ints)
			return nil
		}
	case from.IsApproximate():
		return func(c *Call) error {
			copy(c.Out.Floats, c.Args[0].Floats)
			narrow(to, c.Out.Floats)
			return nil
		}
	case from.Kind <= to.Kind && to.IsInteger():
		return keep
	case to.IsApproximate():
		return func(c *Call) error {
			if to.Kind == types.Float {
				for i, v := range c.Args[0].Ints[:len(c.Out.Floats)] {
					c.Out.Floats[i] = float64(float32(v))
				}
				return nil
			}
			for i, v := range c.Args[0].Ints[:len(c.Out.Floats)] {
				c.Out.Floats[i] = float64(v)
			}
			return nil
		}
	}
	return func(c *Call) error {
		copy(c.Out.Ints, c.Args[0].Ints)
		wrap(to, c.Out.Ints)
		return nil
	}
}

func booleanToNumber(c *Call) error {
	for i, v := range c.Args[0].Bools[:c.Out.Len()] {
		if c.Out.Kind == vector.Float64 {
			c.Out.Floats[i] = float64(v)
		} else {
			c.Out.Ints[i] = int64(v)
		}
	}
	return nil
}

func numberToBoolean(c *Call) error {
	v := c.Args[0]
	for i := range c.Out.Bools {
		if v.Kind == vector.Float64 {
			c.Out.Bools[i] = bit(v.Floats[i] != 0)
		} else {
			c.Out.Bools[i] = bit(v.Ints[i] != 0)
		}
	}
	return nil
}
