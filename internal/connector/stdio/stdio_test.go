package stdio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var schema = types.Schema{{Name: "id", Type: types.BigIntType}, {Name: "name", Type: types.StringType}}

func open(t *testing.T, r io.Reader, o connector.Options) (connector.Source, connector.Split) {
	t.Helper()
	s, err := Stdin.NewSource(connector.Table{Schema: schema, Needed: []int{1, 0}, Stdin: connector.NewInput(r)}, o)
	if err != nil {
		t.Fatal(err)
	}
	splits, err := s.Open()
	if err != nil || len(splits) != 1 || !s.Bounded() {
		t.Fatal(len(splits), err)
	}
	return s, splits[0]
}

// next reads the next chunk, if there is one at the moment.
func next(t *testing.T, s connector.Source, split connector.Split, rows *[]string) error {
	t.Helper()
	synctest.Wait() // the feed reads all it can
	c, _, err := split.Poll(0)
	if err != nil || c == nil {
		return err
	}
	d, err := s.NewDecoder()
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Decode(c, &vector.Pool{}, 2, func(b *vector.Batch) error {
		for i := range b.N {
			*rows = append(*rows, fmt.Sprintf("%d %s", b.Cols[1].Int(i), b.Cols[0].Bytes(i)))
		}
		b.Release()
		return nil
	})
	return err
}

