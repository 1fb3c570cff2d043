package script

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"
)

// The elements of a JUnit report. The attributes are those of the schema junit-10.xsd of Jenkins' xUnit plugin, which takes no others; pytest and Surefire write the same.
type (
	junitRun struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name      string      `xml:"name,attr"`
		Tests     int         `xml:"tests,attr"`
		Failures  int         `xml:"failures,attr"`
		Errors    int         `xml:"errors,attr"`
		Skipped   int         `xml:"skipped,attr"`
		Time      string      `xml:"time,attr"`
		Timestamp string      `xml:"timestamp,attr"`
		File      string      `xml:"file,attr"`
		Cases     []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Time    string        `xml:"time,attr"`
		Skipped *junitOutcome `xml:"skipped"`
		Error   *junitOutcome `xml:"error"`
		Failure *junitOutcome `xml:"failure"`
	}
	junitOutcome struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes the report as JUnit XML, which CI systems read: a suite for each script, a case for each of its blocks. A block that printed something else is a failure, with the
// difference; one that could not be run is an error, and those behind it are skipped.
//
// GitLab and Jenkins know a case again by class and name, and GitLab takes only the first of those that share both. So a name has no line number, and a verb's line that occurs several
// times is counted. GitLab does not show the message, so the text says everything. Jenkins takes what stands before the last point of a class for its package, so folders are that.
func (r Report) WriteJUnit(w io.Writer) error {
	run := junitRun{Name: "tidemark test", Time: junitTime(r.Took)}
	for i := range r.Results {
		s := r.Results[i].junit()
		run.Tests += s.Tests
		run.Failures += s.Failures
		run.Errors += s.Errors
		run.Suites = append(run.Suites, s)
	}
	text, err := xml.MarshalIndent(run, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}

func (r *Result) junit() junitSuite {
	path := filepath.ToSlash(filepath.Clean(r.Path))
	name := strings.TrimSuffix(path, extension)
	class := strings.ReplaceAll(strings.TrimLeft(name, "./"), "/", ".")
	s := junitSuite{Name: name, File: path, Time: junitTime(r.Took), Timestamp: time.UnixMicro(r.Start).UTC().Format("2006-01-02T15:04:05")}
	names := map[string]int{}
	for _, c := range r.Cases {
		names[c.Title]++
		x := junitCase{Name: c.Title, Class: class, Time: junitTime(c.Took)}
		if n := names[c.Title]; n > 1 {
			x.Name = fmt.Sprintf("%s (%d)", c.Title, n)
		}
		if !c.Reached {
			x.Skipped = &junitOutcome{Message: "not reached"}
			s.Skipped++
		}
		for _, f := range r.Failures {
			if f.Line == c.Line {
				x.Failure = &junitOutcome{Message: "prints something else", Type: "output", Text: f.String()}
				s.Failures++
			}
		}
		s.Cases = append(s.Cases, x)
	}
	if r.Err != nil {
		x := s.faulty(r, class)
		if x.Failure != nil { // what it printed says less
			s.Failures--
		}
		x.Error, x.Failure = &junitOutcome{Message: firstLine(r.Err.Error()), Type: "fault", Text: r.Err.Error()}, nil
		s.Errors++
	}
	s.Tests = len(s.Cases)
	return s
}

// faulty is the case that r.Err is about: the block that it stands in, or one more if there is none.
func (s *junitSuite) faulty(r *Result, class string) *junitCase {
	at := -1
	if fault := (*Error)(nil); errors.As(r.Err, &fault) {
		for i, c := range r.Cases {
			if c.Line <= fault.Line {
				at = i
			}
		}
	}
	if at < 0 {
		s.Cases = append(s.Cases, junitCase{Name: "the file", Class: class, Time: junitTime(0)})
		at = len(s.Cases) - 1
	}
	return &s.Cases[at]
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// junitTime is seconds.
func junitTime(micros int64) string {
	return fmt.Sprintf("%d.%06d", micros/1_000_000, micros%1_000_000)
}
