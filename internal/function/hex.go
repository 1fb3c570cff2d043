package function

import (
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/types"
)

var hexFunctions = []Scalar{
	{
		Name: "BIN", Family: FamilyArithmetic,
		Signatures: []string{"BIN(integer)"},
		Doc:        "The whole number in binary digits; a negative one as the 64 bits of its two's complement.",
		Example:    "BIN(10)", ExampleResult: "1010",
		Overloads: []Overload{{Params: []types.Type{types.BigIntType}, Result: types.StringType, Kernel: digitsKernel(2)}},
	},
	{
		Name: "HEX", Family: FamilyArithmetic,
		Signatures: []string{"HEX(integer)", "HEX(string)"},
		Doc:        "The whole number in hexadecimal digits, a negative one as the 64 bits of its two's complement; or the bytes of the string, two digits for each.",
		Example:    "HEX('tide')", ExampleResult: "74696465",
		Overloads: []Overload{
			{Params: []types.Type{types.BigIntType}, Result: types.StringType, Kernel: digitsKernel(16)},
			{Params: stringParams(1), Result: types.StringType, Kernel: rewriting(func(dst []byte, c *Call, i int) ([]byte, bool) {
				for _, b := range c.Args[0].Bytes(i) {
					dst = append(dst, hexDigits[b>>4], hexDigits[b&15])
				}
				return dst, true
			})},
		},
	},
	{
		Name: "UNHEX", Family: FamilyArithmetic,
		Signatures: []string{"UNHEX(string)"},
		Doc: "The bytes that the hexadecimal digits of the string stand for; NULL if it holds anything else. An odd number of digits is filled up with a 0 in front " +
			"(Flink 2.3: the first digit is lost).",
		Example: "UNHEX('74696465') = X'74696465'", ExampleResult: "TRUE",
		Overloads: []Overload{{Params: stringParams(1), Result: types.BytesType, MayBeNull: true, Kernel: rewriting(appendUnhex)}},
	},
}

const hexDigits = "0123456789ABCDEF"

// digitsKernel writes the bits of a whole number in a base.
func digitsKernel(base int) Kernel {
	return rewriting(func(dst []byte, c *Call, i int) ([]byte, bool) {
		start := len(dst)
		dst = strconv.AppendUint(dst, uint64(c.Args[0].Int(i)), base)
		for k := start; k < len(dst); k++ {
			if dst[k] >= 'a' {
				dst[k] -= 'a' - 'A'
			}
		}
		return dst, true
	})
}

func appendUnhex(dst []byte, c *Call, i int) ([]byte, bool) {
	s := c.Args[0].Bytes(i)
	var high byte
	for k, digit := range s {
		n := hexValue(digit)
		if n > 15 {
			return dst, false
		}
		if (len(s)-k)%2 == 0 {
			high = n << 4
		} else {
			dst = append(dst, high|n)
		}
	}
	return dst, true
}

// hexValue is the value of a hexadecimal digit in either case, and more than 15 for anything else.
func hexValue(c byte) byte {
	switch {
	case c-'0' <= 9:
		return c - '0'
	case c|' '-'a' <= 5:
		return c | ' ' - 'a' + 10
	}
	return 255
}