func TestStdin(t *testing.T) {
	for _, c := range []struct {
		name    string
		text    string
		options connector.Options
		want    []string
		err     string
	}{
		{"json", `{"id":1,"name":"a"}` + "\n\n" + `{"id":2,"name":"b"}` + "\r\n" + `{"id":3,"name":"c"}`, connector.Options{"format": "json"}, []string{"1 a", "2 b", "3 c"}, ""},
		{"nothing", "", connector.Options{"format": "json"}, nil, ""},
		{"csv", "id,name\n1,\"a\n\"\n2,b\n", connector.Options{"format": "csv", "csv.skip-header": "true"}, []string{"1 a\n", "2 b"}, ""},
		{"marked json", "\ufeff" + `{"id":1,"name":"a"}`, connector.Options{"format": "json"}, []string{"1 a"}, ""},
		{"marked csv", "\ufeff\"1\",\"a\n\"\n2,b\n", connector.Options{"format": "csv"}, []string{"1 a\n", "2 b"}, ""},
		{"a bad line", `{"id":1,"name":"a\nb"}` + "\n\n" + `{"id":2,"name":"\n"}` + "\n" + `{"id":3,"name":"c"}` + "\n" + `{"id":"x"}`, connector.Options{"format": "json"},
			[]string{"1 a\nb", "2 \n", "3 c"}, "standard input line 5: field 'id'"},
		{"a bad record", "1,\"a\n\"\nx,b\n", connector.Options{"format": "csv"}, []string{"1 a\n"}, "standard input line 3: field 'id'"},
	} {
		for _, wrap := range []func(io.Reader) io.Reader{iotest.OneByteReader, iotest.DataErrReader, func(r io.Reader) io.Reader { return r }} {
			synctest.Test(t, func(t *testing.T) {
				s, split := open(t, wrap(strings.NewReader(c.text)), c.options)
				var rows []string
				err := error(nil)
				for err == nil {
					err = next(t, s, split, &rows)
				}
				if errors.Is(err, io.EOF) {
					if split.Offset() != int64(len(c.text)) {
						t.Errorf("%s: offset %d at the end", c.name, split.Offset())
					}
					err = nil
				}
				if !slices.Equal(rows, c.want) || (err == nil) != (c.err == "") || err != nil && !strings.HasPrefix(err.Error(), c.err) {
					t.Errorf("%s: got %q, %v", c.name, rows, err)
				}
				if err := split.Close(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestSilence: while nothing comes a statement can go on and end, and a half record waits for its other half.
func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		s, split := open(t, r, connector.Options{"format": "json"})
		c, wake, err := split.Poll(10)
		if c != nil || wake != connector.Never || err != nil {
			t.Fatal(c, wake, err)
		}
		var rows []string
		for i, text := range []string{`{"id":1,`, `"name":"a"}` + "\n" + `{"id":2`, `,"name":"b"}` + "\n"} {
			if _, err := io.WriteString(w, text); err != nil {
				t.Fatal(err)
			}
			if err := next(t, s, split, &rows); err != nil || len(rows) != i {
				t.Fatal(rows, err)
			}
		}
		_ = w.CloseWithError(errors.New("gone"))
		if err := next(t, s, split, &rows); fault.Of(err) != fault.External || !strings.Contains(err.Error(), "read standard input: gone") {
			t.Errorf("a broken input: %v", err)
		}
		if err := split.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestTurns: where a turn ends depends on the records alone, not on how they come.
func TestTurns(t *testing.T) {
	var text strings.Builder
	for i, size := range []int{10, turnBytes - 30, 100, 5, 5, 3*turnBytes + 7, 1, turnBytes / 2, turnBytes / 2, turnBytes/2 + 1, 9, turnBytes - 17, 2} {
		fmt.Fprintf(&text, "%d,\"%s\n\"\n", i, strings.Repeat("x", size))
	}
	text.WriteString("99,end")
	for _, o := range []connector.Options{{"format": "csv"}, {"format": "json"}} {
		var want []int64
		for _, size := range []int{1 << 30, 1000, 77_777, turnBytes, turnBytes + 1} {
			synctest.Test(t, func(t *testing.T) {
				rest := strings.NewReader(text.String())
				_, split := open(t, readerFunc(func(p []byte) (int, error) { return rest.Read(p[:min(len(p), size)]) }), o)
				var ends []int64
				for err := error(nil); err == nil; {
					synctest.Wait()
					var c connector.Chunk
					if c, _, err = split.Poll(0); c != nil && c.(connector.Part).EndsTurn() {
						ends = append(ends, split.Offset())
					}
				}
				if split.Offset() != int64(text.Len()) {
					t.Errorf("read %d bytes of %d", split.Offset(), text.Len())
				}
				if want == nil {
					want = ends
				}
				if len(want) < 4 || !slices.Equal(ends, want) {
					t.Errorf("%s, %d bytes at a time: turns end at %v, not %v", o["format"], size, ends, want)
				}
			})
		}
	}
}

// TestArrival: a source that waits is told when something has come.
func TestArrival(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		s, err := Stdin.NewSource(connector.Table{Schema: schema, Needed: []int{1, 0}, Stdin: connector.NewInput(r)}, connector.Options{"format": "json"})
		if err != nil {
			t.Fatal(err)
		}
		arrived := make(chan struct{}, 1)
		s.(connector.Live).Listen(arrived)
		splits, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		if c, wake, err := splits[0].Poll(0); c != nil || wake != connector.Never || err != nil {
			t.Fatal(c, wake, err)
		}
		for range 2 {
			if _, err := io.WriteString(w, `{"id":1}`+"\n"); err != nil {
				t.Fatal(err)
			}
			<-arrived // or the bubble is deadlocked
			if c, _, err := splits[0].Poll(0); err != nil || c == nil || c.(connector.Part).EndsTurn() {
				t.Error(c, err)
			}
		}
		if err := errors.Join(w.Close(), splits[0].Close(), s.(connector.Live).Close()); err != nil {
			t.Error(err)
		}
	})
}

// TestReadAhead: a slow statement does not make the input pile up.
func TestReadAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		read := 0
		endless := readerFunc(func(p []byte) (int, error) { read += len(p); return len(p), nil })
		_, split := open(t, endless, connector.Options{"format": "json"})
		if _, _, err := split.Poll(0); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if read < aheadBytes || read > aheadBytes+2*readBytes {
			t.Errorf("%d bytes were read ahead", read)
		}
		if err := split.Close(); err != nil {
			t.Error(err)
		}
	})
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestStdinIsReadOnce(t *testing.T) {
	in := connector.NewInput(strings.NewReader(""))
	for i, want := range []string{"", "standard input is read already"} {
		s, err := Stdin.NewSource(connector.Table{Schema: schema, Stdin: in}, connector.Options{"format": "json"})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Open()
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("reader %d: %v", i, err)
		}
	}
	s, _ := Stdin.NewSource(connector.Table{Schema: schema}, connector.Options{"format": "json"})
	if _, err := s.Open(); fault.Of(err) != fault.User {
		t.Errorf("without input: %v", err)
	}
	_, split := open(t, strings.NewReader(""), connector.Options{"format": "json"})
	if err := split.Resume(0); err != nil {
		t.Error(err)
	}
	if err := split.Resume(7); fault.Of(err) != fault.User {
		t.Errorf("resume: %v", err)
	}
}

func TestStdout(t *testing.T) {
	var out bytes.Buffer
	s, err := Stdout.NewSink(connector.Table{Schema: schema, Stdout: &out}, connector.Options{"format": "csv"})
	if err != nil {
		t.Fatal(err)
	}
	a := (&vector.Pool{}).Get()
	id, name := vector.NewBuilder(a, vector.Int64, 3), vector.NewBuilder(a, vector.Bytes, 3)
	for i, text := range []string{"a", "b,", "c"} {
		id.AppendInt(int64(i))
		name.AppendBytes([]byte(text))
	}
	b := &vector.Batch{N: 3, Sel: []int32{1, 2}, Cols: []*vector.Vector{id.Done(), name.Done()}, Arena: a}
	if err := s.Write(b); err != nil || out.Len() > 0 {
		t.Fatal(out.String(), err)
	}
	if err := s.Flush(); err != nil || out.String() != "1,\"b,\"\n2,c\n" {
		t.Errorf("got %q, %v", out.String(), err)
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		make func() error
		want string
	}{
		{func() error { return connector.Check("stdin", nil, Stdin.Specs) }, "connector 'stdin' needs the option 'format'"},
		{func() error { return connector.Check("stdout", nil, Stdout.Specs) }, "connector 'stdout' needs the option 'format'"},
		{func() error { _, err := Stdin.NewSink(connector.Table{}, nil); return err }, "a table with connector 'stdin' cannot be written"},
		{func() error { _, err := Stdout.NewSource(connector.Table{}, nil); return err }, "a table with connector 'stdout' cannot be read"},
	} {
		err, ok := errors.AsType[*connector.OptionError](c.make())
		if !ok || err.Message != c.want || err.Hint == "" {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// TestMisread: what cannot be read of standard input is kept with its place.
func TestMisread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		text := `{"id":1,"name":"a"}` + "\n{\n" + `{"id":2,"name":"b"}` + "\n" + `{"id":"x","name":"\u00e9"}` + "\n"
		s, split := open(t, strings.NewReader(text), connector.Options{"format": "json", connector.OptionErrors: connector.LogErrors})
		defer split.Close()
		var got []string
		for {
			synctest.Wait() // the feed reads all it can
			c, _, err := split.Poll(0)
			if err != nil {
				break
			}
			if c == nil {
				continue
			}
			d, err := s.NewDecoder()
			if err != nil {
				t.Fatal(err)
			}
			decoded, err := d.Decode(c, &vector.Pool{}, 1, func(b *vector.Batch) error { b.Release(); return nil })
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range decoded.Misread {
				got = append(got, fmt.Sprintf("%s %d %s", m.Origin, m.Offset, m.Value))
			}
		}
		want := []string{"standard input 20 {", `standard input 42 {"id":"x","name":"\u00e9"}`}
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
