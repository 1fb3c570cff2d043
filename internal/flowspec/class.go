package flowspec

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Class is what a computation is.
type Class struct {
	// Name is Flow's, empty for one of the program's own.
	Name string
	// Source says that it reads sources, and Swift that its outputs are not materialised: what it does has to be deterministic, and they keep the times of their parents.
	Source, Swift bool
	// Passthrough says that it has no code: rows go on as they are.
	Passthrough bool
}

// classes are those that Flow registers itself, and SQL's. Flow: the first name is that of its documentation, others are what its programs write.
var classes = []Class{
	{Name: "TTransformComputation"},
	{Name: "TProcessFunctionComputation"},
	{Name: "TPassthroughComputation", Passthrough: true},
	{Name: "TTransformOrderedSourceComputation", Source: true},
	{Name: "TProcessFunctionTransformOrderedSourceComputation", Source: true},
	{Name: "TSwiftOrderedSourceComputation", Source: true, Swift: true},
	{Name: "TProcessFunctionSourceComputation", Source: true, Swift: true},
	{Name: "TSwiftPassthroughOrderedSourceComputation", Source: true, Swift: true, Passthrough: true},
	{Name: "TSwiftMapComputation", Swift: true},
	{Name: "TProcessFunctionSwiftMapComputation", Swift: true},
	{Name: "TSwiftPassthroughComputation", Swift: true, Passthrough: true},
	{Name: classSQL, Swift: true},
}

// classSQL is a computation that is a query. It is Tidemark's own.
const classSQL = "TSqlComputation"

// functionSQL is the processing_function that says the same.
const functionSQL = "sql"

var sourceClasses = []string{"TQueueSource", "TStaticTableSource", "TConnectorSource"}

var sinkClasses = []string{"TQueueSink", "TSyncQueueSink", "TAsyncQueueSink", "TSortedDynamicTableSink", "TConnectorSink"}

// namespace is what Flow's programs write before the names of its classes.
const namespace = "NYT::NFlow::"

func bareClass(name string) string {
	name = strings.TrimPrefix(name, namespace)
	if at := strings.LastIndex(name, "::"); at >= 0 && strings.HasPrefix(name[at+2:], "T") {
		return name[at+2:]
	}
	return name
}

// classNamed finds a class of Flow. A class of the program's own is a transform, or a source if it has sources.
func classNamed(name string, sources bool) Class {
	name = bareClass(name)
	for _, c := range classes {
		if c.Name == name {
			if name == classSQL {
				c.Source = sources
			}
			return c
		}
	}
	return Class{Source: sources}
}

// nearClass is the class of Flow that one of the program's own is probably a slip of, or "".
func (c *Computation) nearClass() string {
	if c.Class.Name != "" {
		return ""
	}
	return source.Nearest(bareClass(c.ClassName.Text), ClassNames())
}

// ClassNames lists the classes that need no program.
func ClassNames() []string {
	var names []string
	for _, c := range classes {
		names = append(names, c.Name)
	}
	return names
}
