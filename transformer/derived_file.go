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

func (d *derived[O, L]) save(w io.Writer, step string) error {
	s := d.state
	if s == nil {
		return notFitted(step)
	}
	return encode(w, step, derivedFile[O, L]{headerOf(step), s.options, s.columns, s.outputs})
}

// load reads what save wrote and returns the options; checkOptions judges them. An error leaves d as
// it was.
func (d *derived[O, L]) load(rd io.Reader, r *recipe[O, L], checkOptions func(O) error) (O, error) {
	var file derivedFile[O, L]
	if err := decode(rd, r.step, &file); err != nil {
		return file.Options, err
	}
	s := &derivedState[O, L]{recipe: r, options: file.Options, columns: file.Columns, outputs: file.Outputs}
	problems := []error{checkColumns(s.columns), s.checkNames("")}
	if checkOptions != nil {
		problems = append(problems, checkOptions(file.Options))
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
		return file.Options, err
	}
	d.state = s
	return file.Options, nil
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
