package functions

import (
	"bytes"
	"net/url"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/function"
)

// urlFunctions are those of module Url. A URL without a scheme is taken for one with a host at its beginning.
var urlFunctions = []Function{
	ofURL("GetScheme", "The scheme with its two slashes; empty if there is none.", "https://", func(u parts) (string, bool) { return u.scheme, true }),
	ofURL("GetHost", "The host without its port.", "example.org", func(u parts) (string, bool) { return u.hostname(), u.host != "" }),
	ofURL("GetHostPort", "The host with its port.", "example.org:8080", func(u parts) (string, bool) { return u.host, u.host != "" }),
	ofURL("GetSchemeHost", "The scheme and the host without its port.", "https://example.org", func(u parts) (string, bool) { return u.scheme + u.hostname(), u.host != "" }),
	ofURL("GetSchemeHostPort", "The scheme and the host with its port.", "https://example.org:8080", func(u parts) (string, bool) { return u.scheme + u.host, u.host != "" }),
	ofURL("GetPath", "The path without query and fragment.", "/a/b", func(u parts) (string, bool) { return u.path, true }),
	ofURL("GetTail", "What stands behind the host.", "/a/b?k=v&n=1#top", func(u parts) (string, bool) { return u.tail(), true }),
	ofURL("GetFragment", "What stands behind the sharp; NULL if there is none.", "top", func(u parts) (string, bool) { return u.fragment, u.fragment != "" }),
	ofURL("CutScheme", "The URL without its scheme.", "example.org:8080/a/b?k=v&n=1#top", func(u parts) (string, bool) { return u.host + u.tail(), true }),
	ofURL("CutQueryStringAndFragment", "The URL up to its query.", "https://example.org:8080/a/b", func(u parts) (string, bool) { return u.scheme + u.host + u.path, true }),
	ofURL("CutWWW", "The URL without www. at the beginning of its host.", "https://example.org:8080/a/b?k=v&n=1#top", func(u parts) (string, bool) {
		return u.scheme + strings.TrimPrefix(u.host, "www.") + u.tail(), true
	}),
	ofURL("GetTLD", "The last part of the host.", "org", func(u parts) (string, bool) {
		host := u.hostname()
		return host[strings.LastIndexByte(host, '.')+1:], host != ""
	}),
	{
		Module: "Url", Name: "GetPort", Signature: "Url::GetPort(url)", Doc: "The port; NULL if there is none.",
		Example: "Url::GetPort(" + sampleURL + ")", Result: "8080",
		params: []param{paramURL},
		apply: gives(count64, spec{mayBeNull: true, kernel: ints(func(c *function.Call, i int) (int64, error) {
			u := partsOfURL(string(c.Args[0].Bytes(i)))
			n, err := strconv.ParseUint(strings.TrimPrefix(u.host[len(u.hostname()):], ":"), 10, 16)
			if err != nil {
				return 0, errNull
			}
			return int64(n), nil
		})}),
	},
	{
		Module: "Url", Name: "GetCGIParam", Signature: "Url::GetCGIParam(url, name)", Doc: "The value of a parameter of the query; NULL if there is none.",
		Example: "Url::GetCGIParam(" + sampleURL + `, "k")`, Result: "v",
		params: []param{paramURL, paramName},
		apply: gives(typeString, spec{mayBeNull: true, kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
			u := partsOfURL(string(c.Args[0].Bytes(i)))
			name := string(c.Args[1].Bytes(i))
			for _, pair := range strings.Split(u.query, "&") {
				key, value, _ := strings.Cut(pair, "=")
				if decoded, err := url.QueryUnescape(key); err != nil || decoded != name {
					continue
				}
				if decoded, err := url.QueryUnescape(value); err == nil {
					value = decoded
				}
				return append(dst, value...), nil
			}
			return nil, errNull
		})}),
	},
	{
		Module: "Url", Name: "GetDomain", Signature: "Url::GetDomain(url, level)", Doc: "The last parts of the host, so many; NULL if it has fewer.",
		Example: "Url::GetDomain(" + sampleURL + ", 1)", Result: "org",
		params: []param{paramURL, {name: "level", accept: acceptWhole}},
		apply: gives(typeString, spec{mayBeNull: true, kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
			labels := strings.Split(partsOfURL(string(c.Args[0].Bytes(i))).hostname(), ".")
			n := c.Args[1].Int(i)
			if n < 1 || n > int64(len(labels)) || labels[0] == "" {
				return nil, errNull
			}
			return append(dst, strings.Join(labels[int64(len(labels))-n:], ".")...), nil
		})}),
	},
	{
		Module: "Url", Name: "GetDomainLevel", Signature: "Url::GetDomainLevel(url)", Doc: "How many parts the host has.",
		Example: "Url::GetDomainLevel(" + sampleURL + ")", Result: "2",
		params: []param{paramURL},
		apply: gives(count64, spec{kernel: ints(func(c *function.Call, i int) (int64, error) {
			host := partsOfURL(string(c.Args[0].Bytes(i))).hostname()
			if host == "" {
				return 0, nil
			}
			return int64(strings.Count(host, ".") + 1), nil
		})}),
	},
	{
		Module: "Url", Name: "Encode", Signature: "Url::Encode(string)", Doc: "The URL with %XX for spaces, for what is not ASCII, and for a % that begins no such code; its signs stay. NULL if it is empty.",
		Example: `Url::Encode("a b/c?k=é")`, Result: "a%20b/c?k=%C3%A9",
		params: []param{paramString},
		apply: gives(typeString, spec{mayBeNull: true, kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
			s := c.Args[0].Bytes(i)
			if len(s) == 0 {
				return nil, errNull
			}
			return appendURL(dst, s), nil
		})}),
	},
	{
		Module: "Url", Name: "Decode", Signature: "Url::Decode(string)", Doc: "The string that is written so in a URL, where a plus is a space; what is not stays as it is. NULL if it is empty.",
		Example: `Url::Decode("a%20b%2Fc")`, Result: "a b/c",
		params: []param{paramString},
		apply: gives(typeString, spec{mayBeNull: true, kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
			s := c.Args[0].Bytes(i)
			if len(s) == 0 {
				return nil, errNull
			}
			if text, err := url.PathUnescape(string(bytes.ReplaceAll(s, []byte("+"), []byte("%20")))); err == nil {
				return append(dst, text...), nil
			}
			return append(dst, s...), nil
		})}),
	},
	refusal("Url", "Parse", "take the parts with Url::GetHost, Url::GetPath …"),
	refusal("Url", "GetOwner", "which names have owners is a list that changes; use Url::GetDomain(url, 2)"),
	refusal("Url", "GetSignificantDomain", "which names have owners is a list that changes; use Url::GetDomain(url, 2)"),
}

