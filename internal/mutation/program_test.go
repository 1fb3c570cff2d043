package mutation

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// variable is the environment variable with the number of the mutation, from 1.
const variable = "TIDEMARK_MUTATION"

// chosen is a package that only the program with the mutations has.
const (
	chosenFile = "internal/mutation/chosen/chosen.go"
	chosen     = "package chosen\n\nimport (\n\t\"os\"\n\t\"strconv\"\n)\n\nvar Mutation, _ = strconv.Atoi(os.Getenv(\"" + variable + "\"))\n"
	imported   = "\n\nimport mutationchosen \"github.com/tidemark-sql/tidemark/internal/mutation/chosen\"\n"
)

// build makes the program with all mutations of the list.
func build(program string, list []mutation) error {
	texts, err := sources(list)
	if err != nil {
		return err
	}
	texts[chosenFile] = chosen
	dir := filepath.Dir(program)
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for file, text := range texts {
		at, err := filepath.Abs(filepath.Join(root, file))
		if err != nil {
			return err
		}
		copied := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		overlay.Replace[at] = copied
		if err := os.WriteFile(copied, []byte(text), 0o600); err != nil {
			return err
		}
	}
	replaced, err := json.Marshal(overlay)
	if err != nil {
		return err
	}
	plan := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(plan, replaced, 0o600); err != nil {
		return err
	}
	compile := exec.Command("go", "build", "-overlay", plan, "-ldflags", "-s -w", "-o", program, "./cmd/tidemark")
	compile.Dir = root
	if said, err := compile.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, said)
	}
	return nil
}

// sources are the files of the mutations by name, with all mutations in them. A function of which there are some has its body once more for each, in front.
func sources(list []mutation) (map[string]string, error) {
	type insertion struct {
		at   int
		text string
	}
	var misfits error
	inserted := map[string][]insertion{}
	texts := map[string]string{}
	for i, m := range list {
		source, err := os.ReadFile(filepath.Join(root, m.file))
		if err != nil {
			return nil, err
		}
		text := string(source)
		texts[m.file] = text
		if n := strings.Count(text, m.old); n != 1 {
			misfits = errors.Join(misfits, fmt.Errorf("%s: %s has %d times\n%s", m.rule, m.file, n, m.old))
			continue
		}
		at := strings.Index(text, m.old)
		f, pkg, err := functionAt(m.file, text, at)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.rule, err)
		}
		broken := text[f.begin:at] + m.with + text[at+len(m.old):f.end]
		if !f.returns {
			broken += "\nreturn\n"
		}
		if inserted[m.file] == nil {
			inserted[m.file] = []insertion{{pkg, imported}}
		}
		inserted[m.file] = append(inserted[m.file], insertion{f.begin, fmt.Sprintf("\nif mutationchosen.Mutation == %d {\n%s\n}\n", i+1, broken)})
	}
	for file, all := range inserted {
		slices.SortStableFunc(all, func(a, b insertion) int { return b.at - a.at })
		for _, x := range all {
			texts[file] = texts[file][:x.at] + x.text + texts[file][x.at:]
		}
	}
	return texts, misfits
}

// body is the inside of a function.
type body struct {
	begin, end int // offsets
	returns    bool
}

// functionAt finds the function around an offset, and the end of the package clause.
func functionAt(file, text string, at int) (b body, pkg int, err error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		return body{}, 0, err
	}
	offset := func(p token.Pos) int { return set.Position(p).Offset }
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if ok && f.Body != nil && offset(f.Body.Lbrace) < at && at < offset(f.Body.Rbrace) {
			return body{offset(f.Body.Lbrace) + 1, offset(f.Body.Rbrace), f.Type.Results != nil}, offset(parsed.Name.End()), nil
		}
	}
	return body{}, 0, fmt.Errorf("%s has that in no function", file)
}
