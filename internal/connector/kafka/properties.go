package kafka

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"github.com/tidemark-sql/tidemark/internal/connector"
)

// property is a setting of Apache Kafka's own clients, as in 'properties.linger.ms'.
type property struct {
	key, doc, standard string
	values             []string
	// ignored says why the setting has no effect; apply is nil then.
	ignored string
	apply   func(c *config, value string) error
}

const (
	readsOnly  = "how much is fetched at once follows from memory"
	noCommits  = "no offsets are committed: a statement starts where 'scan.startup.mode' says"
	noGroups   = "partitions are read without joining a group"
	noSettings = "the client retries on its own terms"
)

// properties are the settings there are; others are refused by name.
var properties = []property{
	{key: "bootstrap.servers", doc: "brokers to ask for all the others: host:port, several divided by commas"},
	{key: "group.id", doc: "the consumer group whose offsets 'group-offsets' means; nothing is committed to it", apply: func(c *config, v string) error { c.group = v; return nil }},
	{key: "client.id", doc: "how brokers name this client in their logs and quotas", standard: "tidemark",
		apply: func(c *config, v string) error { c.with(kgo.ClientID(v)); return nil }},
	{key: "auto.offset.reset", doc: "where to go on if there is nothing at an offset, or a group has none", values: []string{"earliest", "latest", "none"},
		standard: "none with 'group-offsets', else earliest", apply: func(c *config, v string) error {
			c.onReset = map[string]mode{"earliest": modeEarliest, "latest": modeLatest, "none": modeUnbounded}[v]
			return nil
		}},
	{key: "isolation.level", doc: "read_committed leaves out what transactions have not committed", values: []string{"read_committed", "read_uncommitted"}, standard: "read_committed",
		apply: func(c *config, v string) error { c.committed = v == "read_committed"; return nil }},
	{key: "security.protocol", doc: "how to connect", values: []string{"PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"}, standard: "PLAINTEXT",
		apply: func(c *config, v string) error {
			c.security.tls, c.security.sasl = strings.HasSuffix(v, "SSL"), strings.HasPrefix(v, "SASL_")
			return nil
		}},
	{key: "sasl.mechanism", doc: "how to say who one is", values: []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"}, standard: "PLAIN",
		apply: func(c *config, v string) error { c.security.mechanism = v; return nil }},
	{key: "sasl.jaas.config", doc: `name and password, as Kafka has them: org.apache.kafka.common.security.plain.PlainLoginModule required username="…" password="…";`,
		apply: func(c *config, v string) error { c.security.jaas = v; return nil }},
	{key: "ssl.truststore.type", doc: "how certificates are written", values: []string{"PEM"}, standard: "PEM", apply: nothing},
	{key: "ssl.truststore.location", doc: "a PEM file with the certificates to trust", standard: "those of the machine",
		apply: func(c *config, v string) error { return c.security.trustFile(v) }},
	{key: "ssl.truststore.certificates", doc: "the certificates to trust, in PEM", apply: func(c *config, v string) error { return c.security.trust("ssl.truststore.certificates", []byte(v)) }},
	{key: "ssl.keystore.type", doc: "how this client's own certificate is written", values: []string{"PEM"}, standard: "PEM", apply: nothing},
	{key: "ssl.keystore.location", doc: "a PEM file with this client's private key and certificate", apply: func(c *config, v string) error { return c.security.ownFile(v) }},
	{key: "ssl.keystore.certificate.chain", doc: "this client's certificate, in PEM", apply: func(c *config, v string) error { c.security.chain = []byte(v); return nil }},
	{key: "ssl.keystore.key", doc: "this client's private key, in PEM and not encrypted", apply: func(c *config, v string) error { c.security.key = []byte(v); return nil }},
	{key: "ssl.endpoint.identification.algorithm", doc: "https: the certificate must name the broker's host; empty: any host will do", values: []string{"https", ""}, standard: "https",
		apply: func(c *config, v string) error { c.security.anyHost = v == ""; return nil }},
	{key: "acks", doc: "which brokers must have a record before it counts as written", values: []string{"all", "-1", "1", "0"}, standard: "all",
		apply: func(c *config, v string) error {
			switch v {
			case "1":
				c.produce(kgo.RequiredAcks(kgo.LeaderAck()), kgo.DisableIdempotentWrite())
			case "0":
				c.produce(kgo.RequiredAcks(kgo.NoAck()), kgo.DisableIdempotentWrite())
			}
			return nil
		}},
	{key: "compression.type", doc: "how batches are compressed", values: []string{"none", "gzip", "snappy", "lz4", "zstd"}, standard: "none",
		apply: func(c *config, v string) error { c.compression = v; return nil }},
	{key: "linger.ms", doc: "how long a batch waits for more records, in milliseconds", standard: "5", apply: func(c *config, v string) error {
		n, err := number("linger.ms", v, 0, 60_000)
		c.linger = time.Duration(n) * time.Millisecond
		return err
	}},
	{key: "batch.size", doc: "how large a batch gets, in bytes", standard: "1048576", apply: func(c *config, v string) error {
		n, err := number("batch.size", v, 1024, 1<<30)
		c.batchBytes = int32(n)
		return err
	}},
	{key: "max.request.size", doc: "the largest batch of records that is sent, in bytes", standard: "1048576", apply: func(c *config, v string) error {
		n, err := number("max.request.size", v, 1024, 1<<30)
		c.batchBytes = int32(n)
		return err
	}},
	{key: "allow.auto.create.topics", doc: "true: writing to a topic that is not there makes it, if the brokers allow that", values: []string{"true", "false"}, standard: "true",
		apply: func(c *config, v string) error { c.create = v == "true"; return nil }},
	{key: "enable.auto.commit", ignored: noCommits}, {key: "auto.commit.interval.ms", ignored: noCommits},
	{key: "session.timeout.ms", ignored: noGroups}, {key: "heartbeat.interval.ms", ignored: noGroups}, {key: "max.poll.interval.ms", ignored: noGroups},
	{key: "group.instance.id", ignored: noGroups}, {key: "partition.assignment.strategy", ignored: noGroups},
	{key: "max.poll.records", ignored: readsOnly}, {key: "fetch.min.bytes", ignored: readsOnly}, {key: "fetch.max.bytes", ignored: readsOnly},
	{key: "fetch.max.wait.ms", ignored: readsOnly}, {key: "max.partition.fetch.bytes", ignored: readsOnly},
	{key: "partition.discovery.interval.ms", ignored: "'scan.topic-partition-discovery.interval' says it"},
	{key: "enable.idempotence", ignored: "records are written once, whatever it says, unless 'properties.acks' is 0 or 1"},
	{key: "retries", ignored: noSettings}, {key: "request.timeout.ms", ignored: noSettings}, {key: "delivery.timeout.ms", ignored: noSettings},
	{key: "max.in.flight.requests.per.connection", ignored: noSettings}, {key: "buffer.memory", ignored: noSettings}, {key: "max.block.ms", ignored: noSettings},
	{key: "transaction.timeout.ms", doc: timeoutDoc, standard: timeoutDefault, apply: (*config).readTimeout},
}

