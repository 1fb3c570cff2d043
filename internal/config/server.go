package config

import (
	"flag"
	"time"

	"github.com/tidemark-sql/tidemark/internal/history"
)

// Server is what a server was told.
type Server struct {
	Listen, DataDir, Brokers, BrokerListen string
	Files, Hosts                           List
	Keys, Certificate, PrivateKey          string
	Insecure, UnsetWatermarks              bool

	Parallelism, MaxParallelism        Count
	StateMemory, MaxStateMemory        Size
	Results, ResultsAll                Size
	Rate, WrongKeys, Requests          Count
	RequestTime                        Span
	Running, RunningPerKey, Statements Count
	Keep                               Span
	History                            Size

	OTLPEndpoint   string
	OTLPHeaders    List
	OTLPInterval   Span // 0 if nobody says
	OTLPCumulative bool
}

// Declare adds the settings to f, with their defaults. A line here is all that a new one needs.
func (s *Server) Declare(f *flag.FlagSet) {
	f.StringVar(&s.Listen, "listen", "127.0.0.1:8810", "`host:port` of the API")
	f.StringVar(&s.DataDir, "data-dir", "", "`folder` that keeps statements, their state and the topics of the broker of this process")
	Brokers(f, &s.Brokers, &s.BrokerListen)
	f.Var(&s.Files, "files", "`folder` in which statements may read and write files; may be given several times; without it they may in none")

	f.StringVar(&s.Keys, "keys", "", "`file` of API keys; without it everybody may ask who reaches the server")
	f.StringVar(&s.Certificate, "tls-certificate", "", "`file` with the certificate of the server, in PEM")
	f.StringVar(&s.PrivateKey, "tls-key", "", "`file` with its private key, in PEM")
	f.Var(&s.Hosts, "host", "`name` or address under which the server is reached, beside those of loopback; may be given several times")
	f.BoolVar(&s.Insecure, "insecure", false, "listen on an address that is not loopback without keys or without TLS")

	f.Var(&s.Parallelism, "parallelism", "`number` of workers and tasks of a statement that does not say; 0 is one per processor")
	f.Var(&s.MaxParallelism, "max-parallelism", "`number` of workers and tasks that a statement gets at most; 0 is any")
	StateMemory(f, &s.StateMemory)
	f.Var(&s.MaxStateMemory, "max-state-memory", "`size` of that memory that a statement gets at most, whatever it says; 0 is any")
	s.Results, s.ResultsAll = 16<<20, 256<<20
	f.Var(&s.Results, "result-memory", "`size` of the results of a SELECT that are kept for who reads them; then it waits")
	f.Var(&s.ResultsAll, "result-memory-all", "`size` of the same of all statements together")

	s.Running, s.Statements = 1_000, 10_000
	f.Var(&s.Running, "max-running", "`number` of statements that have not ended; another one is refused. 0 is any")
	f.Var(&s.RunningPerKey, "max-running-per-key", "`number` of those that one API key has made; 0 is any")
	f.Var(&s.Statements, "max-statements", "`number` of statements that are kept, ended or not; 0 is any")
	s.Keep = Span(30 * 24 * time.Hour)
	f.Var(&s.Keep, "keep-ended", "`length` of time after which a statement that is COMPLETED or FAILED is forgotten")

	s.Rate, s.WrongKeys, s.Requests, s.RequestTime = 500, 10, 256, Span(time.Minute)
	f.Var(&s.Rate, "max-rate", "`number` of requests a second that one API key, or one address, may make; twice as many at once. 0 is any")
	f.Var(&s.WrongKeys, "max-wrong-keys", "`number` of wrong secrets a minute that an address may try of a key; then the right one does not help either. 0 is any")
	f.Var(&s.Requests, "max-requests", "`number` of requests that are answered at one time; 0 is any")
	f.Var(&s.RequestTime, "request-timeout", "`length` of time in which a request has to arrive, and again its answer to be taken")
	s.History = history.UsualBytes
	f.Var(&s.History, "history-size", "`size` of what the history of all statements may have on the disk")

	f.StringVar(&s.OTLPEndpoint, "otlp-endpoint", "", "`address` of an OpenTelemetry receiver, as http://localhost:4318: metrics are posted to /v1/metrics there; without it as OTEL_EXPORTER_OTLP_ENDPOINT says, or nowhere")
	f.Var(&s.OTLPHeaders, "otlp-header", "`name=value` of a header for that; may be given several times")
	f.Var(&s.OTLPInterval, "otlp-interval", "`time` from one sending of metrics to the next; without it as OTEL_METRIC_EXPORT_INTERVAL says, or 60s")
	f.BoolVar(&s.OTLPCumulative, "otlp-cumulative", false, "send counters as what they have come to; without it as what was added since the last time")
	f.BoolVar(&s.UnsetWatermarks, "unset-watermarks", false, "have watermarks that are not set in the metrics, as -9223372036854775808; without it they are absent")
}

// Brokers adds the settings of where tables without 'connector' are.
func Brokers(f *flag.FlagSet, named, listen *string) {
	f.StringVar(named, "brokers", "", "keep tables without 'connector' in topics of the Kafka brokers at `host:port`, several divided by commas; without it, in a broker of this process")
	f.StringVar(listen, "broker-listen", "", "`host:port` at which other programs reach the broker of this process; without it, a free port of 127.0.0.1")
}

// StateMemory adds the limit of the memory for the state of a statement.
func StateMemory(f *flag.FlagSet, size *Size) {
	f.Var(size, "state-memory", "`size` of the memory that each statement may use for its state, such as 256MB; the rest is kept on disk. 0 is no limit")
}
