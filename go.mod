module github.com/tidemark-sql/tidemark

go 1.26.0

require (
	github.com/brianvoe/gofakeit/v7 v7.18.4
	github.com/klauspost/compress v1.20.4
	github.com/twmb/franz-go v1.22.3
	github.com/twmb/franz-go/pkg/kadm v1.20.0
	github.com/twmb/franz-go/pkg/kfake v0.0.0-20260918054303-01f206a7e32c
	github.com/twmb/franz-go/pkg/kmsg v1.15.1
)

require github.com/pierrec/lz4/v4 v4.1.33 // indirect
