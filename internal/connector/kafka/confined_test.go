package kafka

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// TestConfinedCertificates: no option has a file read that statements may not read, and there is no other option that names one.
func TestConfinedCertificates(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "mine")
	other := filepath.Join(dir, "secret.pem")
	if err := errors.Join(os.Mkdir(mine, 0o755), os.WriteFile(other, []byte("not a certificate"), 0o600)); err != nil {
		t.Fatal(err)
	}
	table := connector.Table{Name: "t", Schema: types.Schema{{Name: "id", Type: types.BigIntType}}}
	tested := 0
	for _, p := range properties {
		if !strings.HasSuffix(p.key, ".location") && !strings.Contains(p.doc, "file") {
			continue
		}
		tested++
		for _, c := range []connector.Connector{Connector, Managed(nil)} {
			c = Confined(c, func(path string) bool { return filepath.Dir(path) == mine })
			o := connector.Options{"connector": c.Name, "topic": "t", "format": "json", "properties.bootstrap.servers": "127.0.0.1:1", "properties.security.protocol": "SSL", "properties." + p.key: other}
			_, read := c.NewSource(table, o)
			_, written := c.NewSink(table, o)
			calls := map[string]error{"read": read, "written": written}
			if c.Create != nil {
				_, calls["made"] = c.Create(table, o)
			}
			for what, err := range calls {
				var option *connector.OptionError
				if !errors.As(err, &option) || option.Key != "properties."+p.key || !strings.Contains(option.Message, "outside") {
					t.Errorf("%s %s: %v", c.Name, what, err)
				}
			}
			o["properties."+p.key] = filepath.Join(mine, "none.pem")
			if _, err := c.NewSource(table, o); err != nil && strings.Contains(err.Error(), "outside") {
				t.Errorf("%s: what is inside is refused: %v", c.Name, err)
			}
		}
	}
	if tested != len(locations) {
		t.Errorf("there are %d properties that name a file, and %d of them are known", tested, len(locations))
	}
}
