package classifier

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/meta"
	"github.com/sjwhitworth/golearn/trees"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/golearn"
)

// foreign is a classifier of golearn's, or of anybody who keeps its interface,
// under our own contract.
type foreign struct {
	name  string
	fresh func() base.Classifier
	fit   *foreignFit
}

// foreignFit is what was learned.
type foreignFit struct {
	table foreignTable

	mu    sync.Mutex // golearn does not say what may run at the same time
	model base.Classifier
}

// Golearn makes a Classifier of any base.Classifier. Each call of fresh returns a
// new, unfitted one. Errors and saved models use the name, and it is the kind of
// step under which the classifier is registered.
//
// The classifier gets a copy of the rows with the columns in training order and its
// own class attribute, whatever the grid. New rows may have unknown levels and
// classes. A panic is returned as an error. A panic in a goroutine that the
// classifier starts cannot be caught and would end the program. Classifiers with a
// BaggedModel, such as RandomForest, are therefore refused. golearn cannot be
// interrupted: the end of a context is noticed only after the fit or the prediction
// has run. Predictions run one at a time.
func Golearn(name string, fresh func() base.Classifier) Classifier {
	return &foreign{name: name, fresh: fresh}
}

// make gives an unfitted classifier.
func (c *foreign) make() (model base.Classifier, err error) {
	if c.fresh == nil {
		return nil, fmt.Errorf("%s: there is no function that makes a classifier", c.name)
	}
	err = golearn.Guard(c.name, func() error {
		model = c.fresh()
		return nil
	})
	if err != nil {
		return nil, err
	}
	v := reflect.ValueOf(model)
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, fmt.Errorf("%s: the function that makes a classifier returned nil", c.name)
	}
	if c.fit != nil && v.Kind() == reflect.Pointer && v.Type().Elem().Size() > 0 && any(model) == any(c.fit.model) {
		return nil, fmt.Errorf("%s: the function that makes a classifier returned the one that is already fitted: it must make a new one at each call", c.name)
	}
	if holds(v, reflect.TypeFor[meta.BaggedModel](), 0) {
		return nil, fmt.Errorf("%s: %T predicts in goroutines of its own, where a panic ends the program: it is refused; use decision_tree, or a single golearn tree", c.name, model)
	}
	return model, nil
}

// holds says whether a value is of the type, or has room for one: RandomForest makes
// its BaggedModel in Fit.
func holds(v reflect.Value, wanted reflect.Type, depth int) bool {
	if !v.IsValid() || depth > 6 {
		return false
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		return holdsItems(v, wanted, depth)
	case reflect.Interface:
		return holds(v.Elem(), wanted, depth+1)
	case reflect.Pointer:
		if v.IsNil() {
			v = reflect.New(v.Type().Elem())
		}
		return holds(v.Elem(), wanted, depth+1)
	case reflect.Struct:
		if v.Type() == wanted {
			return true
		}
		for _, field := range v.Fields() {
			if holds(field, wanted, depth+1) {
				return true
			}
		}
	}
	return false
}

// holdsItems says whether a list or a map holds a value of the type, or has room for one.
func holdsItems(v reflect.Value, wanted reflect.Type, depth int) bool {
	item := v.Type().Elem()
	if item.Kind() <= reflect.Complex128 || item.Kind() == reflect.String {
		return false
	}
	if holds(reflect.Zero(item), wanted, depth+1) {
		return true
	}
	for _, each := range v.Seq2() {
		if holds(each, wanted, depth+1) {
			return true
		}
	}
	return false
}

