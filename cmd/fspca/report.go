package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/report"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/pipeline/experiment"
	"github.com/fspca/fspca/selector"
)

// pageFlags are the flags of a command that can write a report as HTML.
type pageFlags struct {
	output
	shape string
	image []int // the rows and columns of shape; nil without it
}

func (p *pageFlags) register(cmd *cobra.Command) {
	p.flag, p.holds = "--report", pageContent
	cmd.Flags().Var((*cli.File)(&p.path), "report", "`FILE` for a report: one HTML page that needs no network")
	cmd.Flags().StringVar(&p.shape, "shape", "", "`ROWSxCOLUMNS` of the image whose pixels the columns are, such as 8x8: the report draws the chosen pixels")
}

// readShape reads --shape, if it is given.
func (p *pageFlags) readShape() error {
	if p.shape == "" {
		return nil
	}
	for _, part := range strings.Split(strings.ToLower(p.shape), "x") {
		n, _ := strconv.Atoi(strings.TrimSpace(part))
		p.image = append(p.image, n)
	}
	if len(p.image) != 2 || slices.Min(p.image) < 1 {
		return fmt.Errorf("--shape is %q: want the rows and columns of an image, such as 8x8", p.shape)
	}
	return nil
}

// writePage writes the report, if it is asked for.
func (p *pageFlags) writePage(cmd *cobra.Command, args []string, input func() report.Input) error {
	if p.path == "" {
		return nil
	}
	in := input()
	in.Shape, in.Command = p.image, commandLine(cmd, args)
	return p.write(cmd, func(w io.Writer) error { return report.Write(w, in) })
}

// placeFlags say where results go, and what is done to the files there: they are no
// part of what makes a report again.
var placeFlags = map[string]bool{"report": true, "out": true, "plot": true, "force": true, "json": true, "verbose": true, "quiet": true}

// commandLine is the command as it was given, but for the places of its results.
func commandLine(cmd *cobra.Command, args []string) string {
	words := append(strings.Fields(cmd.CommandPath()), args...)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if placeFlags[f.Name] {
			return
		}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			for _, v := range list.GetSlice() {
				words = append(words, "--"+f.Name+"="+v)
			}
			return
		}
		if f.Value.Type() == "bool" && f.Value.String() == "true" {
			words = append(words, "--"+f.Name)
			return
		}
		words = append(words, "--"+f.Name+"="+f.Value.String())
	})
	for i, word := range words {
		words[i] = cli.Quoted(word)
	}
	return strings.Join(words, " ")
}

// checkPage returns what is wrong with the flags, before any work.
func (p *pageFlags) checkPage() error {
	if p.shape != "" && p.path == "" {
		return errors.New("--shape is for --report: name the page that is to be written")
	}
	return p.readShape()
}

// checkShape returns an error unless so many columns are the pixels of the image.
func (p *pageFlags) checkShape(columns int) error {
	if err := report.CheckShape(p.image, columns); err != nil {
		return fmt.Errorf("--shape: %w", err)
	}
	return nil
}

// reportOf is what a report shows of a fit.
func reportOf(ctx context.Context, m *selector.Model, d *source, path string) report.Input {
	s := m.Summary()
	s.Scree = report.ScreeOf(ctx, m, d.frame)
	return report.Input{
		Title:     fmt.Sprintf("%d of %s, %s", len(s.Features), words.Count(s.Columns, "column"), words.Count(s.Components, "component")),
		Selection: s, Scores: d.scores(m), Table: d.frame, Facts: d.facts(path, s),
	}
}

// facts say where a report comes from.
func (d *source) facts(path string, s selector.Summary) [][2]string {
	out := [][2]string{{"data", shown(path)}}
	if d.frame != nil {
		out = append(out, [2]string{"hash of the data", dataset.Hash(d.frame)})
	}
	return append(out, [2]string{"seed", strconv.FormatUint(s.Options.Seed, 10)}, [2]string{"program", versionText()})
}

// pathReport is what a report shows of a path: every k, and the last in full.
func pathReport(ctx context.Context, models []*selector.Model, d *source, path string) report.Input {
	last := models[len(models)-1]
	in := reportOf(ctx, last, d, path)
	in.Title = fmt.Sprintf("%d to %d of %s, %s", len(models[0].Features()), len(last.Features()), words.Count(last.Columns(), "column"), words.Count(last.Options().Components, "component"))
	in.Path = pathPoints(models)
	return in
}

// givenFacts are those of a model on other rows.
func givenFacts(args []string, rows int) [][2]string {
	return [][2]string{{"model", shown(args[0])}, {"measured on", shown(args[1]) + ", " + words.Count(rows, "row")}, {"program", versionText()}}
}

// measuredReport is what a report shows of a pipeline on other rows.
func measuredReport(m *model, e *pipelineEvaluation, args []string) report.Input {
	found := map[string]any{}
	if e.Figures != nil {
		found["metrics"], found["split"] = e.Figures, experiment.Parts{Kind: "given", Test: []int{e.Rows}}
	}
	in := report.Input{Title: "A pipeline on other rows", Numbers: e.numbers, Facts: givenFacts(args, e.Rows)}
	if e.selection != nil {
		in.Evaluation = e.selection
	}
	if m.selection != nil {
		in.Selection = m.selection.Summary()
		found["selection"] = in.Selection
	}
	in.Run = found
	return in
}

// scores are rows of the data on the components; nil for a covariance and sparse rows.
func (d *source) scores(m *selector.Model) *report.Scores {
	if d.frame == nil || d.frame.Rows() == 0 {
		return nil
	}
	z, err := m.Transform(d.frame.Subset(report.Sample(d.frame.Rows())), selector.Projection)
	if err != nil {
		return nil // the model was fitted to these rows
	}
	return report.NewScores(z.Numeric(), z.Class(), d.frame.Rows())
}
