package main

import (
	"encoding/json"
	"io"
	"slices"

	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/selector"
	"github.com/spf13/cobra"
)

func newInspect() *cobra.Command {
	var asJSON, columns bool
	cmd := &cobra.Command{
		Use:   "inspect MODEL",
		Short: "Show what a model chose and why",
		Long: `Show what a model holds: the chosen columns with their loadings, the variance
that they keep, and for a pipeline the columns that flow from step to step.

MODEL is the file that fit -o wrote or the model folder of a pipeline.`,
		Example: `  fspca inspect model.json
  fspca inspect model.json --columns
  fspca inspect out/digits/model --json`,
		Args: exactly("MODEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return inspect(cmd.OutOrStdout(), args[0], asJSON, columns)
		},
	}
	cmd.Flags().BoolVar(&columns, "columns", false, "show for every column why it was chosen or not")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// inspect shows the model at path.
func inspect(w io.Writer, path string, asJSON, columns bool) error {
	m, err := loadModel(path)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(w, m.inspection())
	}
	if m.pipeline != nil {
		err = describePipeline(w, m.pipeline)
	} else {
		err = describeModel(w, m.selection, m.selection.Summary())
	}
	if err == nil && columns && m.selection != nil {
		err = describeLedger(w, m.selection)
	}
	return cli.Failed(err)
}

// inspection is what inspect --json prints: the keys of fit --json, and for a
// pipeline those of its selection with the steps beside them.
type inspection struct {
	Summary *selector.Summary   `json:"-"`
	Inputs  []string            `json:"inputs,omitempty"`
	Steps   []pipeline.StepFlow `json:"steps,omitempty"`
	Label   string              `json:"label,omitempty"`
	Class   []string            `json:"classes,omitempty"`
}

// MarshalJSON writes the keys of the selection, which says itself what it leaves out,
// then the others.
func (r inspection) MarshalJSON() ([]byte, error) {
	type plain inspection // without methods
	rest, err := json.Marshal(plain(r))
	if err != nil || r.Summary == nil {
		return rest, err
	}
	text, err := json.Marshal(r.Summary)
	if err != nil || string(rest) == "{}" {
		return text, err
	}
	return slices.Concat(text[:len(text)-1], []byte{','}, rest[1:]), nil
}

func (m *model) inspection() inspection {
	var r inspection
	if m.selection != nil {
		s := m.selection.Summary()
		r.Summary = &s
	}
	if m.pipeline != nil {
		r.Inputs, r.Steps = m.pipeline.Inputs(), m.pipeline.Flow()
		r.Label, r.Class = m.pipeline.Classes()
	}
	return r
}
