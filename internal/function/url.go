package function

import (
	"bytes"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// Functions about addresses.
var urlFunctions = []Scalar{
	{
		Name: "PARSE_URL", Family: FamilyEncoding,
		Signatures: []string{"PARSE_URL(url, part)", "PARSE_URL(url, 'QUERY', key)"},
		Doc: "A part of a URL: PROTOCOL, HOST, PATH, QUERY, REF, FILE, AUTHORITY or USERINFO, or the value of one key of the query; nothing is decoded. NULL if " +
			"there is none, or if the string is no URL. Flink 2.3: the protocols are http, https, ftp, file, jar and mailto.",
		Example: "PARSE_URL('http://example.org/tide?port=dover', 'QUERY', 'port')", ExampleResult: "dover",
		Overloads: []Overload{
			{Params: stringParams(2), Result: types.StringType, MayBeNull: true, Kernel: rewriting(parseURL)},
			{Params: stringParams(3), Result: types.StringType, MayBeNull: true, Kernel: rewriting(parseURL)},
		},
	},
	{
		Name: "INET_ATON", Family: FamilyEncoding,
		Signatures: []string{"INET_ATON(address)"},
		Doc:        "The number of an IPv4 address, of which parts in the middle may be left out: 127.1 is 127.0.0.1. NULL if it is none.",
		Example:    "INET_ATON('127.0.0.1')", ExampleResult: "2130706433",
		Overloads: []Overload{{Params: stringParams(1), Result: types.BigIntType, MayBeNull: true, Kernel: inetAton}},
	},
	{
		Name: "INET_NTOA", Family: FamilyEncoding,
		Signatures: []string{"INET_NTOA(number)"},
		Doc:        "The IPv4 address of a number; NULL if it is not from 0 to 4294967295.",
		Example:    "INET_NTOA(2130706433)", ExampleResult: "127.0.0.1",
		Overloads: []Overload{{Params: []types.Type{types.BigIntType}, Result: types.StringType, MayBeNull: true, Kernel: rewriting(inetNtoa)}},
	},
}

func parseURL(dst []byte, c *Call, i int) ([]byte, bool) {
	u, ok := splitURL(c.Args[0].Bytes(i))
	if !ok {
		return dst, false
	}
	wanted := string(c.Args[1].Bytes(i))
	if len(c.Args) == 3 {
		if wanted != "QUERY" {
			return dst, false
		}
		value, ok := queryValue(u.query, c.Args[2].Bytes(i))
		return append(dst, value...), ok
	}
	var part []byte
	switch wanted {
	case "PROTOCOL":
		return append(dst, bytes.ToLower(u.protocol)...), true
	case "HOST":
		return append(dst, u.host...), true
	case "PATH":
		return append(dst, u.path...), true
	case "FILE":
		dst = append(dst, u.path...)
		if u.query != nil {
			dst = append(append(dst, '?'), u.query...)
		}
		return dst, true
	case "QUERY":
		part = u.query
	case "REF":
		part = u.ref
	case "AUTHORITY":
		part = u.authority
	case "USERINFO":
		part = u.userInfo
	}
	return append(dst, part...), part != nil
}

// urlParts are cut out of a URL; nil is what is not there.
type urlParts struct {
	protocol, authority, userInfo, host, path, query, ref []byte
}

// splitURL cuts as Java's URL class does, whose answers Flink gives.
func splitURL(s []byte) (u urlParts, ok bool) {
	s = bytes.TrimFunc(s, func(r rune) bool { return r <= ' ' })
	u.protocol, s, ok = bytes.Cut(s, []byte{':'})
	if !ok || !knownProtocol(u.protocol) {
		return u, false
	}
	s, u.ref, ok = bytes.Cut(s, []byte{'#'})
	if !ok {
		u.ref = nil
	}
	s, u.query, ok = bytes.Cut(s, []byte{'?'})
	if !ok {
		u.query = nil
	}
	if !bytes.HasPrefix(s, []byte("//")) || bytes.HasPrefix(s, []byte("////")) {
		u.path = s
		return u, true
	}
	s = s[2:]
	end := bytes.IndexByte(s, '/')
	if end < 0 {
		end = len(s)
	}
	u.authority, u.path = s[:end], s[end:]
	return u, u.splitAuthority()
}

func knownProtocol(protocol []byte) bool {
	switch string(bytes.ToLower(protocol)) {
	case "http", "https", "ftp", "file", "jar", "mailto":
		return true
	}
	return false
}

// splitAuthority finds user and host. Java: two @ leave neither, and a port must be a number that is not below -1.
func (u *urlParts) splitAuthority() bool {
	u.host = u.authority
	if at := bytes.IndexByte(u.authority, '@'); at >= 0 {
		if bytes.LastIndexByte(u.authority, '@') != at {
			u.host = nil
			return true
		}
		u.userInfo, u.host = u.authority[:at], u.authority[at+1:]
	}
	from := 0
	if bytes.HasPrefix(u.host, []byte{'['}) {
		from = bytes.IndexByte(u.host, ']') + 1
		if from < 3 || from < len(u.host) && u.host[from] != ':' {
			return false
		}
	}
	colon := bytes.IndexByte(u.host[from:], ':')
	if colon < 0 {
		return true
	}
	port := u.host[from+colon+1:]
	u.host = u.host[:from+colon]
	if rest, digits := skipDigits(port); len(rest) == 0 && digits < 10 || string(port) == "-1" {
		return true
	}
	return false
}

// queryValue is what stands behind the first key= of a query.
func queryValue(query, key []byte) ([]byte, bool) {
	for pair := range bytes.SplitSeq(query, []byte{'&'}) {
		if rest, ok := bytes.CutPrefix(pair, key); ok && len(rest) > 0 && rest[0] == '=' {
			return rest[1:], true
		}
	}
	return nil, false
}

func inetAton(c *Call) error {
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		n, ok := ipv4(c.Args[0].Bytes(i))
		if !ok {
			c.SetNull(i)
		}
		c.Out.Ints[i] = n
	}
	return nil
}

// ipv4 reads one to four decimal bytes; the last is the lowest, the others come from the top.
func ipv4(s []byte) (address int64, ok bool) {
	for shift := 24; ; shift -= 8 {
		rest, digits := skipDigits(s)
		if digits == 0 {
			return 0, false
		}
		b := int64(0)
		for _, d := range s[:digits] {
			if b = 10*b + int64(d-'0'); b > 255 {
				return 0, false
			}
		}
		switch {
		case len(rest) == 0:
			return address | b, true
		case rest[0] != '.' || shift == 0:
			return 0, false
		}
		address |= b << shift
		s = rest[1:]
	}
}

func inetNtoa(dst []byte, c *Call, i int) ([]byte, bool) {
	n := c.Args[0].Int(i)
	if n != int64(uint32(n)) {
		return dst, false
	}
	for shift := 24; shift >= 0; shift -= 8 {
		dst = appendSmall(dst, uint8(n>>shift))
		if shift > 0 {
			dst = append(dst, '.')
		}
	}
	return dst, true
}

func appendSmall(dst []byte, b uint8) []byte {
	if b >= 100 {
		dst = append(dst, '0'+b/100)
	}
	if b >= 10 {
		dst = append(dst, '0'+b/10%10)
	}
	return append(dst, '0'+b%10)
}
