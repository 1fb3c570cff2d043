package functions

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

var (
	typeString = yqltype.Of(yqltype.String)
	typeUtf8   = yqltype.Of(yqltype.Utf8)
	typeInt64  = yqltype.Of(yqltype.Int64)
	typeUint32 = yqltype.Of(yqltype.Uint32)

	paramString  = param{name: "string", accept: acceptText}
	paramPart    = param{name: "part", accept: acceptText}
	absentNumber = Null(typeInt64)
)

// textFunctions are about strings and bytes, and built in. Positions and lengths count bytes; those of module Unicode count characters.
var textFunctions = []Function{
	{
		Name: "ToBytes", Aliases: []string{"ToString"}, Signature: "ToBytes(value)",
		Doc:     "The bytes of a Json, Yson, Utf8 or String as a String; of a number or instant its text.",
		Example: `ToBytes(Json(@@{"a": 1}@@))`, Result: `{"a": 1}`,
		params: []param{{name: "value", accept: acceptValue}},
		apply:  func(c *invocation) (Value, error) { return Cast(c.args[0], typeString) },
	},
	{
		Name: "FromBytes", Signature: "FromBytes(string, type)",
		Doc:     "The number whose bytes a String has, the least first, or the text as Utf8, Json or Yson; NULL if it is none.",
		Example: `FromBytes("\x01\x02", Uint16)`, Result: "513",
		params: []param{paramString, {name: "type", accept: acceptType}},
		apply:  fromBytes,
	},
	{
		Name: "Length", Aliases: []string{"LEN"}, Signature: "Length(string)",
		Doc:     "How many bytes a string has.",
		Example: `Length("tide")`, Result: "4",
		params: []param{{name: "string", accept: acceptBytes}},
		apply: gives(typeUint32, spec{kernel: ints(func(c *function.Call, i int) (int64, error) {
			return int64(len(c.Args[0].Bytes(i))), nil
		})}),
	},
	{
		Name: "Substring", Aliases: []string{"SUBSTR"}, Signature: "Substring(string [, start [, length]])",
		Doc:     "A part of a string: from a byte on, counted from 0, so many bytes or up to the end.",
		Example: `Substring("tidemark", 4, 2)`, Result: "ma",
		params: []param{paramString, {name: "start", accept: acceptWhole, absent: absentNumber}, {name: "length", accept: acceptWhole, absent: absentNumber}},
		apply:  func(c *invocation) (Value, error) { return substring(c.name, c.args, cutBytes) },
	},
	{
		Name: "Find", Signature: "Find(string, part [, start])",
		Doc:     "The byte at which a part is found first, from 0 on; NULL if it is not there.",
		Example: `Find("ebb tide", "tide")`, Result: "4",
		params: []param{paramString, paramPart, {name: "start", accept: acceptWhole, absent: Int(typeInt64, 0)}},
		apply: gives(typeUint32, spec{mayBeNull: true, kernel: ints(func(c *function.Call, i int) (int64, error) {
			return found(findFrom(c.Args[0].Bytes(i), c.Args[1].Bytes(i), c.Args[2].Int(i)))
		})}),
	},
	{
		Name: "RFind", Signature: "RFind(string, part [, start])",
		Doc:     "The byte at which a part is found last, at or before start; NULL if it is not there.",
		Example: `RFind("tide tide", "tide")`, Result: "5",
		params: []param{paramString, paramPart, {name: "start", accept: acceptWhole, absent: Int(typeInt64, math.MaxInt64)}},
		apply: gives(typeUint32, spec{mayBeNull: true, kernel: ints(func(c *function.Call, i int) (int64, error) {
			return found(findLast(c.Args[0].Bytes(i), c.Args[1].Bytes(i), c.Args[2].Int(i)))
		})}),
	},
	{
		Name: "StartsWith", Signature: "StartsWith(string, prefix)",
		Doc:     "Whether a string begins with another.",
		Example: `StartsWith("tidemark", "tide")`, Result: "true",
		params: []param{paramString, {name: "prefix", accept: acceptText}},
		apply:  gives(one, spec{kernel: bools(saying(bytes.HasPrefix))}),
	},
	{
		Name: "EndsWith", Signature: "EndsWith(string, suffix)",
		Doc:     "Whether a string ends with another.",
		Example: `EndsWith("tidemark", "mark")`, Result: "true",
		params: []param{paramString, {name: "suffix", accept: acceptText}},
		apply:  gives(one, spec{kernel: bools(saying(bytes.HasSuffix))}),
	},
	{
		Name: "ByteAt", Signature: "ByteAt(string, position)",
		Doc:     "The byte at a position, from 0 on; NULL if there is none.",
		Example: `ByteAt("tide", 0)`, Result: "116",
		params: []param{paramString, {name: "position", accept: acceptWhole}},
		apply: gives(yqltype.Of(yqltype.Uint8), spec{mayBeNull: true, kernel: ints(func(c *function.Call, i int) (int64, error) {
			s, at := c.Args[0].Bytes(i), c.Args[1].Int(i)
			if at < 0 || at >= int64(len(s)) {
				return 0, errNull
			}
			return int64(s[at]), nil
		})}),
	},
	{
		Name: "Abs", Signature: "Abs(number)",
		Doc:     "The number without its sign.",
		Example: "Abs(-7)", Result: "7",
		params: []param{{name: "number", accept: acceptNumber}},
		apply: func(c *invocation) (Value, error) {
			if c.args[0].Type.IsUnsigned() {
				return c.args[0], nil
			}
			return native("ABS", c.args[0].Type, c.args[0])
		},
	},
}

