package main

import (
	"context"
	"crypto/tls"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

func (s *serving) open() (net.Listener, error) {
	l, err := net.Listen("tcp", s.Listen)
	if err != nil {
		return nil, fault.Errorf(fault.External, "listen: %w; choose another address with --listen", err)
	}
	if s.Certificate == "" {
		return l, nil
	}
	pair, err := tls.LoadX509KeyPair(s.Certificate, s.PrivateKey)
	if err != nil {
		l.Close()
		return nil, usageErrorf("--tls-certificate, --tls-key: %s", err)
	}
	return tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}), nil
}

func (s *serving) scheme() string {
	if s.Certificate != "" {
		return "https"
	}
	return "http"
}

// web is a listener that is being served.
type web struct {
	server http.Server
	ended  chan error // why it is not any more
}

// answer begins to answer requests. Those that take too long to come, and those whose answer nobody takes, are given up.
func (s *serving) answer(l net.Listener, h http.Handler) *web {
	limit := time.Duration(s.RequestTime)
	w := &web{ended: make(chan error, 1), server: http.Server{Handler: h, ReadHeaderTimeout: min(limit, 10*time.Second), ReadTimeout: limit, WriteTimeout: 2 * limit, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10, ErrorLog: log.New(s, "", 0)}}
	go func() { w.ended <- w.server.Serve(l) }()
	return w
}

// farewell is how long requests that are being answered have when the server ends.
const farewell = 5 * time.Second

func (w *web) close() {
	waiting, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	if w.server.Shutdown(waiting) != nil {
		w.server.Close()
	}
}

// manager tells systemd, or whatever has started the process and wants to know, how the server is: sd_notify(3). A server that nobody wants to know of tells nobody.
func (s *serving) manager(state string) {
	name := os.Getenv("NOTIFY_SOCKET")
	if name == "" {
		return
	}
	c, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: name, Net: "unixgram"})
	if err == nil {
		_, err = c.Write([]byte(state))
		c.Close()
	}
	if err != nil {
		s.tell("NOTIFY_SOCKET: " + err.Error())
	}
}
