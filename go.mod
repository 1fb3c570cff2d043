module github.com/tidemark-sql/tidemark

go 1.26

require (
	github.com/brianvoe/gofakeit/v7 v7.18.4
	github.com/klauspost/compress v1.20.4
)
