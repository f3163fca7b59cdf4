package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// disagreeing is one of something in the plural. "d = 1 columns" names a letter, and is none.
var disagreeing = regexp.MustCompile(`(?m)^.*(?:^|[^=0-9.,] |[("])1 (?:[a-z]+ )?(?:rows|columns|components|cells|names|numbers|values|entries|lines|weights|classes|folds|draws|passes|steps|iterations|groups|choices|levels|labels|features|settings|products|subproblems)\b.*$|^.*\b1 (?:of (?:the )?\d+ )?[a-z]+(?: [a-z]+)? (?:are|were|have)\b.*$`)

// TestNumbersAgree: what the commands say of one row, one column, one component or one missing cell is in the singular.
func TestNumbersAgree(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"c1.csv": "a\n1\n2\n3\n", "r1.csv": "a,b,c\n1,2,3\n", "l1.csv": "a,b,y\n1,5,u\n", "t.csv": "a,b,c\n1,5,2\n2,3,1\n3,4,4\n4,1,3\n5,2,9\n",
		"m1.csv": "a,b,c\n1,5,2\n2,,1\n3,4,4\n4,1,3\n5,2,9\n", "l.csv": "a,b,y\n1,5,u\n2,3,v\n3,4,u\n4,1,v\n5,2,u\n6,1,v\n",
		"rank1.csv": "a,b,c\n1,2,3\n2,4,6\n3,6,9\n4,8,12\n5,10,15\n", "s1.svm": "1 1:1\n2 1:2\n1 1:4\n",
		"w.csv":  "a,b,w\n1,5,-1\n2,3,2\n3,4,3\n4,1,1\n",
		"p.yaml": "version: 1\ndata: {source: l.csv, label: y}\nsplit: {test: 0.2}\nsteps: [standardize, fspca: {features: 1, components: 1}, knn: {k: 1}]\n",
	} {
		must.OK(t, os.WriteFile(name, []byte(text), 0o600))
	}
	said := ""
	for line := range strings.Lines(`fit c1.csv -k 1 -m 1
fit r1.csv -k 1 -m 1
fit c1.csv -k 1 -m 1 --include nope
fit m1.csv -k 1 -m 1
fit m1.csv -k 1 -m 1 --omit-missing
fit rank1.csv -k 2 -m 2
fit rank1.csv -k 2 -m 2 --no-center
fit s1.svm -k 1 -m 1
fit w.csv -k 1 -m 1 --weight w
fit t.csv -k 2 -m 1 --exclude a,b
fit t.csv -k 2 -m 1 --bootstrap 1
fit t.csv -k 2 -m 1 --effort exact --verbose
fit t.csv -k 3 --parallel-analysis
fit t.csv -k 1 -m 1 --criterion reconstruction --decoder -o m.json
fit c1.csv -k 1 -m 1 --warm-start m.json
evaluate m.json r1.csv
transform m.json r1.csv --check
transform m.json m1.csv
inspect m.json --columns
verify m.json r1.csv
path t.csv -k 1 -m 1
path t.csv --target 0.99999999 -m 1 --max-features 1
path t.csv --target 0.99999999 -m 1 --max-features 1 --criterion reconstruction
run p.yaml --out o1
run p.yaml --set split.test=0.99 --out o2
run p.yaml --set data.source=l1.csv
predict o1/model l1.csv --label y
evaluate o1/model l1.csv --label y
`) {
		_, stdout, stderr := quiet(strings.Fields(line)...)
		said += stdout + stderr
		if strings.Contains(stderr, "there is no flag") || stdout+stderr == "" {
			t.Errorf("%s: %s", line, stderr)
		}
	}
	for _, line := range disagreeing.FindAllString(said, -1) {
		t.Errorf("%q", line)
	}
	for _, one := range []string{"1 row", "1 column", "1 component", "1 numeric cell of", "1 draw", "1 of the 2 components has"} {
		if !strings.Contains(said, one) {
			t.Errorf("nothing is said of %s", one)
		}
	}
	if strings.Contains(said, "gonum found no eigenvalues") || !strings.Contains(said, "is 1, and a variance needs more than 1") {
		t.Error("verify does not say that one row has no variance")
	}
}
