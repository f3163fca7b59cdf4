package transformer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/fspca/fspca/internal/lists"
)

// onColumnsFile is a saved OnColumns; Step is the saved step.
type onColumnsFile struct {
	header
	Select  []string        `json:"select"`
	Chosen  []string        `json:"chosen"`
	Columns []column        `json:"columns"`
	Outputs []onOutput      `json:"outputs"`
	Step    json.RawMessage `json:"step,omitempty"`
}

// Save writes the fitted step as JSON of type "columns", with the step inside.
func (c *OnColumns) Save(w io.Writer) error { return c.save(w, onColumnsStep) }

func (s *onColumnsState) file() (any, error) {
	file := onColumnsFile{header: headerOf(onColumnsStep), Select: s.wanted, Chosen: s.chosen, Columns: s.inputs, Outputs: s.outputs}
	if s.step != nil {
		var b bytes.Buffer
		if err := s.step.Save(&b); err != nil {
			return nil, err
		}
		file.Step = b.Bytes()
	}
	return file, nil
}

// Load reads what Save wrote. New must make a step of the type that was saved; it then makes steps
// with the saved options. After an error the step is unchanged.
func (c *OnColumns) Load(r io.Reader) error {
	var file onColumnsFile
	if err := decode(r, onColumnsStep, &file); err != nil {
		return err
	}
	s := &onColumnsState{wanted: file.Select, chosen: file.Chosen, inputs: file.Columns, outputs: file.Outputs}
	problems := []error{checkColumns(file.Columns)}
	if len(file.Select) == 0 || len(file.Chosen) == 0 || len(file.Outputs) == 0 {
		problems = append(problems, errors.New(`one of the fields "select", "chosen" and "outputs" is missing or empty`))
	}
	newStep := c.New
	if file.Step != nil {
		if s.step = c.New(); s.step == nil {
			return errors.New("columns: there is no step to load into")
		}
		if err := s.step.Load(bytes.NewReader(file.Step)); err != nil {
			return err
		}
		blank := c.New
		newStep = func() Transformer { // with the options that were saved
			step := blank()
			_ = step.Load(bytes.NewReader(file.Step)) // it has been loaded before
			return step
		}
	}
	problems = append(problems, s.checkOutputs())
	if err := damaged(onColumnsStep, problems...); err != nil {
		return err
	}
	*c = OnColumns{slices.Clone(file.Select), newStep, fitted[*onColumnsState]{s}}
	return nil
}

// checkOutputs validates the outputs of a saved step against the step inside and the columns.
func (s *onColumnsState) checkOutputs() error {
	var problems []error
	inputs, outputs := lists.Set(names(s.inputs)), make(map[string]bool)
	if s.step != nil {
		outputs = lists.Set(s.step.Outputs())
	}
	seen := make(map[string]bool)
	for i, o := range s.outputs {
		switch {
		case seen[o.Name]:
			problems = append(problems, fmt.Errorf("outputs[%d]: %q occurs twice", i, o.Name))
		case o.Passes && !inputs[o.Name]:
			problems = append(problems, fmt.Errorf(`outputs[%d]: %q is not among "columns"`, i, o.Name))
		case !o.Passes && !outputs[o.Name]:
			problems = append(problems, fmt.Errorf("outputs[%d]: %q is no output of the step inside", i, o.Name))
		}
		seen[o.Name] = true
	}
	return errors.Join(append(problems, s.checkStep()...)...)
}

// checkStep validates the step inside, if there is one.
func (s *onColumnsState) checkStep() (problems []error) {
	if s.step == nil {
		return nil
	}
	if lists.Count(s.outputs, onOutput.passes) == len(s.outputs) {
		problems = append(problems, errors.New(`there is a field "step", but no output comes from that step`))
	}
	for _, name := range lists.Without(s.step.Inputs(), names(s.inputs)) {
		problems = append(problems, fmt.Errorf(`the step inside needs %q, which is not among "columns"`, name))
	}
	return problems
}
