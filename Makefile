# make build | page | test | torture | check | mutate | fuzz | bench | bench-kafka | bench-watermarks | bench-delay | bench-spill | bench-checkpoints | load | judge | fmt. CONTRIBUTING.md explains them.

.PHONY: build page test torture check mutate fuzz bench bench-kafka bench-watermarks bench-delay bench-spill bench-checkpoints load judge fmt

build:
	go build -o bin/tidemark ./cmd/tidemark

# The page of the server, from internal/page/src into internal/page/dist. Needs Node.
page:
	bash .ci/page build

# Everything with the checks of invariants on; then, as shipped, what runs whole statements, never from the cache: it does not know which files a
# program under test has read. SUMMARY is a file for the last line. Apache Kafka is fetched and started for the tests that want it, and clients of other makers and a browser are fetched.
test:
	@bash .ci/kafka bash .ci/clients bash .ci/browser bash -c '{ go test -json -tags invariants ./...; \
	   go test -json -count=1 . ./cmd/... ./internal/script ./internal/engine ./internal/docs; } | go run ./.ci/tally $(SUMMARY)'

# Kills statements, and Apache Kafka, again and again while rows are written exactly once; TORTURE is how often.
TORTURE ?= 300

torture:
	TIDEMARK_TORTURE=$(TORTURE) TIDEMARK_KILLS=60 bash .ci/kafka go test -p 1 ./cmd/tidemark ./internal/connector/kafka -run '^TestTorture$$|BrokerThatIsKilled|OfAHandedOver|^TestMarkersThat' -v -count=1 -timeout 3h

check:
	bash .ci/run

# Breaks rules on purpose and sees that scripts fail; ONLY is a pattern for the rules.
mutate:
	cd internal/mutation && go test -v -count=1 -timeout 1h -run TestScriptsNotice -mutate -only '$(ONLY)'

FUZZTIME ?= 10s

fuzz:
	@go list -f '{{.ImportPath}} {{.Dir}}' ./... | while read -r package dir; do \
	  grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$$dir"/*_test.go 2>/dev/null | sed 's/^func //' | while read -r target; do \
	    go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$package" || exit 1; \
	  done || exit 1; \
	done

bench: build
	python3 bench/run.py

# Kafka to blackhole, with Apache Kafka and with the program's own broker.
bench-kafka: build
	bash .ci/kafka python3 bench/kafka.py

# Watermarks from end to end, against the final one alone.
bench-watermarks: build
	python3 bench/watermarks.py

# How far the default watermark is behind the clock, with Apache Kafka and with the program's own broker; a minute for each.
bench-delay:
	bash .ci/kafka go test ./cmd/tidemark -run '^$$' -bench WatermarkDelay -benchtime 600x

# State larger than memory. KEYS and LIMIT make it shorter.
bench-spill: build
	python3 bench/spill.py

# What checkpoints of a million keys cost, two minutes for each of four statements, and how long it takes to go on from a gigabyte. ONLY is a pattern for the benchmarks.
bench-checkpoints:
	go test ./cmd/tidemark -run '^$$' -bench 'Checkpoints/$(ONLY)' -benchtime 15x -timeout 1h
	go test ./cmd/tidemark -run '^$$' -bench Restore -benchtime 3x -timeout 1h

# A server with LOAD statements over five times as many partitions, a quarter as many who look at it, and a browser, for LOADTIME: what that takes, and whether all is there after a kill.
LOAD ?= 200
LOADTIME ?= 10m

load: build
	TIDEMARK_PROGRAM=$(CURDIR)/bin/tidemark TIDEMARK_LOAD=$(LOAD) TIDEMARK_LOAD_TIME=$(LOADTIME) bash .ci/browser go test ./cmd/tidemark -run '^TestLoad$$' -v -count=1 -timeout 2h

# A Flink to ask what it would do; testdata/flink/README.md.
judge:
	.ci/judge/judge start

fmt:
	gofmt -w .
