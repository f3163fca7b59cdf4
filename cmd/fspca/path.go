package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/chart"
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/letters"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/report"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
)

// pathCommand fits a model for each of several k.
type pathCommand struct {
	flags  fitFlags
	points selector.Points
	asJSON bool
	plot   output
}

func newPath() *cobra.Command {
	return command(&pathCommand{plot: output{flag: "--plot", holds: chartContent}}, &cobra.Command{
		Use:   "path DATA",
		Short: "Choose columns for one k after another",
		Long: `Choose columns for one k after another, to see what each additional column explains.

Each k also starts from the choices of its neighbours. So more columns never explain
less, except where a limit on correlations forbids to add one. For each k it prints the
variance, the share of what PCA on all columns explains, and the gap to the bound. It
also prints the columns that were added and removed.

The k are those of -k, or every k from m to --max-features. With --target they are those
tried to find the smallest k that keeps the share.`,
		Example: `  fspca path genes.csv.gz --label tissue -m 5 -k 5,10,20,50
  fspca path genes.csv.gz --label tissue -m 5 --target 0.9
  fspca path --covariance cov.npy -m 10 --max-features 100 --json
  fspca path genes.csv.gz --label tissue -m 5 --max-features 60 --plot path.svg`,
		Args: exactly("DATA"),
	})
}

func (c *pathCommand) register(cmd *cobra.Command) {
	c.flags.register(cmd, true)
	f := cmd.Flags()
	f.IntSliceVarP(&c.points.Features, "features", "k", nil, "`NUMBERS` of columns, such as 5,10,20,50")
	f.Float64Var(&c.flags.Options.FeaturesTarget, "target", 0, "`SHARE` of the variance of PCA on all columns at which the path ends")
	f.IntVar(&c.points.Max, "max-features", 0, "largest `K`; without --target the path has every k up to it")
	f.BoolVar(&c.asJSON, "json", false, "print as JSON: an array with an object for each k")
	f.Var((*cli.File)(&c.plot.path), "plot", "`FILE` to draw the path into, as SVG")
	registerForce(cmd, &c.plot, &c.flags.page.output)
}

func (c *pathCommand) run(cmd *cobra.Command, args []string) error {
	c.points.Target = c.flags.Options.FeaturesTarget
	if err := errors.Join(checkPoints(cmd, c.points), c.flags.check(cmd)); err != nil {
		return err
	}
	if err := errors.Join(c.flags.page.checkPage(), checkOutputs(cmd, args, &c.plot, &c.flags.page.output)); err != nil {
		return err
	}
	models, rows, err := c.flags.path(cmd, args[0], c.points)
	if err != nil {
		return err
	}
	return errors.Join(writePath(cmd, models, c.asJSON, &c.plot), c.flags.page.writePage(cmd, args, func() report.Input { return pathReport(cmd.Context(), models, rows, args[0]) }), interruption(cmd, models[len(models)-1]))
}

// checkPoints returns an error unless the flags say one thing of k.
func checkPoints(cmd *cobra.Command, p selector.Points) error {
	changed := func(name string) bool { return cmd.Flags().Changed(name) }
	switch {
	case !changed("features") && !changed("target") && !changed("max-features"):
		return errors.New("the k are missing: give -k 5,10,20, --target 0.9 or --max-features 50")
	case changed("features") && (changed("target") || changed("max-features")):
		return errors.New("-k lists the k: leave out --target and --max-features")
	case changed("max-features") && p.Max < 1:
		return fmt.Errorf("--max-features is %d: want at least 1", p.Max)
	}
	return nil
}

