module github.com/tidemark-sql/tidemark

go 1.26
