package dataset

import (
	"slices"
	"strings"
	"testing"
)

func TestReadOnly(t *testing.T) {
	const text = "alpha,mixed,bravo,mixed,charlie,y\n1,2,3,x,5,u\n2,z,4,5,6,v\n"
	f, err := ReadCSV(strings.NewReader(text), "t.csv", ReadOptions{Only: []string{"charlie", "alpha"}, Label: "y"})
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Names(); !slices.Equal(got, []string{"alpha", "charlie"}) || f.ClassName() != "y" || f.Numeric().At(1, 1) != 6 {
		t.Errorf("%v %v", got, f)
	}
	_, err = ReadCSV(strings.NewReader(text), "t.csv", ReadOptions{Only: []string{"alpha", "brav", "charly"}})
	if err == nil || !strings.Contains(err.Error(), `"brav" (the nearest is "bravo")`) || !strings.Contains(err.Error(), `"charly" (the nearest is "charlie")`) {
		t.Errorf("%v", err)
	}
}
