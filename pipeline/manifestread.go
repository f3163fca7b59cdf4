package pipeline

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/saved"
	"github.com/fspca/fspca/transformer"
)

// readManifest reads and checks a manifest.
func readManifest(b []byte) (*manifest, error) {
	var m manifest
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, saved.Damaged(manifestName, err)
	}
	switch {
	case m.Type != manifestType:
		return nil, fmt.Errorf("%s is of type %q, not %q: the folder holds no saved pipeline", manifestName, m.Type, manifestType)
	case len(m.Steps) == 0:
		return nil, saved.Damaged(manifestName, errors.New("it has no steps"))
	}
	if err := saved.Version(manifestName, strconv.Itoa(m.Version), ModelVersion); err != nil {
		return nil, err
	}
	all := m.Steps
	if m.Around != nil {
		all = slices.Concat(m.Steps, m.Around.Steps)
	}
	for _, s := range all {
		if s.File == "" || path.Base(s.File) != s.File || s.File == ".." || s.File == manifestName {
			return nil, saved.Damaged(manifestName, fmt.Errorf("the step %q names no file of the folder, got %q", s.Name, s.File))
		}
	}
	return &m, nil
}

// fromFiles makes a fitted pipeline of saved files.
func fromFiles(read func(name string) ([]byte, error)) (*Pipeline, error) {
	b, err := read(manifestName)
	if err != nil {
		return nil, err
	}
	m, err := readManifest(b)
	if err != nil {
		return nil, err
	}
	var steps []NamedStep
	var errs []error
	for i, s := range m.Steps {
		step, err := s.load(i, read)
		steps, errs = append(steps, step), append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	p, err := New(steps...)
	if err != nil {
		return nil, saved.Damaged(manifestName, err)
	}
	c, err := m.chain(p.Steps)
	if err != nil {
		return nil, saved.Damaged(manifestName, err)
	}
	if err := m.surround(c, read); err != nil {
		return nil, err
	}
	if err := saved.Verify(b); m.Version > 1 && err != nil { // what was found before says more
		return nil, saved.Damaged(manifestName, err)
	}
	p.fitted.Store(c)
	return p, nil
}

// surround reads the steps around the selection.
func (m *manifest) surround(c *chain, read func(name string) ([]byte, error)) error {
	s := c.selector()
	switch {
	case m.Around == nil && (s == nil || s.Model().Rebuilt() == nil || c.selectorAt > 0):
		return nil // nothing to measure, or an older version wrote it
	case m.Around == nil: // likewise, but nothing is missing
		m.Around = &manifestAround{Inputs: lists.Map(s.Model().Rebuilt(), func(name string) input { return input{name, numericKind} })}
	case s == nil || s.Model().Rebuilt() == nil || len(m.Around.Steps) != c.selectorAt:
		return saved.Damaged(manifestName, errors.New("the field \"around\" is not that of an fspca step with a decoder"))
	}
	c.around = &around{inputs: m.Around.Inputs}
	have := namesOfInputs(m.Around.Inputs)
	for i, saved := range m.Around.Steps {
		step, err := saved.load(i, read)
		if err != nil {
			return err
		}
		if step.Transformer == nil {
			return &stepError{stepLabel(i, step.Name), step.Name, errors.New("it is a classifier, and only steps before the selection are kept here")}
		}
		if err := comesTo(i, step.Name, step.Transformer.Inputs(), have); err != nil {
			return err
		}
		c.around.steps, have = append(c.around.steps, step), step.Transformer.Outputs()
	}
	if err := comesTo(c.selectorAt, c.transformers[c.selectorAt].Name, s.Model().Rebuilt(), have); err != nil {
		return saved.Damaged(manifestName, err)
	}
	return nil
}

// comesTo returns an error unless all columns that a step needs come to it.
func comesTo(i int, step string, need, have []string) error {
	if missing := lists.Without(need, have); len(missing) > 0 {
		return fmt.Errorf("%s needs the column %q, but no earlier step produces it", stepLabel(i, step), missing[0])
	}
	return nil
}

// load reads one step.
func (s manifestStep) load(i int, read func(name string) ([]byte, error)) (NamedStep, error) {
	step, err := Step{Name: s.Kind}.Build()
	if err != nil {
		return step, &stepError{stepLabel(i, s.Name), s.Name, fmt.Errorf("%w; a newer fspca may read it", err)}
	}
	step.Name = s.Name
	b, err := read(s.File)
	if err != nil {
		return step, &stepError{stepLabel(i, s.Name), s.Name, err}
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != s.SHA256 {
		return step, &stepError{stepLabel(i, s.Name), s.Name, saved.Damaged(s.File, fmt.Errorf("its hash differs from the one in %s", manifestName))}
	}
	if _, itself := step.Transformer.(*transformer.OnColumns); step.Transformer != nil && !itself && saved.Type(b) == saved.OnColumns {
		step.Transformer = &transformer.OnColumns{New: func() transformer.Transformer {
			inside, _ := Step{Name: s.Kind}.Build() // it has been built before
			return inside.Transformer
		}}
	}
	err = runStep(i, s.Name, func() error {
		if step.Classifier != nil {
			return step.Classifier.LoadFrom(bytes.NewReader(b))
		}
		return step.Transformer.Load(bytes.NewReader(b))
	})
	return step, err
}

// chain puts the loaded steps together and checks that they fit.
func (m *manifest) chain(steps []NamedStep) (*chain, error) {
	c := &chain{inputs: m.Inputs, reading: m.Reading}
	if m.Class != nil {
		c.class = newClassInfo(m.Class.Name, m.Class.Levels)
	}
	have := c.inputNames()
	for i, s := range steps {
		var need, next []string
		if s.Classifier != nil {
			c.classifier, need = &steps[i], s.Classifier.Inputs()
		} else {
			c.transformers = append(c.transformers, s)
			need, next = s.Transformer.Inputs(), s.Transformer.Outputs()
		}
		if err := comesTo(i, s.Name, need, have); err != nil {
			return nil, err
		}
		have = next
	}
	if err := m.check(c); err != nil {
		return nil, err
	}
	return c, c.prepare()
}

// check holds the classes and the kinds of the inputs to what a chain can have.
func (m *manifest) check(c *chain) error {
	if c.classifier != nil {
		if c.class == nil {
			return fmt.Errorf("there is a classifier (%s), but no class", c.classifier.Name)
		}
		if unknown := lists.Without(c.classifier.Classifier.Classes(), c.class.levels); len(unknown) > 0 {
			return fmt.Errorf("the classifier %s knows a class %q that the column %q does not have", c.classifier.Name, unknown[0], c.class.name)
		}
	}
	for _, in := range m.Inputs {
		if in.Kind != numericKind && in.Kind != categoricalKind {
			return fmt.Errorf("the input %q is of kind %q: expected %s or %s", in.Name, in.Kind, numericKind, categoricalKind)
		}
	}
	return nil
}
