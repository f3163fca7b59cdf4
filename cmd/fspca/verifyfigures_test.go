package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/verify"
	"github.com/fspca/fspca/selector"
)

// verified returns what verify finds in a model of the table at path, whose figures are changed before.
func verified(t *testing.T, path string, m *selector.Model, change func(f *verify.Figures)) (findings []verify.Finding) {
	t.Helper()
	c := &verifyCommand{}
	cmd := command(c, &cobra.Command{Use: "verify"})
	cmd.SetContext(t.Context())
	claims := must.Get(c.flags.claims(cmd, path, m))(t)
	change(claims.Figures)
	if claims.rebuilt {
		return must.Get(claims.CheckReconstruction(claims.a, claims.names))(t)
	}
	return must.Get(claims.Check(claims.a, claims.names, nil, nil))(t)
}

// numbers calls f with each number among the figures, and what it is called.
func numbers(v reflect.Value, name string, f func(name string, v reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			numbers(v.Elem(), name, f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			numbers(v.Field(i), name+"."+v.Type().Field(i).Name, f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			numbers(v.Index(i), fmt.Sprintf("%s[%d]", name, i), f)
		}
	case reflect.Float64:
		f(name, v)
	}
}

// Each figure of a model that is changed by a thousandth is found to be wrong, and none that is as it was.
func TestVerifyFindsEachWrongFigure(t *testing.T) {
	wine := must.Get(dataset.Builtin("wine"))(t)
	wine = must.Get(wine.WithoutClass().Pick(wine.Names()[:8]))(t)
	path := filepath.Join(t.TempDir(), "wine.csv")
	file := must.Get(os.Create(path))(t)
	must.OK(t, dataset.WriteCSV(file, wine))
	must.OK(t, file.Close())
	random := []string{".Random", ".Choices", ".Stability", ".Options"}
	for i, o := range []selector.Options{
		{Features: 3, Components: 2, Reconstruction: true, Decoder: true, Ridge: 0.5, Ledger: true, Bootstrap: 2},
		{Features: 4, Components: 2, Reconstruction: true, Decoder: true, Ledger: true, Standardize: true, Criterion: selector.CriterionReconstruction, Exclude: []string{"ash"}},
		{Features: 2, Components: 1, Reconstruction: true, Uncentered: true, Unmeasured: []string{"ash"}, Weight: "magnesium"},
	} {
		s := selector.New(o)
		must.OK(t, s.Fit(wine))
		count := 0
		numbers(reflect.ValueOf(must.Get(figuresOf(s.Model()))(t)), "", func(string, reflect.Value) { count++ })
		if count < 30 {
			t.Errorf("options %d: only %d figures", i, count)
		}
		for at := range count + 1 { // the last changes none
			what, told := "nothing", false
			findings := verified(t, path, s.Model(), func(f *verify.Figures) {
				next := 0
				numbers(reflect.ValueOf(f), "", func(name string, v reflect.Value) {
					if told = slices.ContainsFunc(random, func(r string) bool { return strings.Contains(name, r) }); next == at && !told {
						what = name
						v.SetFloat(v.Float() + 1e-3*max(1e-3, v.Float(), -v.Float()))
					}
					next++
				})
			})
			fails := slices.ContainsFunc(findings, func(f verify.Finding) bool { return f.Verdict == verify.Fails })
			if fails != (what != "nothing") {
				t.Errorf("options %d, %s changed: %v", i, what, findings)
			}
		}
	}
}
