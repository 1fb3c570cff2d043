package function

import (
	"regexp"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// bindRegexpExtract compiles the pattern, which must be constant.
func bindRegexpExtract(constants []*vector.Vector) (Kernel, error) {
	pattern := constants[1]
	if pattern == nil || pattern.IsNullConst() {
		return nil, fault.Errorf(fault.User, "the pattern of REGEXP_EXTRACT must be a constant string")
	}
	re, err := regexp.Compile(string(pattern.Bytes(0)))
	if err != nil {
		return nil, fault.Errorf(fault.User, "the pattern of REGEXP_EXTRACT is no regular expression of RE2: %w", err)
	}
	return cutting(0, func(s []byte, c *Call, i int) (from, to int, ok bool) {
		group := 0
		if len(c.Args) == 3 {
			group = int(c.Args[2].Int(i))
		}
		if group < 0 || group > re.NumSubexp() {
			return 0, 0, false
		}
		match := re.FindSubmatchIndex(s)
		if match == nil || match[2*group] < 0 {
			return 0, 0, false
		}
		return match[2*group], match[2*group+1], true
	}), nil
}
