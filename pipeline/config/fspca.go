package config

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/strict"
	"github.com/fspca/fspca/pipeline"
)

// checkFSPCA reports what the selector refuses, at the keys that are wrong.
func checkFSPCA(in *strict.Inspection, s *pipeline.FSPCAStep, path string) {
	fspcaCounts(in, s, path)
	o := s.Selection()
	for _, err := range param.Each(o.Check()) {
		var wrong *param.Error
		if !errors.As(err, &wrong) {
			in.Report(path, "%v", err)
			continue
		}
		var beside []string
		switch wrong.Field {
		case "Features", "Components": // a mapping that is wrong gives no number
			beside = append(beside, keyOf(s, path, wrong.Field+"Target"))
		}
		place(in, s, path, wrong, worded(s, wrong), beside...)
	}
}

// worded is the error in the words of a config.
func worded(s *pipeline.FSPCAStep, wrong *param.Error) string {
	if wrong.Want != param.Unset {
		return wrong.Error()
	}
	full := *s
	strict.Resolve(&full)
	decides := wrong.Against[0]
	return fmt.Sprintf("%s: %v does not read %s: leave it out", keyOf(s, "", decides), reflect.ValueOf(full).FieldByName(decides), keyOf(s, "", wrong.Field))
}

// settle fills in what depends on other keys, and takes off a resolved step what is
// not read.
func settle(s *pipeline.FSPCAStep) {
	full := s.Selection().Resolved()
	s.MaxIterations, s.Restarts = full.MaxIterations, full.Restarts
	v := reflect.ValueOf(s).Elem()
	for name := range s.Selection().Unread() {
		if f := v.FieldByName(name); f.IsValid() && name != "Method" {
			f.SetZero()
		}
	}
}

// fspcaCounts reports that nothing says how many columns are chosen.
func fspcaCounts(in *strict.Inspection, s *pipeline.FSPCAStep, path string) {
	k := strict.Join(path, "features")
	if cost := strict.Join(path, "cost"); !in.Given(k, s.Features) && !in.Supplied(k) && !in.Given(cost, s.Cost) && !in.Supplied(cost) {
		in.Report(k, "missing key \"features\" in fspca: number of columns to choose (k), or {target: 0.9}: the smallest number found that keeps this share of the variance that dense PCA explains")
	}
}

// oneCount reports a number below 1, and a mapping that says nothing or too much.
func oneCount(in *strict.Inspection, path string, number int, ways string, found ...bool) {
	said := lists.Count(found, func(f bool) bool { return f })
	mapping := in.Written(strict.Join(path, "target")) || in.Written(strict.Join(path, "parallel_analysis"))
	switch {
	case said > 1 || said == 1 && number != 0:
		in.Report(path, "%s says more than one thing: give a number, or %s", strict.Last(path), ways)
	case said == 0 && number < 1 && !mapping:
		in.Report(path, "%s must be at least 1, got %d", strict.Last(path), number)
	case said == 0 && mapping && !in.Written(strict.Join(path, "target")):
		in.Report(path, "parallel_analysis is false: leave it out and give a number")
	}
}
