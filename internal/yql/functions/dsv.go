package functions

import (
	"bytes"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

var dictOfStrings = yqltype.DictOf(typeString, typeString)

// dsvFunctions are those of module Dsv: lines of key=value.
var dsvFunctions = []Function{
	{
		Module: "Dsv", Name: "Parse", Signature: "Dsv::Parse(string [, separator])",
		Doc:     "The pairs key=value of a line, between tabs unless another separator is given, as a Dict; what has no equals sign is left out.",
		Example: `DictLookup(Dsv::Parse("port=Dover;level=6.5", ";"), "port")`, Result: "Dover",
		params: []param{paramString, {name: "separator", accept: acceptText, absent: String("\t")}},
		apply: gives(dictOfStrings, spec{kernel: buildDict(vector.Bytes, vector.Bytes, func(keys, values *vector.Builder, c *function.Call, i int) error {
			separator := c.Args[1].Bytes(i)
			if len(separator) == 0 {
				return errorf(CodeValue, "the separator is empty")
			}
			pairs := bytes.Split(c.Args[0].Bytes(i), separator)
			for p, pair := range pairs {
				key, value, ok := bytes.Cut(pair, []byte{'='})
				if !ok || laterKey(pairs[p+1:], key) {
					continue
				}
				keys.AppendBytes(key)
				values.AppendBytes(value)
			}
			return nil
		})}),
	},
	{
		Module: "Dsv", Name: "Serialize", Signature: "Dsv::Serialize(dict)",
		Doc:     "The entries of a Dict of strings as key=value between tabs.",
		Example: `Dsv::Serialize(AsDict(("port", "Dover")))`, Result: "port=Dover",
		params: []param{paramDict},
		apply: func(c *invocation) (Value, error) {
			t := c.args[0].Type
			if t.Kind != yqltype.Dict || !t.Key().IsText() || !t.Value().IsText() {
				return Value{}, wants(c.name, 0, "a Dict of strings", c.args[0])
			}
			return call(c.name, spec{kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
				keys, values := nested.ReadMap(c.Args[0].Bytes(i), vector.Bytes, vector.Bytes)
				for e := range keys.Len() {
					if e > 0 {
						dst = append(dst, '\t')
					}
					dst = append(append(dst, keys.Bytes(e)...), '=')
					if !values.IsNull(e) {
						dst = append(dst, values.Bytes(e)...)
					}
				}
				return dst, nil
			})}, typeString, c.args[0])
		},
	},
}

// laterKey reports whether one of the pairs has a key.
func laterKey(pairs [][]byte, key []byte) bool {
	for _, pair := range pairs {
		if k, _, ok := bytes.Cut(pair, []byte{'='}); ok && bytes.Equal(k, key) {
			return true
		}
	}
	return false
}