func nothing(*config, string) error { return nil }

// propertySpecs are the properties as options of a table.
func propertySpecs() []connector.Spec {
	specs := make([]connector.Spec, len(properties))
	for i, p := range properties {
		specs[i] = connector.Spec{Key: "properties." + p.key, Doc: p.doc, Default: p.standard, Values: p.values, Required: p.key == "bootstrap.servers"}
		if p.ignored != "" {
			specs[i].Doc = "taken and without effect: " + p.ignored
		}
	}
	return specs
}

// applyProperties reads the options that begin with 'properties.'.
func (c *config) applyProperties(o connector.Options) error {
	for _, p := range properties {
		v, ok := o["properties."+p.key]
		if !ok || p.apply == nil {
			continue
		}
		if err := p.apply(c, v); err != nil {
			return err
		}
	}
	return nil
}

func number(key, v string, least, most int64) (int64, error) {
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < least || n > most {
		return 0, &connector.OptionError{Key: "properties." + key, Message: fmt.Sprintf("option 'properties.%s' is '%s'", key, v),
			Hint: fmt.Sprintf("write a whole number from %d to %d", least, most)}
	}
	return n, nil
}

// security is how a client connects.
type security struct {
	tls, sasl       bool
	mechanism, jaas string
	roots           *x509.CertPool // nil: those of the machine
	chain, key      []byte
	anyHost         bool
}

func (s *security) trust(option string, pem []byte) error {
	if s.roots == nil {
		s.roots = x509.NewCertPool()
	}
	if !s.roots.AppendCertsFromPEM(pem) {
		return &connector.OptionError{Key: "properties." + option, Message: fmt.Sprintf("option 'properties.%s' has no certificate in PEM", option),
			Hint: "convert a JKS or PKCS12 store: keytool -exportcert -rfc"}
	}
	return nil
}

func (s *security) trustFile(path string) error {
	pem, err := os.ReadFile(path)
	if err != nil {
		return &connector.OptionError{Key: "properties.ssl.truststore.location", Message: err.Error(), Hint: "name a PEM file"}
	}
	return s.trust("ssl.truststore.location", pem)
}

