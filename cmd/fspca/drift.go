package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/letters"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/selector"
)

// checkFlags are the flags of transform that ask how rows stand to those of the fit.
type checkFlags struct {
	wanted bool
	json   bool
	most   float64
}

func (c *checkFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&c.wanted, "check", false, "compare the rows with those of the fit: ranges, drift, residuals")
	flags.BoolVar(&c.json, "json", false, "with --check, print as JSON")
	flags.Float64Var(&c.most, "max-drift", 0, "with --check, exit with code 3 if a chosen column has drifted by more than `X` standard deviations of the fit")
}

// check returns what is wrong with the flags themselves.
func (c *checkFlags) check(cmd *cobra.Command, out *tableOutput) error {
	var errs []error
	for _, name := range []string{"json", "max-drift"} {
		if cmd.Flags().Changed(name) && !c.wanted {
			errs = append(errs, fmt.Errorf("--%s goes with --check", name))
		}
	}
	if cmd.Flags().Changed("max-drift") && !(c.most >= 0) {
		errs = append(errs, fmt.Errorf("--max-drift is %v: want a number of standard deviations, 0 or more", c.most))
	}
	if c.wanted && out.path == "-" {
		errs = append(errs, errors.New("-o -: --check prints to standard output: name a file"))
	}
	return errors.Join(errs...)
}

// drift is the error of rows that have drifted too far.
type drift struct {
	column    string
	by, above float64
}

func (d *drift) Error() string {
	by := fmt.Sprintf("by %.3g standard deviations", d.by)
	if d.by == math.MaxFloat64 {
		by = "from the one value that it had"
	}
	return fmt.Sprintf("the column %q has drifted %s: --max-drift is %v", d.column, by, d.above)
}

// run prints how the rows stand to those of the fit, and fails where they have drifted too far.
func (c *checkFlags) run(cmd *cobra.Command, m *model, rows *newRows, path string) error {
	f, err := m.transform(cmd.Context(), rows.Frame, selector.Selected)
	if err != nil {
		return at(path, err)
	}
	result, err := m.selection.Check(f)
	if err != nil {
		return at(path, err)
	}
	limited := cmd.Flags().Changed("max-drift")
	if limited && result.Drift == nil {
		return errors.New("--max-drift: the model was saved by an older version, or fitted on a covariance, and does not hold the training figures that drift is measured from: fit it again")
	}
	if c.json {
		err = printJSON(cmd.OutOrStdout(), result)
	} else {
		err = cli.Failed(describeCheck(cmd.OutOrStdout(), result, rows.Frame))
	}
	if err != nil || !limited {
		return err
	}
	worst := slices.MaxFunc(result.Columns, func(a, b selector.ColumnCheck) int { return cmp.Compare(*a.Drift, *b.Drift) })
	if *worst.Drift > c.most {
		return &drift{worst.Name, *worst.Drift, c.most}
	}
	return nil
}

// describeCheck writes what a person wants to know.
func describeCheck(w io.Writer, c *selector.Check, f *dataset.Frame) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n", words.Count(c.Rows, "row"), words.Count(len(c.Columns), "chosen column"))
	if c.Drift == nil {
		b.WriteString("the model does not keep the ranges and variances of the fit: it was saved by an older version, or fitted on a covariance\n")
	} else {
		fmt.Fprintf(&b, "largest drift       %s standard deviations\nout of range        %s\n", number(c.Drift), words.Count(*c.Outside, "row"))
	}
	if c.Residual != nil {
		fmt.Fprintf(&b, "residual in the fit %.3g\n", *c.Residual)
	}
	b.WriteString("\n")
	describeDrift(&b, c.Columns, roomOf(w))
	b.WriteString("\n")
	t := letters.Table{Right: true}
	t.Add("component\tshare then\tnow\t")
	for _, e := range c.Components {
		t.Add("%s\t%s\t%s\t", e.Name, number(e.Then), number(e.Now))
	}
	_, _ = t.WriteTo(&b) // a strings.Builder takes everything
	describeRows(&b, c, f)
	_, err := io.WriteString(w, b.String())
	return err
}

// describeDrift writes a line for each column, the one that drifted most first.
func describeDrift(b *strings.Builder, checks []selector.ColumnCheck, room int) {
	t := letters.Table{Right: true, Room: room}
	t.Add("column\tdrift\tmean then\tnow\tvariance then\tnow\trange then\tnow\toutside\t")
	columns := slices.Clone(checks)
	slices.SortStableFunc(columns, func(x, y selector.ColumnCheck) int {
		if x.Drift == nil || y.Drift == nil {
			return 0
		}
		return cmp.Compare(*y.Drift, *x.Drift)
	})
	for _, e := range columns {
		then, outside := "-", "-"
		if e.LowThen != nil {
			then = fmt.Sprintf("%.4g to %.4g", *e.LowThen, *e.HighThen)
		}
		if e.Outside != nil {
			outside = fmt.Sprint(*e.Outside)
		}
		t.Add("%s\t%s\t%s\t%.4g\t%s\t%s\t%s\t%.4g to %.4g\t%s\t", e.Name, number(e.Drift), number(e.MeanThen), e.MeanNow, number(e.VarianceThen), number(e.VarianceNow), then, e.LowNow, e.HighNow, outside)
	}
	_, _ = t.WriteTo(b)
}

// describeRows writes the rows with the largest residuals.
func describeRows(b *strings.Builder, c *selector.Check, f *dataset.Frame) {
	const most = 5
	rows := slices.Clone(c.Cells)
	slices.SortStableFunc(rows, func(x, y selector.RowCheck) int { return cmp.Compare(y.Residual, x.Residual) })
	_, ids := f.ID()
	b.WriteString("\nlargest residuals\n")
	for _, r := range rows[:min(most, len(rows))] {
		name := fmt.Sprintf("row %d", r.Row)
		if ids != nil {
			name += fmt.Sprintf(" (%s)", letters.Plain(ids[r.Row-1]))
		}
		outside := ""
		if len(r.Outside) > 0 {
			outside = "  out of range: " + abbreviated(r.Outside, 5)
		}
		fmt.Fprintf(b, "  %s  %.3g%s\n", name, r.Residual, outside)
	}
}

// number writes a figure that may be unknown.
func number(v *float64) string {
	switch {
	case v == nil:
		return "-"
	case *v == math.MaxFloat64:
		return "∞"
	}
	return fmt.Sprintf("%.4g", *v)
}
