package script

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/runtime"
)

// Options say how scripts are run.
type Options struct {
	// Update rewrites the outputs in the files to what the statements print, and nothing else in them.
	Update bool
	// Variations also runs every script in the ways of Variations.
	Variations bool
	// Connectors are those that tables may use beside 'script'.
	Connectors []connector.Connector
	// Only leaves out the scripts whose paths it does not match; nil leaves out none.
	Only *regexp.Regexp
	// Now is the time, in microseconds since the epoch; nil is that of the machine.
	Now func() int64
}

// Report is what came of a run, which began at Start, in microseconds since the epoch, and took Took.
type Report struct {
	Results     []Result
	Start, Took int64
}

// Result is what came of one file. It passed if Err is nil and there are no Failures.
type Result struct {
	Path string
	// Cases are its blocks; none if it could not be read.
	Cases []Case
	// Took is how long all runs took, in microseconds, the first of which began at Start.
	Start, Took int64
	// Runs counts the ways in which the script was run.
	Runs int
	// Failures are blocks that printed something else, in the first variation in which one did.
	Failures []Failure
	// Err is a fault of the file, an *Error, or of reading or writing it.
	Err error
	// Updated says that the file was rewritten.
	Updated bool
}

// Case is a block as it went in the script as written.
type Case struct {
	Line  int
	Title string // the line of the verb
	// Reached is false for blocks behind one that could not be run.
	Reached bool
	// Took is in microseconds.
	Took int64
}

// Failure is a block whose output differs.
type Failure struct {
	Path      string
	Line      int
	Title     string // the line of the verb
	Variation Variation
	Want, Got []string
}

// extension is that of scripts in a folder.
const extension = ".script"

// Run runs scripts: files, and all *.script files in folders and below, in alphabetical order. The error tells of a path that cannot be read;
// what is wrong with a script is in the report.
func Run(paths []string, o Options) (Report, error) {
	if o.Now == nil {
		o.Now = runtime.WallClock{}.Now
	}
	report := Report{Start: o.Now()}
	files, err := findAll(paths, o.Only)
	for _, file := range files {
		report.Results = append(report.Results, runFile(file, o))
	}
	report.Took = o.Now() - report.Start
	return report, err
}

// findAll lists the scripts at paths that only matches.
func findAll(paths []string, only *regexp.Regexp) ([]string, error) {
	var all []string
	for _, path := range paths {
		files, err := find(path)
		if err != nil {
			return nil, err
		}
		all = append(all, files...)
	}
	if only == nil {
		return all, nil
	}
	matching := slices.DeleteFunc(slices.Clone(all), func(path string) bool { return !only.MatchString(path) })
	if len(matching) == 0 {
		return nil, fmt.Errorf("none of %s has a path that matches '%s'", count(len(all), "script"), only)
	}
	return matching, nil
}

// find lists the scripts at path.
func find(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	var files []string
	err = filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == extension {
			files = append(files, path)
		}
		return err
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no file *%s in %s or below", extension, path)
	}
	return files, err
}

func runFile(path string, o Options) (r Result) {
	r.Path, r.Start = path, o.Now()
	defer func() { r.Took = o.Now() - r.Start }()
	text, err := os.ReadFile(path)
	if err != nil {
		r.Err = err
		return r
	}
	f, err := Parse(path, string(text))
	if err != nil {
		r.Err = err
		return r
	}
	r.Cases = make([]Case, len(f.Blocks))
	for i, b := range f.Blocks {
		r.Cases[i] = Case{Line: b.Line, Title: b.title}
	}
	ways := []Variation{Plain}
	if o.Variations {
		ways = append(ways, Variations...)
	}
	for _, v := range ways {
		r.Runs++
		rig := newRig(f, v, o.Connectors)
		if r.Runs == 1 {
			rig.reached = func(block int, took int64) { r.Cases[block].Reached, r.Cases[block].Took = true, took }
		}
		got, err := rig.run(o.Now)
		if err == nil && o.Update && r.Runs == 1 {
			if updated := f.update(got); updated != string(text) {
				r.Updated = true
				err = os.WriteFile(path, []byte(updated), 0o644)
			}
		}
		r.Failures = f.compare(got, v)
		if err != nil {
			r.Err = inVariation(err, v)
		}
		if !r.Passed() {
			return r
		}
	}
	return r
}

// inVariation says in which run err showed, if not in the plain one.
func inVariation(err error, v Variation) error {
	if fault := (*Error)(nil); errors.As(err, &fault) && v.String() != Plain.String() {
		return &Error{fault.Path, fault.Line, fmt.Sprintf("%s (%s)", fault.Message, v)}
	}
	return err
}

// compare lists the blocks that printed something else, of those that were run.
func (f *File) compare(got [][]string, v Variation) []Failure {
	var failures []Failure
	for i, b := range f.Blocks[:len(got)] {
		if !slices.Equal(b.Want, got[i]) {
			failures = append(failures, Failure{f.Path, b.Line, b.title, v, b.Want, got[i]})
		}
	}
	return failures
}

// update returns the text of the file with outputs got, and takes them for what is wanted.
func (f *File) update(got [][]string) string {
	var lines []string
	at := 0
	for i := range f.Blocks {
		b := &f.Blocks[i]
		lines = append(append(lines, f.lines[at:b.want.from]...), got[i]...)
		at = b.want.to
		b.Want = got[i]
	}
	return strings.Join(append(lines, f.lines[at:]...), "\n")
}

// Passed reports whether every script did.
func (r Report) Passed() bool {
	return !slices.ContainsFunc(r.Results, func(r Result) bool { return !r.Passed() })
}

// Passed reports whether the script printed what it lists.
func (r Result) Passed() bool { return r.Err == nil && len(r.Failures) == 0 }

// Write shows what failed, block by block, and a line about the whole.
func (r Report) Write(w io.Writer) error {
	failed, updated := 0, 0
	var b strings.Builder
	for _, x := range r.Results {
		if !x.Passed() {
			failed++
		}
		if x.Updated {
			updated++
			fmt.Fprintf(&b, "%s: updated\n", x.Path)
		}
		for _, f := range x.Failures {
			b.WriteString(f.String())
		}
		if x.Err != nil {
			fmt.Fprintf(&b, "%s\n", x.Err)
		}
	}
	fmt.Fprintf(&b, "%s, %d failed", count(len(r.Results), "script"), failed)
	if updated > 0 {
		fmt.Fprintf(&b, ", %d updated", updated)
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
