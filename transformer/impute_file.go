package transformer

import (
	"errors"
	"fmt"
	"io"
)

// imputeFile is a saved Impute.
type imputeFile struct {
	header
	Strategy string         `json:"strategy"`
	Value    float64        `json:"value"`
	Level    string         `json:"level"`
	Columns  []imputeColumn `json:"columns"`
}

// imputeColumn has Number if numeric; if categorical, Level where missing cells are filled.
type imputeColumn struct {
	column
	Number *float64 `json:"number,omitempty"`
	Level  *string  `json:"level,omitempty"`
}

// Save writes the fitted step as JSON of type "impute".
func (m *Impute) Save(w io.Writer) error { return m.save(w, imputeStep) }

func (s *imputeState) file() (any, error) {
	file := imputeFile{header: headerOf(imputeStep), Strategy: s.strategy, Value: s.value, Level: s.level}
	for i, c := range s.columns {
		ic := imputeColumn{column: c, Level: s.fills[i].level}
		if c.Kind == numeric {
			ic.Number = &s.fills[i].number
		}
		file.Columns = append(file.Columns, ic)
	}
	return file, nil
}

// Load reads what Save wrote, with the options. After an error the step is unchanged.
func (m *Impute) Load(r io.Reader) error {
	var file imputeFile
	if err := decode(r, imputeStep, &file); err != nil {
		return err
	}
	loaded := Impute{Strategy: file.Strategy, Value: file.Value, Level: file.Level}
	problems := []error{checkColumns(file.Columns), loaded.Check()}
	if file.Strategy == "" {
		problems = append(problems, errors.New(`field "strategy" is missing`))
	}
	s := &imputeState{strategy: file.Strategy, value: file.Value, level: file.Level}
	for i, c := range file.Columns {
		f := fill{level: c.Level}
		switch {
		case c.Kind == numeric && (c.Number == nil || c.Level != nil):
			problems = append(problems, fmt.Errorf(`columns[%d] (%q): want a "number" and no "level" for a numeric column`, i, c.Name))
		case c.Kind == categorical && c.Number != nil:
			problems = append(problems, fmt.Errorf(`columns[%d] (%q): a categorical column has no "number"`, i, c.Name))
		case c.Number != nil:
			f.number = *c.Number
		}
		s.columns, s.fills = append(s.columns, c.column), append(s.fills, f)
	}
	if err := damaged(imputeStep, problems...); err != nil {
		return err
	}
	loaded.state = s
	*m = loaded
	return nil
}