// appendURL appends a URL as Url::Encode writes it. YDB: a whole URL goes in, so what is a sign of URLs, and what is a code already, stays.
func appendURL(dst, s []byte) []byte {
	const digits = "0123456789ABCDEF"
	for i, c := range s {
		if c > ' ' && c <= '~' && (c != '%' || i+2 < len(s) && hexadecimal(s[i+1]) && hexadecimal(s[i+2])) {
			dst = append(dst, c)
		} else {
			dst = append(dst, '%', digits[c>>4], digits[c&15])
		}
	}
	return dst
}

func hexadecimal(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// sampleURL is the argument of examples.
const sampleURL = `"https://example.org:8080/a/b?k=v&n=1#top"`

var paramURL = param{name: "url", accept: acceptText}

// parts are those of a URL as they stand there: scheme with its slashes, host with its port, path, query and fragment without their signs.
type parts struct{ scheme, host, path, query, fragment string }

func partsOfURL(s string) parts {
	var u parts
	s, u.fragment, _ = strings.Cut(s, "#")
	s, u.query, _ = strings.Cut(s, "?")
	if scheme, rest, ok := strings.Cut(s, "://"); ok {
		u.scheme, s = scheme+"://", rest
	}
	if at := strings.IndexByte(s, '/'); at >= 0 {
		s, u.path = s[:at], s[at:]
	}
	u.host = s[strings.LastIndexByte(s, '@')+1:]
	return u
}

func (u parts) hostname() string {
	if at := strings.LastIndexByte(u.host, ':'); at >= 0 && !strings.HasSuffix(u.host, "]") {
		return u.host[:at]
	}
	return u.host
}

func (u parts) tail() string {
	tail := u.path
	if u.query != "" {
		tail += "?" + u.query
	}
	if u.fragment != "" {
		tail += "#" + u.fragment
	}
	return tail
}

func ofURL(name, doc, result string, get func(u parts) (string, bool)) Function {
	return Function{
		Module: "Url", Name: name, Signature: "Url::" + name + "(url)", Doc: doc, Example: "Url::" + name + "(" + sampleURL + ")", Result: result,
		params: []param{paramURL},
		apply: gives(typeString, spec{mayBeNull: true, kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
			text, ok := get(partsOfURL(string(c.Args[0].Bytes(i))))
			if !ok {
				return nil, errNull
			}
			return append(dst, text...), nil
		})}),
	}
}
