package deploy

import (
	"encoding/json"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"

	"github.com/tidemark-sql/tidemark/internal/metrics"
)

const (
	dashboard = "../../deploy/grafana/tidemark.json"
	alerts    = "../../deploy/prometheus/alerts.yaml"
)

// names are the metrics of a server, with their labels, and the one that Prometheus makes of every server.
func names() map[string][]string {
	all := map[string][]string{"up": nil}
	for _, s := range metrics.All {
		all[s.PrometheusName()] = append([]string{metrics.Statement, metrics.Pool}, s.Labels...)
	}
	return all
}

// every metric has these too: Prometheus sets them.
var targets = []string{"job", "instance"}

// variables are those of the dashboard, as Grafana would write them.
var variables = strings.NewReplacer("$__rate_interval", "1m", "$statement", ".*", "$pool", ".*")

var language = parser.NewParser(parser.Options{})

// check parses an expression and holds its metrics and labels against names, and gives the metrics.
func check(t *testing.T, where, text string) (used []string) {
	t.Helper()
	e, err := language.ParseExpr(variables.Replace(text))
	if err != nil {
		t.Errorf("%s: %s: %v", where, text, err)
		return nil
	}
	known := names()
	var labels []string
	parser.Inspect(e, func(n parser.Node, _ []parser.Node) error {
		s, ok := n.(*parser.VectorSelector)
		if !ok {
			return nil
		}
		if _, ok := known[s.Name]; !ok {
			t.Errorf("%s: there is no metric %s", where, s.Name)
		}
		used = append(used, s.Name)
		labels = append(labels, known[s.Name]...)
		for _, m := range s.LabelMatchers {
			if m.Name != model.MetricNameLabel && !slices.Contains(append(known[s.Name], targets...), m.Name) {
				t.Errorf("%s: %s has no label %s", where, s.Name, m.Name)
			}
		}
		return nil
	})
	grouped := func(names []string) {
		for _, l := range names {
			if !slices.Contains(append(labels, targets...), l) {
				t.Errorf("%s: no metric of %s has a label %s", where, text, l)
			}
		}
	}
	parser.Inspect(e, func(n parser.Node, _ []parser.Node) error {
		switch x := n.(type) {
		case *parser.AggregateExpr:
			grouped(x.Grouping)
		case *parser.BinaryExpr:
			if x.VectorMatching != nil {
				grouped(x.VectorMatching.MatchingLabels)
			}
		}
		return nil
	})
	return used
}

// panel is what of a panel is read here.
type panel struct {
	ID      int
	Type    string
	Title   string
	GridPos struct{ X, Y, W, H int }
	Targets []struct{ Expr, LegendFormat string }
}

// TestDashboard: every series of the dashboard is one of a server, has the labels that it is told apart by, and stands in the grid on its own place; what people are told of is on it.
func TestDashboard(t *testing.T) {
	text, err := os.ReadFile(dashboard)
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels     []panel
		Templating struct {
			List []struct {
				Name, Type string
				Query      any
			}
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	ids := map[int]bool{}
	cells := map[[2]int]string{}
	for _, p := range board.Panels {
		if ids[p.ID] {
			t.Errorf("%s: two panels have the number %d", p.Title, p.ID)
		}
		ids[p.ID] = true
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other := cells[[2]int{x, y}]; other != "" || x >= 24 {
					t.Fatalf("%s lies over %s or beside the grid", p.Title, other)
				}
				cells[[2]int{x, y}] = p.Title
			}
		}
		if p.Type != "row" && len(p.Targets) == 0 {
			t.Errorf("%s shows nothing", p.Title)
		}
		for _, target := range p.Targets {
			used := check(t, p.Title, target.Expr)
			for _, name := range used {
				shown[name] = true
			}
			for _, part := range strings.Split(target.LegendFormat, "{{")[1:] {
				label, _, _ := strings.Cut(part, "}}")
				if !slices.ContainsFunc(used, func(name string) bool { return slices.Contains(names()[name], label) }) {
					t.Errorf("%s: the legend names %s", p.Title, label)
				}
			}
		}
	}
	for _, v := range board.Templating.List {
		if q, ok := v.Query.(map[string]any); ok {
			inner, label, ok := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(q["query"].(string), "label_values("), ")"), ", ")
			if at := strings.LastIndex(inner+", "+label, ", "); ok {
				whole := inner + ", " + label
				inner, label = whole[:at], whole[at+2:]
			}
			used := check(t, "variable "+v.Name, inner)
			if len(used) != 1 || !slices.Contains(names()[used[0]], label) {
				t.Errorf("variable %s: %s has no label %s", v.Name, inner, label)
			}
		}
	}
	for _, s := range metrics.All {
		if strings.Contains(s.Name, "late") && s.Kind == metrics.Counter && !strings.HasPrefix(s.Name, "operator/num_late_records_in") && !shown[s.PrometheusName()] {
			t.Errorf("%s is not on the dashboard", s.PrometheusName())
		}
	}
}

// TestAlerts: Prometheus takes the file, and every alert speaks of metrics and labels that there are.
func TestAlerts(t *testing.T) {
	groups, errs := rulefmt.ParseFile(alerts, false, model.UTF8Validation, language, slog.New(slog.DiscardHandler))
	for _, err := range errs {
		t.Error(err)
	}
	if groups == nil {
		return
	}
	seen := map[string]bool{}
	for _, g := range groups.Groups {
		for _, r := range g.Rules {
			used := check(t, r.Alert, r.Expr)
			if seen[r.Alert] || !slices.Contains([]string{"info", "warning", "critical"}, r.Labels["severity"]) || r.Annotations["summary"] == "" {
				t.Errorf("%s is there twice, or has no severity or summary", r.Alert)
			}
			seen[r.Alert] = true
			for _, text := range r.Annotations {
				for _, part := range strings.Split(text, "$labels.")[1:] {
					label := strings.FieldsFunc(part, func(c rune) bool { return c != '_' && (c < 'a' || c > 'z') })[0]
					if !slices.Contains(targets, label) && !slices.ContainsFunc(used, func(name string) bool { return slices.Contains(names()[name], label) }) {
						t.Errorf("%s speaks of label %s", r.Alert, label)
					}
				}
			}
		}
	}
	if len(seen) == 0 {
		t.Error("there are no alerts")
	}
}
