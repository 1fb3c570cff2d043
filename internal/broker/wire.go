package broker

import (
	"bytes"
	"encoding/binary"
	"net"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// listener gives connections that turn marks into what they stand for.
type listener struct {
	net.Listener
	appended *appended
}

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &wire{Conn: c, appended: l.appended}, nil
}

// wire is a client's connection. It reads along which requests come, and changes the answers to two kinds: fetched batches with a mark say that their
// time is the broker's, and who sent such batches is told that time. The cluster answers in the order of the requests, each with one Write.
type wire struct {
	net.Conn
	appended *appended

	head   [4 + 8]byte // the length of a request and what asked has of it
	filled int
	skip   int // what is left of the request behind its head

	mu    sync.Mutex
	asked []asked
}

// asked is a request whose answer has not been written.
type asked struct {
	key, version int16
	correlation  int32
}

// Read implements net.Conn.
func (w *wire) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	w.heed(p[:n])
	return n, err
}

func (w *wire) heed(p []byte) {
	for len(p) > 0 {
		if w.skip > 0 {
			n := min(w.skip, len(p))
			w.skip -= n
			p = p[n:]
			continue
		}
		n := copy(w.head[w.filled:], p)
		w.filled += n
		p = p[n:]
		if w.filled < len(w.head) {
			return
		}
		at := w.head[4:]
		w.filled, w.skip = 0, max(int(int32(binary.BigEndian.Uint32(w.head[:])))-len(at), 0)
		w.mu.Lock()
		w.asked = append(w.asked, asked{int16(binary.BigEndian.Uint16(at)), int16(binary.BigEndian.Uint16(at[2:])), int32(binary.BigEndian.Uint32(at[4:]))})
		w.mu.Unlock()
	}
}

// answered is the request that the answer p is for; those before it have none.
func (w *wire) answered(p []byte) (a asked, ok bool) {
	if len(p) < 8 {
		return a, false
	}
	correlation := int32(binary.BigEndian.Uint32(p[4:]))
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, a := range w.asked {
		if a.correlation == correlation {
			w.asked = append(w.asked[:0], w.asked[i+1:]...)
			return a, true
		}
	}
	return a, false
}

// Write implements net.Conn.
func (w *wire) Write(p []byte) (int, error) {
	out := p
	if a, ok := w.answered(p); ok {
		switch kmsg.Key(a.key) {
		case kmsg.Produce:
			out = w.produced(p, a.version)
		case kmsg.Fetch, kmsg.ShareFetch:
			out = fetched(p, kmsg.Key(a.key), a.version)
		}
	}
	if n, err := w.Conn.Write(out); err != nil {
		return min(n, len(p)), err
	}
	return len(p), nil
}

// read reads an answer that stands in p into r, and tells where its body begins.
func read(p []byte, version int16, r kmsg.Response) (body int, ok bool) {
	r.SetVersion(version)
	body = 8
	if r.IsFlexible() {
		body++ // there are no tags
	}
	return body, len(p) >= body && r.ReadFrom(p[body:]) == nil
}

// produced is the answer p to a produce request, with the times that the broker gave.
func (w *wire) produced(p []byte, version int16) []byte {
	r := kmsg.NewPtrProduceResponse()
	body, ok := read(p, version, r)
	if !ok {
		return p
	}
	given := false
	for i := range r.Topics {
		t := &r.Topics[i]
		for k := range t.Partitions {
			part := &t.Partitions[k]
			if part.ErrorCode != 0 {
				continue
			}
			if now, ok := w.appended.take(appendedAt{topicOf(t.Topic, t.TopicID), part.Partition, part.BaseOffset}); ok {
				part.LogAppendTime, given = now, true
			}
		}
	}
	if !given {
		return p
	}
	out := r.AppendTo(bytes.Clone(p[:body]))
	binary.BigEndian.PutUint32(out, uint32(len(out)-4))
	return out
}

// fetched is the answer p to a fetch request, with batches that say that their time is the broker's where they are marked.
func fetched(p []byte, key kmsg.Key, version int16) []byte {
	seen := false
	batches(p, key, version, func(b []byte) { marked(b, func([]byte) { seen = true }) })
	if !seen {
		return p
	}
	p = bytes.Clone(p) // who writes keeps his own
	batches(p, key, version, func(b []byte) { marked(b, unveil) })
	return p
}

// batches calls f with what an answer has of each partition.
func batches(p []byte, key kmsg.Key, version int16, f func([]byte)) {
	if key == kmsg.ShareFetch {
		r := kmsg.NewPtrShareFetchResponse()
		if _, ok := read(p, version, r); ok {
			for i := range r.Topics {
				for k := range r.Topics[i].Partitions {
					f(r.Topics[i].Partitions[k].Records)
				}
			}
		}
		return
	}
	r := kmsg.NewPtrFetchResponse()
	if _, ok := read(p, version, r); ok {
		for i := range r.Topics {
			for k := range r.Topics[i].Partitions {
				f(r.Topics[i].Partitions[k].RecordBatches)
			}
		}
	}
}
