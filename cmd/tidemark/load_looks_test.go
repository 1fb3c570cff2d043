package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tidemark-sql/tidemark/internal/server/api"
)

// idle says what a server does while nobody looks.
func (l *load) idle(s *apart) {
	l.Helper()
	before, begun := s.used(), time.Now()
	<-time.After(20 * time.Second)
	l.Logf("nobody looks: %.0f %% of a processor", 100*(s.used().cpu-before.cpu)/time.Since(begun).Seconds())
}

// look lets a quarter as many look as there are statements, each of them each second, has SELECTs read, and, if there is one, a browser show the page, for as long as it lasts.
func (l *load) look(s *apart) {
	l.Helper()
	end := make(chan struct{})
	var group sync.WaitGroup
	each := func(every time.Duration, f func(round int)) {
		group.Go(func() {
			tick := time.NewTicker(every)
			defer tick.Stop()
			for round := 0; ; round++ {
				f(round)
				select {
				case <-end:
					return
				case <-tick.C:
				}
			}
		})
	}
	for i := range l.statements / 4 {
		name := l.running[i*4%len(l.running)]
		since := int64(0)
		each(time.Second, func(int) {
			var overview api.Overview
			l.ask("overview", "/overview?page_size=100", &overview)
			if n := len(overview.Data); n == 0 || n > 100 {
				l.Errorf("the overview has %d lines", n)
			}
			var profile api.Profile
			l.ask("profile", "/statements/"+name+"/profile", &profile)
			path, kind := "/statements/"+name+"/timeline", "timeline"
			if since > 0 {
				path, kind = fmt.Sprintf("%s?since=%d", path, since), "timeline, what is new"
			}
			var timeline api.Timeline
			l.ask(kind, path, &timeline)
			since = timeline.At
			l.ask("why", "/statements/"+name+"/why", nil)
			l.ask("metrics", "/statements/"+name+"/metrics", nil)
		})
	}
	for _, name := range l.running {
		if !strings.HasPrefix(name, "select-") {
			continue
		}
		next := "/statements/" + name + "/results"
		each(time.Second, func(int) {
			var page api.StatementResults
			l.ask("results", next, &page)
			if _, query, ok := strings.Cut(page.Metadata.Next, "?"); ok {
				next = "/statements/" + name + "/results?" + query
			}
		})
	}
	each(10*time.Second, func(int) { l.ask("/metrics", "//metrics", nil) })
	each(10*time.Second, func(int) { l.ask("history", "/statements/"+l.running[0]+"/history", nil) })
	before, begun := s.used(), time.Now()
	if l.large {
		each(30*time.Second, func(int) { l.Log(time.Since(begun).Round(time.Second), s.used()) })
	}
	if os.Getenv("TIDEMARK_PLAYWRIGHT") != "" {
		group.Go(func() {
			steps := exec.CommandContext(l.Context(), "node", "../../internal/page/e2e/load.mjs")
			steps.Env = append(os.Environ(), "TIDEMARK_URL="+s.url, "TIDEMARK_STATEMENT="+l.shown(), fmt.Sprintf("TIDEMARK_LOAD_MS=%d", l.lasts.Milliseconds()))
			out, err := steps.CombinedOutput()
			if err != nil {
				l.Errorf("the browser: %v\n%s", err, out)
			}
			l.Logf("the page: %s", out)
		})
	}
	<-time.After(l.lasts)
	close(end)
	group.Wait()
	after := s.used()
	l.Logf("%s; %.0f %% of a processor", after, 100*(after.cpu-before.cpu)/time.Since(begun).Seconds())
}

// used is what the process of a server has of the machine, by the kernel's word; 0 where there is no such.
type used struct {
	cpu                float64 // seconds
	resident, most     int     // kB
	live               int     // MB that the last collection of garbage has found in use
	threads, openFiles int
}

func (u used) String() string {
	return fmt.Sprintf("resident %d MB, at most %d MB, live heap %d MB, %d threads, %d open files, CPU %.1f s", u.resident>>10, u.most>>10, u.live, u.threads, u.openFiles, u.cpu)
}

var liveHeap = regexp.MustCompile(`gc \d+ @.*->(\d+) MB, \d+ MB goal`)

func (s *apart) used() (u used) {
	proc := fmt.Sprintf("/proc/%d/", s.command.Process.Pid)
	if b, err := os.ReadFile(proc + "stat"); err == nil {
		fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
		for _, f := range fields[11:13] {
			n, _ := strconv.Atoi(string(f))
			u.cpu += float64(n) / 100
		}
	}
	status, _ := os.ReadFile(proc + "status")
	for line := range strings.Lines(string(status)) {
		for name, into := range map[string]*int{"VmRSS:": &u.resident, "VmHWM:": &u.most, "Threads:": &u.threads} {
			if rest, ok := strings.CutPrefix(line, name); ok {
				*into, _ = strconv.Atoi(strings.Fields(rest)[0])
			}
		}
	}
	open, _ := os.ReadDir(proc + "fd")
	u.openFiles = len(open)
	if all := liveHeap.FindAllStringSubmatch(s.errs.String(), -1); len(all) > 0 {
		u.live, _ = strconv.Atoi(all[len(all)-1][1])
	}
	return u
}

// figures are how long answers took, and how many bytes they had, by what was asked for.
type figures map[string]*figure

type figure struct {
	took  []time.Duration
	bytes int
}

func (l *load) figure(kind string) *figure {
	f := l.figures[kind]
	if f == nil {
		f = &figure{}
		l.figures[kind] = f
	}
	return f
}

func (l *load) took(kind string, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.figure(kind)
	f.took = append(f.took, d)
}

func (l *load) bytes(kind string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.figure(kind).bytes += n
}

func (f figures) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "\n%-22s %8s %10s %10s %10s %10s", "answers", "number", "p50", "p99", "most", "bytes")
	for _, kind := range slices.Sorted(maps.Keys(f)) {
		x := f[kind]
		slices.Sort(x.took)
		at := func(part int) time.Duration { return x.took[(len(x.took)-1)*part/100].Round(10 * time.Microsecond) }
		fmt.Fprintf(&text, "\n%-22s %8d %10s %10s %10s %10d", kind, len(x.took), at(50), at(99), at(100), x.bytes/len(x.took))
	}
	return text.String()
}

// shown is the statement that the browser shows: one with windows over the table of most partitions.
func (l *load) shown() string { return "tumble-0" }