// FitFrame fits a new classifier on a copy of the rows.
func (c *foreign) FitFrame(ctx context.Context, f *dataset.Frame) error {
	rows, err := levelTraining(c.name, f)
	if err != nil {
		return err
	}
	model, err := c.make()
	if err != nil {
		return err
	}
	// golearn's RandomTree never stops where it is to consider more columns than there are.
	if t, ok := model.(*trees.RandomTree); ok && t.Rule != nil && t.Rule.Attributes > len(rows.features) {
		return fmt.Errorf("%s: the tree considers %d columns at a time, and there are %d", c.name, t.Rule.Attributes, len(rows.features))
	}
	fit := &foreignFit{table: tableOf(f, rows.classes), model: model}
	grid, err := fit.table.grid(c.name, f, f.Class())
	if err == nil {
		err = golearn.Guard(c.name+": fit", func() error { return model.Fit(grid) })
	}
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return named(c.name, err)
	}
	c.fit = fit
	return nil
}

// PredictFrame gives each row the class that the classifier says.
func (c *foreign) PredictFrame(ctx context.Context, f *dataset.Frame) (*Prediction, error) {
	if c.fit == nil {
		return nil, notFitted(c.name)
	}
	picked, err := c.fit.table.features.present(c.name, f)
	if err != nil {
		return nil, err
	}
	out := &dataset.Factor{Levels: c.Classes(), Codes: make([]int32, f.Rows())}
	if f.Rows() == 0 {
		return &Prediction{Classes: out}, nil
	}
	grid, err := c.fit.table.grid(c.name, picked, nil)
	if err == nil {
		err = golearn.Guard(c.name+": predict", func() error { return c.fit.predict(grid, out) })
	}
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, named(c.name, err)
	}
	return &Prediction{Classes: out}, nil
}

// named begins an error with the classifier's name, once.
func named(name string, err error) error {
	if strings.HasPrefix(err.Error(), name+": ") {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

func (t *foreignFit) predict(grid base.FixedDataGrid, out *dataset.Factor) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	predicted, err := t.model.Predict(grid)
	if err != nil {
		return err
	}
	if predicted == nil {
		return errors.New("the classifier gives no predictions, and no error")
	}
	if _, rows := predicted.Size(); rows != len(out.Codes) {
		return fmt.Errorf("the classifier gives %d predictions for %d rows", rows, len(out.Codes))
	}
	for i := range out.Codes {
		class := base.GetClass(predicted, i)
		code := slices.Index(out.Levels, class)
		if code < 0 {
			return fmt.Errorf("the classifier predicts the class %q for row %d, which did not occur in training", class, i+1)
		}
		out.Codes[i] = int32(code)
	}
	return nil
}

// Classes are the classes that occurred in training, in level order.
func (c *foreign) Classes() []string {
	if c.fit == nil {
		return nil
	}
	return slices.Clone(c.fit.table.class.Levels)
}

// Inputs are the names of the training columns.
func (c *foreign) Inputs() []string {
	if c.fit == nil {
		return nil
	}
	return c.fit.table.features.names()
}

// String names the classifier.
func (c *foreign) String() string { return c.name }

// Clone returns a copy that is fitted by itself.
func (c *foreign) Clone() Classifier { copied := *c; return &copied }

// Fit is FitFrame for any golearn grid.
func (c *foreign) Fit(g base.FixedDataGrid) error { return fitGrid(c, g) }

// Predict is PredictFrame for any golearn grid; see base.Classifier.
func (c *foreign) Predict(g base.FixedDataGrid) (base.FixedDataGrid, error) {
	return predictGrid(c, g)
}

// GetMetadata describes the classifier to golearn.
func (c *foreign) GetMetadata() base.ClassifierMetadataV1 { return golearn.Metadata(c.name) }

// Save writes a golearn model archive.
func (c *foreign) Save(path string) error { return saveFile(c, path) }

// Load reads a golearn model archive.
func (c *foreign) Load(path string) error { return loadFile(c, path) }

// SaveWithPrefix writes into an archive of several classifiers.
func (c *foreign) SaveWithPrefix(w *base.ClassifierSerializer, prefix string) error {
	return savePrefix(c, w, prefix)
}

// LoadWithPrefix reads from an archive of several classifiers.
func (c *foreign) LoadWithPrefix(r *base.ClassifierDeserializer, prefix string) error {
	return loadPrefix(c, r, prefix)
}
