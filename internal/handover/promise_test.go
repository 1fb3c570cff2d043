package handover

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/tidemark-sql/tidemark/watermark"
)

var samples = []Promise{
	{Column: "ts", State: Open, Frontier: watermark.Unset},
	{Column: "ts", State: Ended, Frontier: -1000, Ends: []End{{0, 1}, {7, 1 << 40}}},
	{Column: "", State: Idle, Frontier: 1000, Ends: []End{{3, 5}}},
}

func TestRecordsRoundTrip(t *testing.T) {
	for _, p := range samples {
		got, err := ReadPromise(p.Append(nil))
		if err != nil || !reflect.DeepEqual(got, p) {
			t.Errorf("%+v became %+v, %v", p, got, err)
		}
	}
	k := Key{Topic: "clicks", ID: TopicID{1}, Writer: Writer{2}}
	if got, err := ReadKey(k.Append(nil)); err != nil || got != k {
		t.Errorf("%+v became %+v, %v", k, got, err)
	}
}

func TestMalformedRecordsAreRefused(t *testing.T) {
	good := samples[1].Append(nil)
	change := func(at int, to byte) []byte { b := bytes.Clone(good); b[at] = to; return b }
	final := Promise{Frontier: watermark.Final}
	disorder := Promise{Ends: []End{{1, 1}, {1, 2}}}
	empty := Promise{Ends: []End{{0, 0}}}
	for name, b := range map[string][]byte{
		"empty": nil, "short": good[:11], "cut": good[:len(good)-1], "version": change(0, 2), "state": change(1, 4),
		"final": final.Append(nil), "disorder": disorder.Append(nil), "no rows": empty.Append(nil),
	} {
		if p, err := ReadPromise(b); err == nil {
			t.Errorf("%s: read as %+v", name, p)
		}
	}
	for name, b := range map[string][]byte{"empty": nil, "no topic": Key{}.Append(nil), "version": {9, 9}} {
		if k, err := ReadKey(b); err == nil {
			t.Errorf("%s: read as %+v", name, k)
		}
	}
}

// FuzzRead wants that whatever is read is written the same.
func FuzzRead(f *testing.F) {
	for _, p := range samples {
		f.Add(p.Append(nil))
	}
	f.Add(Key{Topic: "t"}.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if p, err := ReadPromise(b); err == nil && !bytes.Equal(p.Append(nil), b) {
			t.Errorf("%x is read as %+v, which is %x", b, p, p.Append(nil))
		}
		if k, err := ReadKey(b); err == nil && !bytes.Equal(k.Append(nil), b) {
			t.Errorf("%x is read as %+v, which is %x", b, k, k.Append(nil))
		}
	})
}