// saying is what a predicate says of two strings.
func saying(holds func(s, t []byte) bool) func(c *function.Call, i int) (bool, error) {
	return func(c *function.Call, i int) (bool, error) { return holds(c.Args[0].Bytes(i), c.Args[1].Bytes(i)), nil }
}

// found makes NULL of -1.
func found(at int) (int64, error) {
	if at < 0 {
		return 0, errNull
	}
	return int64(at), nil
}

// findFrom is the first place of part at or behind from, -1 if there is none.
func findFrom(s, part []byte, from int64) int {
	if from = max(from, 0); from > int64(len(s)) {
		return -1
	}
	at := bytes.Index(s[from:], part)
	if at < 0 {
		return -1
	}
	return at + int(from)
}

// findLast is the last place of part at or before a position, -1 if there is none.
func findLast(s, part []byte, before int64) int {
	if before < 0 {
		return -1
	}
	if before < int64(len(s)-len(part)) {
		s = s[:before+int64(len(part))]
	}
	return bytes.LastIndex(s, part)
}

// substring cuts a part off; a start or length that is NULL says nothing.
func substring(name string, args []Value, cut func(s []byte, from, n int64) []byte) (Value, error) {
	t := args[0].Type
	return call(name, spec{nulls: function.NullAware, kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
		if c.Args[0].IsNull(i) {
			return nil, errNull
		}
		from, n := int64(0), int64(math.MaxInt64)
		if !c.Args[1].IsNull(i) {
			from = c.Args[1].Int(i)
		}
		if !c.Args[2].IsNull(i) {
			n = c.Args[2].Int(i)
		}
		return append(dst, cut(c.Args[0].Bytes(i), from, n)...), nil
	})}, t, args...)
}

// fromBytes reads what is in a String as it lies in memory.
func fromBytes(c *invocation) (Value, error) {
	t := c.args[1].Static.(TypeName).Type.Required()
	s := spec{mayBeNull: true, spell: func(args []string, _ []types.Type) string { return "FromBytes(" + args[0] + ", " + t.String() + ")" }}
	switch {
	case t.IsInteger():
		size := t.Bits() / 8
		s.kernel = ints(func(c *function.Call, i int) (int64, error) {
			b := c.Args[0].Bytes(i)
			if len(b) != size {
				return 0, errNull
			}
			var padded [8]byte
			copy(padded[:], b)
			n := binary.LittleEndian.Uint64(padded[:])
			if t.IsUnsigned() {
				return int64(n), nil
			}
			return int64(n<<(64-8*size)) >> (64 - 8*size), nil
		})
	case t.Kind == yqltype.Double:
		s.kernel = floats(func(c *function.Call, i int) (float64, error) {
			b := c.Args[0].Bytes(i)
			if len(b) != 8 {
				return 0, errNull
			}
			return math.Float64frombits(binary.LittleEndian.Uint64(b)), nil
		})
	case t.IsText(), t.Kind == yqltype.Json, t.Kind == yqltype.Yson:
		return Cast(c.args[0], t)
	default:
		return Value{}, about(1, hintf(CodeUnsupported, "CAST the text", "FromBytes does not read %s", t))
	}
	return call(c.name, s, t, c.args[0])
}
