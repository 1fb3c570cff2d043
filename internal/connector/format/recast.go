package format

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
)

// Recast is o with another format: what o says of formats is left out, prefix + 'format' is name, and own are the options of that format, without prefix.
func Recast(o connector.Options, prefix, name string, own connector.Options) connector.Options {
	out := connector.Options{}
	for k, v := range o {
		if !ofFormat(k) {
			out[k] = v
		}
	}
	out[prefix+"format"] = name
	for k, v := range own {
		out[prefix+name+"."+k] = v
	}
	return out
}

// ofFormat reports whether an option of a table names a format, of keys or of values, or belongs to one.
func ofFormat(key string) bool {
	for _, prefix := range []string{"key.", "value."} {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			key = rest
			break
		}
	}
	name, _, dotted := strings.Cut(key, ".")
	if !dotted {
		return key == "format"
	}
	return slices.ContainsFunc(Formats, func(f Format) bool { return f.Name == name })
}
