package statements

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// record is a statement as its file has it. Traits and results are not in it: the first come from planning it again, the second are gone with the process.
type record struct {
	Name         string            `json:"name"`
	UID          string            `json:"uid"`
	SQL          string            `json:"sql"`
	Properties   map[string]string `json:"properties,omitempty"`
	Labels       map[string]string `json:"labels,omitempty"`
	Organization string            `json:"organization,omitempty"`
	Environment  string            `json:"environment,omitempty"`
	Pool         string            `json:"pool,omitempty"`
	Principal    string            `json:"principal,omitempty"`
	Owner        string            `json:"owner,omitempty"`
	Stopped      bool              `json:"stopped,omitempty"`
	Created      int64             `json:"created"`
	Updated      int64             `json:"updated"`
	Version      int64             `json:"version"`
	Phase        Phase             `json:"phase"`
	Detail       string            `json:"detail,omitempty"`
	// Kind is what it was found to be, and Planned the number of its entry in the journal, 0 if it has none.
	Kind    string `json:"kind,omitempty"`
	Planned int64  `json:"planned,omitempty"`
	// Standing is the path of the standing query that it runs, "" of others, and Change the number in the journal of the last change of that which was carried out.
	Standing string `json:"standing,omitempty"`
	Change   int64  `json:"change,omitempty"`
}

const recordSuffix = ".json"

func recordOf(l *life) record {
	s := &l.view
	r := record{s.Name, s.UID, s.SQL, s.Properties, s.Labels, s.Organization, s.Environment, s.Pool, s.Principal, s.Owner, s.Spec.Stopped, s.Created, s.Updated, s.Version, s.Phase, s.Detail, "", l.planned, "", 0}
	if s.Traits != nil {
		r.Kind = s.Traits.Kind
	}
	if l.standing != nil {
		r.Standing, r.Change = l.standing.path, l.standing.done
	}
	return r
}

func (r record) statement() Statement {
	s := Statement{Name: r.Name, UID: r.UID, Created: r.Created, Updated: r.Updated, Version: r.Version, Phase: r.Phase, Detail: r.Detail,
		Spec: Spec{r.SQL, r.Properties, r.Labels, r.Organization, r.Environment, r.Pool, r.Principal, r.Owner, r.Stopped}}
	if r.Kind != "" {
		s.Traits = &Traits{Kind: r.Kind, Bounded: true, AppendOnly: true} // what is known of one that is not planned again
	}
	return s
}

// save writes the file of a statement.
func (r record) save(dir string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		panic("tidemark bug: " + err.Error())
	}
	if err := replace(filepath.Join(dir, r.Name+recordSuffix), append(text, '\n')); err != nil {
		return fault.Wrap(fault.OfIO(err), fmt.Errorf("write statement '%s': %w", r.Name, err))
	}
	return nil
}

// forget removes the file of a statement.
func forget(dir, name string) error {
	if err := os.Remove(filepath.Join(dir, name+recordSuffix)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.Wrap(fault.OfIO(err), fmt.Errorf("remove statement '%s': %w", name, err))
	}
	return nil
}

// records reads the files of all statements. One that cannot be read is told and passed over: it must not keep the others from starting.
func records(dir string, tell func(string)) ([]record, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fault.Wrap(fault.OfIO(err), fmt.Errorf("read the statements: %w", err))
	}
	var all []record
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), recordSuffix)
		if !ok {
			continue
		}
		path := filepath.Join(dir, e.Name())
		text, err := os.ReadFile(path)
		var r record
		if err == nil {
			err = json.Unmarshal(text, &r)
		}
		if err == nil && (r.Name != name || CheckName(name) != nil) {
			err = errors.New("it is of another statement")
		}
		if err != nil {
			tell(fmt.Sprintf("'%s' cannot be read, and its statement does not run: %s", path, err))
			continue
		}
		all = append(all, r)
	}
	return all, nil
}
