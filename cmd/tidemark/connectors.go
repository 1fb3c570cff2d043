package main

import (
	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/connector/parquet"
)

// connectors are those of the library, and formats of files that it does not link.
var connectors = builtin.With(builtin.Files(parquet.Container))
