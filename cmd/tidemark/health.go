package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
)

// healthVerb asks whether a server is ready. On this machine the name in its certificate is not looked at: what asks stands beside the server, in a container most likely, and sends no key.
func healthVerb(f *flags) action {
	a := asking{}
	f.StringVar(&a.server, "server", "", "`address` of the server; without it that in "+serverEnv+", or "+localServer)
	return func(ctx context.Context, args []string, stdout, _ io.Writer) error {
		if len(args) > 0 {
			return usageErrorf("tidemark health takes no arguments")
		}
		c := a.client()
		c.Key = ""
		if u, err := url.Parse(c.URL); err == nil && loopback(u.Hostname()) {
			c.HTTP.Transport = &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
		}
		if err := c.Ready(ctx); err != nil {
			return err
		}
		_, err := fmt.Fprintln(stdout, "ready")
		return err
	}
}

// loopback reports whether a host is this machine and is reached from nowhere else.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
