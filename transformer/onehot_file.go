package transformer

import (
	"errors"
	"fmt"
	"io"
	"slices"
)

// oneHotFile is a saved OneHot.
type oneHotFile struct {
	header
	IgnoreUnseen  bool           `json:"ignore_unseen"`
	IgnoreMissing bool           `json:"ignore_missing"`
	Columns       []oneHotColumn `json:"columns"`
	Outputs       []oneHotOutput `json:"outputs"`
}

// Save writes the fitted step as JSON of type "onehot".
func (o *OneHot) Save(w io.Writer) error { return o.save(w, oneHotStep) }

func (s *oneHotState) file() (any, error) {
	return oneHotFile{headerOf(oneHotStep), s.ignoreUnseen, s.ignoreMissing, s.columns, s.outputs}, nil
}

// Load reads what Save wrote, with the options. After an error the step is unchanged.
func (o *OneHot) Load(r io.Reader) error {
	var file oneHotFile
	if err := decode(r, oneHotStep, &file); err != nil {
		return err
	}
	s := &oneHotState{file.IgnoreUnseen, file.IgnoreMissing, file.Columns, file.Outputs}
	if err := damaged(oneHotStep, checkColumns(s.columns), s.checkFile()); err != nil {
		return err
	}
	*o = OneHot{file.IgnoreUnseen, file.IgnoreMissing, fitted[*oneHotState]{s}}
	return nil
}

// checkFile validates the outputs of a saved step against its columns.
func (s *oneHotState) checkFile() error {
	problems := []error{checkNames(oneHotStep, s.outputs, "")}
	if len(s.outputs) == 0 {
		problems = append(problems, errors.New(`field "outputs" is missing or empty`))
	}
	for i, o := range s.outputs {
		at := slices.IndexFunc(s.columns, func(c oneHotColumn) bool { return c.Name == o.Column })
		switch {
		case at < 0:
			problems = append(problems, fmt.Errorf(`outputs[%d] (%q): the field "column" is %q, which is not among "columns"`, i, o.Name, o.Column))
		case (s.columns[at].Kind == numeric) != (o.Level == nil):
			problems = append(problems, fmt.Errorf(`outputs[%d] (%q): want a field "level" if column %q is categorical, and none if it is numeric`, i, o.Name, o.Column))
		case o.Level != nil && !slices.Contains(s.columns[at].Levels, *o.Level):
			problems = append(problems, fmt.Errorf(`outputs[%d] (%q): column %q has no level %q`, i, o.Name, o.Column, *o.Level))
		}
	}
	return errors.Join(problems...)
}
