package transformer

import (
	"errors"
	"fmt"
	"io"
)

// derivedFile is a saved derived step.
type derivedFile[O, L any] struct {
	header
	Options O                  `json:"options"`
	Columns []derivedColumn[L] `json:"columns"`
	Outputs []derivedOutput    `json:"outputs"`
}

func (s *derivedState[O, L]) file() (any, error) {
	return derivedFile[O, L]{headerOf(s.recipe.step), s.options, s.columns, s.outputs}, nil
}

// load reads what save wrote and gives the options to set. An error leaves d as it was.
func (d *derived[O, L]) load(rd io.Reader, r *recipe[O, L], set func(O)) error {
	var file derivedFile[O, L]
	if err := decode(rd, r.step, &file); err != nil {
		return err
	}
	s := &derivedState[O, L]{recipe: r, options: file.Options, columns: file.Columns, outputs: file.Outputs}
	problems := []error{checkColumns(s.columns), checkNames(r.step, s.outputs, "")}
	if o, ok := any(file.Options).(interface{ check() error }); ok {
		problems = append(problems, o.check())
	}
	if len(s.outputs) == 0 {
		problems = append(problems, errors.New(`field "outputs" is missing or empty`))
	}
	places := s.places()
	for i, o := range s.outputs {
		at, ok := places[o.Column]
		if !ok {
			problems = append(problems, fmt.Errorf(`outputs[%d] (%q): the field "column" is %q, which is not among "columns"`, i, o.Name, o.Column))
		} else if c := s.columns[at]; !passes(c, o) {
			if err := r.check(file.Options, c, o.Part); err != nil {
				problems = append(problems, fmt.Errorf("outputs[%d] (%q): %w", i, o.Name, err))
			}
		}
	}
	if err := damaged(r.step, problems...); err != nil {
		return err
	}
	d.state = s
	set(file.Options)
	return nil
}

// needsKind is the check of a step that computes from one kind of column and learns something of it.
func needsKind[L any](c derivedColumn[L], want kind, part string) error {
	switch {
	case c.Kind != want:
		return fmt.Errorf("column %q is %s, want %s", c.Name, c.Kind, want)
	case c.Learned == nil:
		return fmt.Errorf(`column %q has no field "learned"`, c.Name)
	case part != "":
		return fmt.Errorf("there is no part %q", part)
	}
	return nil
}