// path reads the data and fits a model for each k.
func (f *fitFlags) path(cmd *cobra.Command, path string, points selector.Points) ([]*selector.Model, *source, error) {
	s := selector.New(f.Options)
	largest, sizes := points.Max, math.MaxInt // every k, or those of a search
	if len(points.Features) > 0 {
		largest, sizes = slices.Max(points.Features), len(points.Features)
	}
	f.sizes = points.Features
	d, done, err := f.open(cmd, path, s, largest, sizes)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	models, err := d.path(cmd.Context(), s, points)
	if err != nil {
		return models, d, at(path, err)
	}
	var mistakes []dataset.Warning
	for _, m := range models {
		for _, w := range m.Mistakes() {
			if !slices.ContainsFunc(mistakes, func(said dataset.Warning) bool { return said.Code == w.Code }) {
				mistakes = append(mistakes, w)
			}
		}
	}
	return models, d, f.data.say(cmd, path, mistakes)
}

// interruption is an error where Ctrl-C cut the work off: what was found has
// been written, but the exit code is not 0.
func interruption(cmd *cobra.Command, m *selector.Model) error {
	if m.Status() != solver.Cancelled && !errors.Is(cmd.Context().Err(), context.Canceled) {
		return nil
	}
	return cli.Failed(errors.New("interrupted: this is the best choice so far"))
}

// pathPoint is an element of what path --json prints.
type pathPoint struct {
	K                           int                `json:"k"`
	Components                  int                `json:"components"`
	Objective                   float64            `json:"objective"`
	ExplainedVarianceRatio      float64            `json:"explained_variance_ratio"`
	NormalizedExplainedVariance float64            `json:"normalized_explained_variance"`
	UpperBound                  float64            `json:"upper_bound"`
	Gap                         float64            `json:"gap"`
	Proved                      bool               `json:"proved"`
	BoundSource                 solver.BoundSource `json:"bound_source"`
	Status                      solver.Status      `json:"status"`
	Criterion                   string             `json:"criterion"`
	R2Components                *float64           `json:"r2_components,omitempty"` // of all columns by the components
	Features                    []string           `json:"features"`
	Support                     []int              `json:"support"`
	Contributions               []float64          `json:"contributions"` // the share of the explained variance that each feature carries
	Added                       []string           `json:"added"`         // not chosen at the k before
	Removed                     []string           `json:"removed"`       // chosen there and no longer
}

// MarshalJSON leaves out what is not claimed.
func (p pathPoint) MarshalJSON() ([]byte, error) {
	if p.unclaimed() {
		return json.Marshal(struct {
			plainPoint
			UpperBound *float64 `json:"upper_bound,omitempty"` // hide those of the embedded one
			Gap        *float64 `json:"gap,omitempty"`
			Proved     *bool    `json:"proved,omitempty"`
			Source     *string  `json:"bound_source,omitempty"`
		}{plainPoint: plainPoint(p)})
	}
	return json.Marshal(plainPoint(p))
}

type plainPoint pathPoint // without methods

// unclaimed reports whether no bound was asked for.
func (p pathPoint) unclaimed() bool { return p.UpperBound == 0 && !p.Proved }

func pathPoints(models []*selector.Model) []pathPoint {
	points := make([]pathPoint, len(models))
	var before []string
	for i, m := range models {
		b, features := m.Bound(), m.Features()
		points[i] = pathPoint{
			K: len(features), Components: m.Options().Components, Objective: m.Objective(),
			ExplainedVarianceRatio: m.ExplainedVarianceRatio(), NormalizedExplainedVariance: m.NormalizedExplainedVariance(),
			UpperBound: b.Upper, Gap: b.Gap, Proved: b.Proved, BoundSource: b.Source, Status: m.Status(),
			Criterion: m.Criterion(), Features: features, Support: m.Support(), Contributions: contributions(m), Added: lists.Without(features, before), Removed: lists.Without(before, features),
		}
		if f := m.Reconstruction(); f != nil {
			points[i].R2Components = f.R2Components
		}
		before = features
	}
	return points
}

