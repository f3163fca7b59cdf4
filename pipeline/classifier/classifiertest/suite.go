package classifiertest

import (
	"strings"
	"testing"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline/classifier"
)

// maker makes unfitted classifiers, with the same options at each call, that get
// the least share of the flowers right.
type maker struct {
	new   func() classifier.Classifier
	least float64
}

// fitted makes a classifier and fits it.
func (m maker) fitted(t *testing.T, f *dataset.Frame) classifier.Classifier {
	t.Helper()
	c := m.new()
	mustFit(t, c, f)
	return c
}

// checks are the promises of classifier.Classifier.
var checks = []struct {
	name string
	run  func(t *testing.T, fresh maker, iris *dataset.Frame)
}{
	{"learns", learns},
	{"probabilities", probabilities},
	{"a row alone", alone},
	{"rows far outside", farRows},
	{"any number of processors", anyProcessors},
	{"a cancelled prediction", cancelledPrediction},
	{"columns by name", columnsByName},
	{"golearn grids", golearnGrids},
	{"a class attribute with other values", foreignClass},
	{"golearn tools", golearnTools},
	{"unfitted use is an error", unfitted},
	{"a failed fit changes nothing", failedFit},
	{"a cancelled fit changes nothing", cancelledFit},
	{"a copy is fitted by itself", copied},
	{"nothing of the caller's memory is kept", ownMemory},
	{"only classes that occur", ownClasses},
	{"concurrent predictions", concurrent},
	{"save and load", saveLoad},
	{"several in one archive", archive},
	{"damaged archives", damagedArchive},
	{"damaged states", damagedState},
}

// Run checks that the classifiers that fresh makes keep the promises of
// classifier.Classifier, on the flowers of iris. fresh must return an unfitted
// classifier with the same options at each call, which gets nine flowers of ten
// right.
func Run(t *testing.T, fresh func() classifier.Classifier) {
	t.Helper()
	run(t, maker{fresh, .9})
}

// RunWeak is Run for classifiers that need not get any flower right.
func RunWeak(t *testing.T, fresh func() classifier.Classifier) {
	t.Helper()
	run(t, maker{fresh, -1})
}

func run(t *testing.T, fresh maker) {
	t.Helper()
	for _, c := range checks {
		t.Run(strings.ReplaceAll(c.name, " ", "-"), func(t *testing.T) {
			iris := must.Get(dataset.Builtin("iris"))(t)
			c.run(t, fresh, iris)
		})
	}
}
