package broker

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// server holds the settings of the server itself. The cluster has them too, and does not show them to those who look at its requests.
type server struct {
	mu  sync.Mutex
	all map[string]*string // never changed, only replaced
}

func (s *server) settings() map[string]*string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all
}

func (s *server) replace(all map[string]*string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = all
}

// load reads what the cluster keeps of them in its folder.
func (s *server) load(dir string) error {
	raw, err := os.ReadFile(filepath.Join(dir, "broker_configs.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fault.Wrap(fault.OfIO(err), err)
	}
	var file struct {
		Configs map[string]*string `json:"configs"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return damagedf(dir, "broker_configs.json", "%s; take it from a backup, or remove it: it holds settings of the server", err)
	}
	s.replace(file.Configs)
	return nil
}

// set follows a request that replaces the settings.
func (s *server) set(r *kmsg.AlterConfigsRequestResource) {
	all := map[string]*string{}
	for _, c := range r.Configs {
		all[c.Name] = c.Value
	}
	s.replace(all)
}

// change follows a request that changes some settings. Lists can be changed in other ways too, and are none of ours.
func (s *server) change(r *kmsg.IncrementalAlterConfigsRequestResource) {
	all := maps.Clone(s.settings())
	if all == nil {
		all = map[string]*string{}
	}
	for _, c := range r.Configs {
		switch c.Op {
		case kmsg.IncrementalAlterConfigOpSet:
			all[c.Name] = c.Value
		case kmsg.IncrementalAlterConfigOpDelete:
			delete(all, c.Name)
		}
	}
	s.replace(all)
}
