package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// TestPaperIsCitedAlike: wherever the paper's authors or its title stand, all authors, the title and
// the year do, in one form.
func TestPaperIsCitedAlike(t *testing.T) {
	mention := regexp.MustCompile(`L\. Tian|Learning Feature Sparse Principal Subspace`)
	whole := regexp.MustCompile(`^L\. Tian, F\. Nie, R\. Wang and X\. Li, Learning Feature Sparse Principal Subspace, NeurIPS 2020`)
	marks := strings.NewReplacer("//", " ", "*", "", "\"", "", "“", "", "”", "")
	found := 0
	must.OK(t, filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git"):
			return filepath.SkipDir
		case filepath.Base(path) == "paper_test.go" || filepath.Ext(path) != ".go" && filepath.Ext(path) != ".md":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		plain := strings.Join(strings.Fields(marks.Replace(string(text))), " ")
		for at := mention.FindStringIndex(plain); at != nil; at = mention.FindStringIndex(plain) {
			plain = plain[at[0]:]
			form := whole.FindString(plain)
			if form == "" {
				t.Errorf("%s: %.90q", path, plain)
				form = plain[:10]
			}
			plain, found = plain[len(form):], found+1
		}
		return nil
	}))
	if found < 5 {
		t.Errorf("the paper is cited %d times only", found)
	}
}
