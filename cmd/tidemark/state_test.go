package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// do runs the program in this process.
func do(args ...string) (stdout, stderr string, code int) {
	var out, err bytes.Buffer
	code = dispatch(context.Background(), args, &out, &err)
	return out.String(), err.String(), code
}

func TestStateShow(t *testing.T) {
	t.Chdir(t.TempDir())
	script := `CREATE TABLE o (n BIGINT) WITH ('connector' = 'filesystem', 'path' = 'out', 'format' = 'csv');
INSERT INTO o SELECT 1 UNION ALL SELECT 2`
	if _, stderr, code := do("run", "--quiet", "--state-dir", "state", "-e", script); code != exitOK {
		t.Fatal(stderr)
	}
	out, stderr, code := do("state", "show", "state")
	if code != exitOK || !strings.Contains(out, "insert+o\n  INSERT INTO o SELECT 1 UNION ALL SELECT 2\n  checkpoint 1 of ") ||
		!strings.Contains(out, "checkpoint 1 is the end of the statement") {
		t.Errorf("exit code %d, %s\n%s", code, stderr, out)
	}
	out, stderr, code = do("state", "--json", "show", "state")
	var all []struct {
		Name        string
		Checkpoints []struct{ Content struct{ Finished bool } }
	}
	if err := json.Unmarshal([]byte(out), &all); code != exitOK || err != nil || len(all) != 1 || all[0].Name != "insert+o" || !all[0].Checkpoints[0].Content.Finished {
		t.Errorf("exit code %d, %s, %v\n%s", code, stderr, err, out)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"state", "show", "out"}, "'out' is no folder of states"},
		{[]string{"state", "show", "nothing"}, "there is no folder 'nothing'"},
		{[]string{"state"}, "write: tidemark state show FOLDER"},
		{[]string{"state", "shwo", "state"}, "write: tidemark state show FOLDER"},
	} {
		if _, stderr, code := do(c.args...); code != exitUsage || !strings.Contains(stderr, c.want) {
			t.Errorf("%q: exit code %d, %s", c.args, code, stderr)
		}
	}
}
