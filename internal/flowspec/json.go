package flowspec

import (
	"bytes"
	"encoding/json"
)

// JSON is n as JSON, its members in their order; nil for nothing.
func (n *Node) JSON() []byte {
	if n == nil || n.Kind == Null {
		return nil
	}
	var b bytes.Buffer
	n.json(&b)
	return b.Bytes()
}

func (n *Node) json(b *bytes.Buffer) {
	switch n.Kind {
	case Null:
		b.WriteString("null")
	case Bool:
		b.WriteString(n.Text)
	case Number:
		if json.Valid([]byte(n.Text)) {
			b.WriteString(n.Text)
		} else {
			writeString(b, n.Text)
		}
	case String:
		writeString(b, n.Text)
	case List:
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.json(b)
		}
		b.WriteByte(']')
	case Map:
		b.WriteByte('{')
		for i, e := range n.Entries {
			if i > 0 {
				b.WriteByte(',')
			}
			writeString(b, e.Key.Text)
			b.WriteByte(':')
			e.Value.json(b)
		}
		b.WriteByte('}')
	}
}

func writeString(b *bytes.Buffer, s string) {
	text, err := json.Marshal(s)
	if err != nil {
		panic("tidemark bug: a string has no JSON: " + err.Error())
	}
	b.Write(text)
}
