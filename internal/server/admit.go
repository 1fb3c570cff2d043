package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Keys are API keys: a name and a secret each. Of the secrets only hashes are held; a secret is long and random, so that nobody can try all.
type Keys struct{ hashes map[string][sha256.Size]byte }

// Hash is the line that stands for a key where keys are kept: its name, a colon and the SHA-256 of its secret in hexadecimal.
func Hash(name, secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return name + ":" + hex.EncodeToString(sum[:])
}

// ReadKeys reads lines that Hash made. Empty ones and those that begin with # are passed over.
func ReadKeys(text string) (*Keys, error) {
	k := &Keys{hashes: map[string][sha256.Size]byte{}}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, sum, ok := strings.Cut(line, ":")
		b, err := hex.DecodeString(sum)
		if !ok || name == "" || err != nil || len(b) != sha256.Size {
			return nil, fmt.Errorf("line %d is no key: it has to be a name, a colon and the SHA-256 of the secret in hexadecimal, as tidemark server --new-key writes it", i+1)
		}
		k.hashes[name] = [sha256.Size]byte(b)
	}
	if len(k.hashes) == 0 {
		return nil, fmt.Errorf("there is no key in it; tidemark server --new-key NAME makes one")
	}
	return k, nil
}

// right reports whether the secret is that of the key. It takes as long for a wrong one as for a right one.
func (k *Keys) right(name, secret string) bool {
	want, ok := k.hashes[name]
	have := sha256.Sum256([]byte(secret))
	return subtle.ConstantTimeCompare(want[:], have[:]) == 1 && ok
}

// admit finds out who makes a request, and whether he has a key. One comes as name and password of basic authentication, or as a bearer token of both with a colon between.
func (s *Server) admit(q *http.Request) caller {
	if s.options.Keys == nil {
		return caller{}
	}
	name, secret, ok := q.BasicAuth()
	if token, bearer := strings.CutPrefix(q.Header.Get("Authorization"), "Bearer "); bearer {
		name, secret, ok = strings.Cut(token, ":")
	}
	if !ok {
		return caller{err: errNoKey}
	}
	most, who, now := s.options.Limits.WrongKeys, from(q)+slotOf(name), s.clock.Now()
	if most > 0 {
		if wait := s.guard.wrong.empty(who, now); wait > 0 {
			return caller{err: &tooMany{wait, &failure{http.StatusTooManyRequests, "too_many_wrong_keys", fmt.Sprintf("more than %d wrong secrets a minute; wait and ask again (--max-wrong-keys)", most)}}}
		}
	}
	if s.options.Keys.right(name, secret) {
		return caller{key: name}
	}
	if most > 0 {
		s.guard.wrong.take(who, now)
	}
	return caller{err: errNoKey}
}

// errNoKey does not say whether the name or the secret is wrong.
var errNoKey = &failure{http.StatusUnauthorized, "unauthorized", "an API key is needed: its name and secret as basic authentication, or name:secret as a bearer token"}

// harden sets what browsers are told with every answer: to take it for what it is, to keep it nowhere, to show it in no page of somebody else, and, once there was TLS, to come back with it. A page
// says for itself what it may load, in place of the nothing that is said here.
func harden(w http.ResponseWriter, q *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	if q.TLS != nil {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}

// friendly refuses what a page of somebody else could have a browser ask: under a name that is not ours, or from another origin.
func (s *Server) friendly(q *http.Request) error {
	host := q.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	if !s.ours(host) {
		return &failure{http.StatusMisdirectedRequest, "unknown_host", fmt.Sprintf("the server is not known as '%s'; start it with --host %s if it is to be", host, host)}
	}
	if origin := q.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || u.Host != q.Host {
			return errForeign
		}
	}
	// A page of another origin can have a browser ask with GET and say no origin. What there is to be opened and looked at, it may point to.
	site, opens := q.Header.Get("Sec-Fetch-Site"), q.Header.Get("Sec-Fetch-Mode") == "navigate" && q.Header.Get("Sec-Fetch-Dest") == "document"
	if (site == "cross-site" || site == "same-site") && (!opens || strings.HasPrefix(q.URL.Path, "/sql/") || strings.HasPrefix(q.URL.Path, "/v2/")) {
		return errForeign
	}
	return nil
}

var errForeign = &failure{http.StatusForbidden, "foreign_origin", "the request comes from a page of another origin"}

func (s *Server) ours(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback() || slices.Contains(s.options.Hosts, host)
	}
	return host == "localhost" || slices.Contains(s.options.Hosts, host)
}