// writePath prints the path and draws it if asked.
func writePath(cmd *cobra.Command, models []*selector.Model, asJSON bool, plot *output) error {
	points := pathPoints(models)
	err := plot.write(cmd, func(w io.Writer) error { return drawPath(w, models, points) })
	switch {
	case plot.path == "-": // which the picture has taken
		return err
	case asJSON:
		return errors.Join(err, printJSON(cmd.OutOrStdout(), points))
	}
	return errors.Join(err, cli.Failed(describePath(cmd.OutOrStdout(), models, points)))
}

// describePath writes a table with a line for each k.
func describePath(w io.Writer, models []*selector.Model, points []pathPoint) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s; PCA on all of them explains %.4g\n\n",
		words.Count(points[0].Components, "component"), words.Count(models[0].Columns(), "column"), models[0].LeadingVariance())
	short := shortNames(points, roomOf(w))
	t := letters.Table{Right: true}
	t.Add("k\tvariance\tof PCA's\tbest at most\t\tcame")
	for i, p := range points {
		gap := "proved"
		if p.unclaimed() {
			gap = "–"
		} else if !p.Proved {
			gap = models[i].Bound().More()
		}
		changes := changeText("+ ", short(p.Added), changeRoom)
		if went := changeText("− ", short(p.Removed), changeRoom/2); went != "" {
			changes = strings.TrimLeft(changeText("+ ", short(p.Added), changeRoom/2)+"  "+went, " ")
		}
		t.Add("%d\t%.4g\t%.2f%%\t%s\t\t%s", p.K, p.Objective, 100*p.NormalizedExplainedVariance, gap, changes)
	}
	_, _ = t.WriteTo(&b) // a strings.Builder takes everything
	if last := points[len(points)-1]; last.Status == solver.Deadline || last.Status == solver.Cancelled {
		fmt.Fprintf(&b, "\nthe path ends at k = %d: %s\n", last.K, last.Status)
	}
	if len(points) > 1 {
		drawChart(&b, points, bounds(models, points))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// changeRoom is the room for the columns that came and went, so that a line of the
// table has less than 80.
const changeRoom = 40

// shortNames returns what cuts the names of a path for a terminal, so that each has room in a change.
func shortNames(points []pathPoint, room int) func([]string) []string {
	if room == 0 {
		return func(names []string) []string { return names }
	}
	var all []string
	for _, p := range points {
		all = append(append(all, p.Added...), p.Removed...)
	}
	cut := map[string]string{}
	for i, name := range letters.Ruler(letters.Cells).FitAll(all, changeRoom/2-4) {
		cut[all[i]] = name
	}
	return func(names []string) []string { return lists.Map(names, func(name string) string { return cut[name] }) }
}

// changeText lists as many names behind a sign as there is room for, at least one; "" for none.
func changeText(sign string, names []string, room int) string {
	if len(names) == 0 {
		return ""
	}
	for shown := len(names); shown > 1; shown-- {
		text := sign + abbreviated(names, shown)
		if letters.Width(text) <= room {
			return text
		}
	}
	return sign + abbreviated(names, 1)
}

// bounds are the most that any k columns keep of what PCA explains.
func bounds(models []*selector.Model, points []pathPoint) []float64 {
	return lists.Make(len(points), func(i int) float64 {
		if points[i].unclaimed() {
			return 1
		}
		return min(1, points[i].UpperBound/models[i].LeadingVariance())
	})
}

// drawPath draws the share of dense PCA's variance, and its bound, over k.
func drawPath(w io.Writer, models []*selector.Model, points []pathPoint) error {
	picture, most := chart.Path{Components: points[0].Components, Columns: models[0].Columns()}, bounds(models, points)
	for i, p := range points {
		picture.Points = append(picture.Points, chart.PathPoint{
			K: p.K, Share: p.NormalizedExplainedVariance, Bound: most[i],
			Features: p.Features, Names: shares(p),
		})
	}
	return picture.Write(w)
}

// shares maps the chosen columns to their contributions.
func shares(p pathPoint) map[string]float64 {
	out := map[string]float64{}
	for i, share := range p.Contributions {
		out[p.Features[i]] = share
	}
	return out
}
