package bind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// watermarkSettings are what SET says about the watermarks of all tables.
var watermarkSettings = []string{catalog.KeyIdleTimeout, sourceTimeout, catalog.KeyDrift, catalog.KeyEmitInterval, catalog.KeyEmitGap, catalog.KeyNullTime}

// sourceTimeout is Flink's name of catalog.KeyIdleTimeout.
const sourceTimeout = "table.exec.source.idle-timeout"

// misplaced says where to write an option that a table has not, if it is, or nearly is, a setting about watermarks or an option of WATERMARK_PARAMS; else it is empty.
func misplaced(key string, specs []connector.Spec) string {
	if option, ok := watermarkParams[strings.ToLower(key)]; ok {
		return fmt.Sprintf("write '%s', or the hint %s('%s' = '…')", option, paramsHint, strings.ToLower(key))
	}
	names := slices.Clone(watermarkSettings)
	for _, s := range specs {
		names = append(names, s.Key)
	}
	switch near := source.Nearest(key, names); {
	case near == catalog.KeyIdleTimeout, near == sourceTimeout:
		return fmt.Sprintf("for one table write '%s', for all SET '%s' = '…'", plan.OptionIdleTimeout, near)
	case slices.Contains(watermarkSettings, near):
		return fmt.Sprintf("it is a setting of the session: SET '%s' = '…'", near)
	}
	return ""
}