func (s *security) ownFile(path string) error {
	pem, err := os.ReadFile(path)
	if err != nil {
		return &connector.OptionError{Key: "properties.ssl.keystore.location", Message: err.Error(), Hint: "name a PEM file"}
	}
	s.chain, s.key = pem, pem
	return nil
}

// options are the client's.
func (s *security) options() ([]kgo.Opt, error) {
	var options []kgo.Opt
	if s.tls {
		t := &tls.Config{RootCAs: s.roots, MinVersion: tls.VersionTLS12}
		if s.anyHost {
			s.checkChainOnly(t)
		}
		if s.chain != nil || s.key != nil {
			own, err := tls.X509KeyPair(s.chain, s.key)
			if err != nil {
				return nil, &connector.OptionError{Key: "properties.ssl.keystore.key", Message: "this client's certificate and key do not go together: " + err.Error(),
					Hint: "give both, in PEM, the key not encrypted"}
			}
			t.Certificates = []tls.Certificate{own}
		}
		options = append(options, kgo.DialTLSConfig(t))
	}
	if s.sasl {
		m, err := s.login()
		if err != nil {
			return nil, err
		}
		options = append(options, kgo.SASL(m))
	}
	return options, nil
}

// checkChainOnly wants a certificate that is trusted, for whatever host.
func (s *security) checkChainOnly(t *tls.Config) {
	t.InsecureSkipVerify = true
	t.VerifyConnection = func(state tls.ConnectionState) error {
		o := x509.VerifyOptions{Roots: s.roots, Intermediates: x509.NewCertPool()}
		for _, c := range state.PeerCertificates[1:] {
			o.Intermediates.AddCert(c)
		}
		_, err := state.PeerCertificates[0].Verify(o)
		return err
	}
}

var (
	jaasModule = regexp.MustCompile(`^\s*(\S+)\s+\S+`)
	jaasOption = regexp.MustCompile(`(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s;"']+))`)
	jaasEscape = regexp.MustCompile(`\\(.)`)
)

// user is the name to say; empty if none can be read.
func (s *security) user() string {
	for _, m := range jaasOption.FindAllStringSubmatch(s.jaas, -1) {
		if m[1] == "username" {
			return jaasEscape.ReplaceAllString(m[2]+m[3]+m[4], "$1")
		}
	}
	return ""
}

// login reads name and password from the form in which Kafka has them.
func (s *security) login() (sasl.Mechanism, error) {
	refuse := func(message string) (sasl.Mechanism, error) {
		return nil, &connector.OptionError{Key: "properties.sasl.jaas.config", Message: message,
			Hint: `write: org.apache.kafka.common.security.plain.PlainLoginModule required username="…" password="…";`}
	}
	module := jaasModule.FindStringSubmatch(s.jaas)
	if module == nil {
		return refuse("'properties.security.protocol' asks for a name and a password, and 'properties.sasl.jaas.config' has none")
	}
	values := map[string]string{}
	for _, m := range jaasOption.FindAllStringSubmatch(s.jaas, -1) {
		values[m[1]] = jaasEscape.ReplaceAllString(m[2]+m[3]+m[4], "$1")
	}
	name, password := values["username"], values["password"]
	if name == "" || password == "" {
		return refuse("'properties.sasl.jaas.config' has no username or no password")
	}
	plainModule := strings.HasSuffix(module[1], ".PlainLoginModule")
	if !plainModule && !strings.HasSuffix(module[1], ".ScramLoginModule") {
		return refuse(fmt.Sprintf("'properties.sasl.jaas.config' names the module '%s', which is not supported", module[1]))
	}
	if plainModule != (s.mechanism == "PLAIN") {
		return refuse(fmt.Sprintf("'properties.sasl.jaas.config' names the module '%s', and 'properties.sasl.mechanism' is %s", module[1], s.mechanism))
	}
	switch s.mechanism {
	case "SCRAM-SHA-256":
		return scram.Auth{User: name, Pass: password}.AsSha256Mechanism(), nil
	case "SCRAM-SHA-512":
		return scram.Auth{User: name, Pass: password}.AsSha512Mechanism(), nil
	}
	return plain.Auth{User: name, Pass: password}.AsMechanism(), nil
}

var codecs = map[string]kgo.CompressionCodec{"none": kgo.NoCompression(), "gzip": kgo.GzipCompression(), "snappy": kgo.SnappyCompression(),
	"lz4": kgo.Lz4Compression(), "zstd": kgo.ZstdCompression()}

// splitList reads names divided by a separator.
func splitList(v, separator string) []string {
	var names []string
	for name := range strings.SplitSeq(v, separator) {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
