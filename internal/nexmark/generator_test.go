package nexmark

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

var kinds = []Kind{Bids, Auctions, People}

func generate(t *testing.T, cfg Config) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, cfg); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// rows decodes what cfg generates and fails on any line that is not an object with the fields of T and no others.
func rows[T any](t *testing.T, cfg Config) []T {
	t.Helper()
	var all []T
	lines := bufio.NewScanner(bytes.NewReader(generate(t, cfg)))
	for lines.Scan() {
		var row T
		decoder := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&row); err != nil {
			t.Fatalf("line %d: %v\n%s", len(all)+1, err, lines.Bytes())
		}
		all = append(all, row)
	}
	if int64(len(all)) != cfg.Rows {
		t.Fatalf("%d lines, want %d", len(all), cfg.Rows)
	}
	return all
}

type bid struct {
	Auction, Bidder, Price int64
	Channel, URL, Extra    string
	DateTime               time.Time
}

type auction struct {
	ID, InitialBid, Reserve, Seller, Category int64
	ItemName, Description, Extra              string
	DateTime, Expires                         time.Time
}

type person struct {
	ID                                                 int64
	Name, EmailAddress, CreditCard, City, State, Extra string
	DateTime                                           time.Time
}

// Seeded data is quoted in benchmarks and bug reports, so its bytes may change only on purpose.
func TestBytesOfASeed(t *testing.T) {
	const shown, hashed = 5, 20_000
	for _, kind := range kinds {
		all := generate(t, Config{Rows: hashed, Seed: 1, Table: kind})
		lines := bytes.SplitAfterN(all, []byte("\n"), shown+1)
		got := fmt.Appendf(bytes.Join(lines[:shown], nil), "%d rows: sha256 %x\n", hashed, sha256.Sum256(all))

		golden := filepath.Join("testdata", kind.String()+".golden")
		if *update {
			if err := os.WriteFile(golden, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", golden, got, want)
		}
	}
}

func TestFewerRowsAreAPrefix(t *testing.T) {
	for _, kind := range kinds {
		short := generate(t, Config{Rows: 10, Table: kind})
		long := generate(t, Config{Rows: 5000, Table: kind})
		if !bytes.HasPrefix(long, short) {
			t.Errorf("%v: 10 rows are not the first of 5000", kind)
		}
		other := generate(t, Config{Rows: 10, Table: kind, Seed: 7})
		if bytes.Equal(short, other) {
			t.Errorf("%v: seeds 0 and 7 give the same rows", kind)
		}
	}
}

func TestZeroConfigWritesNothing(t *testing.T) {
	if out := generate(t, Config{}); len(out) != 0 {
		t.Errorf("got %q", out)
	}
}

func TestBidsHaveTheirClassicLength(t *testing.T) {
	const count = 20_000
	for _, keys := range []int64{1000, 1_000_000} {
		mean := float64(len(generate(t, Config{Rows: count, Keys: keys}))) / count
		if math.Abs(mean-223) > 5 {
			t.Errorf("%d keys: a line has %.1f bytes on average, want about 223", keys, mean)
		}
	}
}

func TestDistinctBiddersComeNearKeys(t *testing.T) {
	for _, c := range []struct{ rows, keys int64 }{
		{20_000, 1},
		{20_000, 1000},
		{20_000, 200_000},
	} {
		seen := map[int64]bool{}
		for _, b := range rows[bid](t, Config{Rows: c.rows, Keys: c.keys}) {
			if b.Bidder < firstID || b.Bidder >= firstID+c.keys {
				t.Fatalf("%d keys: bidder %d", c.keys, b.Bidder)
			}
			seen[b.Bidder] = true
		}
		// A uniform draw leaves each key out with probability e^(-rows/keys).
		want := float64(c.keys) * -math.Expm1(-float64(c.rows)/float64(c.keys))
		if got := float64(len(seen)); math.Abs(got-want) > want/100 {
			t.Errorf("%d rows over %d keys: %.0f distinct bidders, want about %.0f", c.rows, c.keys, got, want)
		}
	}
}

func TestPricesSpreadOverMagnitudes(t *testing.T) {
	const count = 20_000
	perDigits := map[int]int{}
	for _, b := range rows[bid](t, Config{Rows: count}) {
		if b.Price < 1 || b.Price >= 100_000_000 {
			t.Fatalf("price %d", b.Price)
		}
		perDigits[len(fmt.Sprint(b.Price))]++
	}
	for digits := 1; digits <= 8; digits++ {
		if n := perDigits[digits]; n < count/8*9/10 || n > count/8*11/10 {
			t.Errorf("%d of %d prices have %d digits, want about one in eight", n, count, digits)
		}
	}
}

func TestJitterBoundsDisorder(t *testing.T) {
	for _, jitter := range []time.Duration{0, time.Second, time.Hour} {
		cfg := Config{Rows: 10_000, Jitter: jitter}
		bound := cfg.withDefaults().Jitter
		least, most := time.Duration(math.MaxInt64), time.Duration(0)
		var newest time.Time
		for row, b := range rows[bid](t, cfg) {
			arrival := time.UnixMicro(DefaultStart + eventOf(Bids, int64(row))*1_000_000/DefaultRate)
			back := arrival.Truncate(time.Millisecond).Sub(b.DateTime)
			least, most = min(least, back), max(most, back)
			// Flink 2.3: a row at exactly the watermark is late.
			if watermark := newest.Add(-bound); !b.DateTime.After(watermark) {
				t.Fatalf("jitter %v: row %d at %v is late at watermark %v", bound, row, b.DateTime, watermark)
			}
			if b.DateTime.After(newest) {
				newest = b.DateTime
			}
		}
		if least < 0 || least > bound/100 || most >= bound || most < bound-bound/100 {
			t.Errorf("jitter %v: times are moved back by %v to %v", bound, least, most)
		}
	}
}

func TestInOrderIsInOrder(t *testing.T) {
	var last time.Time
	for row, b := range rows[bid](t, Config{Rows: 10_000, Jitter: InOrder}) {
		if b.DateTime.Before(last) {
			t.Fatalf("row %d at %v after %v", row, b.DateTime, last)
		}
		last = b.DateTime
	}
}

func TestRateSpacesEvents(t *testing.T) {
	// At one event per second the second cycle of 50 events starts at second 50; its first bid is event 54.
	all := rows[bid](t, Config{Rows: bidsPerCycle + 1, Rate: 1, Start: -1_000_000, Jitter: InOrder})
	if got, want := all[bidsPerCycle].DateTime, time.Unix(53, 0); !got.Equal(want) {
		t.Errorf("got %v, want %v", got.UTC(), want.UTC())
	}
	if got, want := all[0].DateTime, time.Unix(3, 0); !got.Equal(want) {
		t.Errorf("got %v, want %v", got.UTC(), want.UTC())
	}
}

// Three files of one seed tell one story: bids name open auctions, auctions name registered people.
func TestTablesJoin(t *testing.T) {
	const cycles = 100
	cfg := Config{Rows: cycles, Table: People, Jitter: InOrder}
	people := map[int64]person{}
	for _, p := range rows[person](t, cfg) {
		people[p.ID] = p
	}
	cfg.Table, cfg.Rows = Auctions, auctionsPerCycle*cycles
	auctions := map[int64]auction{}
	for _, a := range rows[auction](t, cfg) {
		if seller, ok := people[a.Seller]; !ok || seller.DateTime.After(a.DateTime) {
			t.Errorf("auction %d opens at %v, its seller %d registers at %v", a.ID, a.DateTime, a.Seller, seller.DateTime)
		}
		if !a.Expires.After(a.DateTime) || a.Reserve <= a.InitialBid || a.Category < 10 || a.Category > 14 {
			t.Errorf("auction %+v", a)
		}
		auctions[a.ID] = a
	}
	cfg.Table, cfg.Rows = Bids, bidsPerCycle*cycles
	for _, b := range rows[bid](t, cfg) {
		if a, ok := auctions[b.Auction]; !ok || a.DateTime.After(b.DateTime) {
			t.Errorf("a bid at %v for auction %d, which opens at %v", b.DateTime, b.Auction, a.DateTime)
		}
	}
	if len(people) != cycles || len(auctions) != auctionsPerCycle*cycles {
		t.Errorf("%d people and %d auctions: ids repeat", len(people), len(auctions))
	}
}

func TestAChannelHasOneURL(t *testing.T) {
	urls := map[string]string{}
	for _, b := range rows[bid](t, Config{Rows: 10_000}) {
		if known, ok := urls[b.Channel]; ok && known != b.URL {
			t.Fatalf("%s: %s and %s", b.Channel, known, b.URL)
		}
		urls[b.Channel] = b.URL
	}
	if len(urls) < coldChannels/4 {
		t.Errorf("%d channels", len(urls))
	}
}

// chunks keeps what each call to Write brought and fails once it has taken limit calls.
type chunks struct {
	calls [][]byte
	limit int
}

var errFull = errors.New("disk full")

func (c *chunks) Write(p []byte) (int, error) {
	if len(c.calls) == c.limit {
		return 0, errFull
	}
	c.calls = append(c.calls, bytes.Clone(p))
	return len(p), nil
}

func TestWritesHoldWholeLines(t *testing.T) {
	out := chunks{limit: math.MaxInt}
	if err := Write(&out, Config{Rows: 5000}); err != nil {
		t.Fatal(err)
	}
	if len(out.calls) < 4 {
		t.Fatalf("%d calls for a megabyte", len(out.calls))
	}
	for i, call := range out.calls {
		if call[0] != '{' || !bytes.HasSuffix(call, []byte("}\n")) || len(call) > chunkSize {
			t.Errorf("call %d brings %d bytes from %q to %q", i, len(call), call[:10], call[len(call)-10:])
		}
	}
}

func TestWriteStopsWhenTheWriterFails(t *testing.T) {
	for _, limit := range []int{0, 1} {
		err := Write(&chunks{limit: limit}, Config{Rows: 5000, Table: People})
		if !errors.Is(err, errFull) || err.Error() != "write nexmark people: disk full" {
			t.Errorf("after %d calls: %v", limit, err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	for _, kind := range kinds {
		b.Run(kind.String(), func(b *testing.B) {
			b.ReportAllocs()
			if err := Write(io.Discard, Config{Rows: int64(b.N), Table: kind}); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
