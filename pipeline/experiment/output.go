package experiment

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/selector"
)

// The names in an output folder.
const (
	modelName       = "model"
	predictionsName = "predictions.csv"
	projectionName  = "projection.csv"
	reportName      = "report.json"
)

// OutputError is a failure to write the results, which the config and the data
// are not to blame for.
type OutputError struct {
	Dir string
	Err error
}

// Error names the folder.
func (e *OutputError) Error() string { return fmt.Sprintf("output folder %s: %v", e.Dir, e.Err) }

// Unwrap gives the cause.
func (e *OutputError) Unwrap() error { return e.Err }

// checkOutput says, before any work, whether a run may write to dir: nothing is
// there, an empty folder, or what a run left. Other files in a folder that holds
// a report stay as they are.
func checkOutput(dir string) error {
	if dir == "" {
		return nil
	}
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("the output folder %s cannot be used: %w", dir, err)
	}
	if !isReport(filepath.Join(dir, reportName)) {
		for _, e := range entries {
			if !slices.Contains([]string{modelName, predictionsName, projectionName}, e.Name()) {
				return fmt.Errorf("the output folder %s holds %q and no report of an earlier run: choose another folder with --out or output.dir, or empty it", dir, e.Name())
			}
		}
	}
	return pipeline.CheckDir(filepath.Join(dir, modelName))
}

// isReport says whether a file is a report, of whatever version.
func isReport(path string) bool {
	b, err := os.ReadFile(path)
	var header struct {
		Type string `json:"type"`
	}
	return err == nil && json.Unmarshal(b, &header) == nil && header.Type == reportType
}

// write fills the output folder, report.json last: a folder that has one is
// complete.
func (r *run) write(dir string, report *Report) error {
	_, statErr := os.Stat(dir)
	if err := r.writeFiles(dir, report); err != nil {
		if errors.Is(statErr, os.ErrNotExist) {
			_ = os.Remove(dir) // what was made for nothing, if it is empty
		}
		return &OutputError{dir, err}
	}
	report.Dir = dir
	return nil
}

func (r *run) writeFiles(dir string, report *Report) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, stale := range []string{reportName, predictionsName, projectionName} {
		if err := os.Remove(filepath.Join(dir, stale)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if err := r.final.SaveDir(filepath.Join(dir, modelName)); err != nil {
		return err
	}
	report.Files = []string{modelName + string(filepath.Separator)}
	put := func(name string, write func(io.Writer) error) error {
		report.Files = append(report.Files, name)
		return files.Write(filepath.Join(dir, name), write)
	}
	switch {
	case report.Metrics != nil:
		if err := put(predictionsName, r.writePredictions); err != nil {
			return err
		}
	case report.Selection != nil:
		projection, err := r.final.Project(r.data, selector.Projection)
		if err != nil {
			return err
		}
		if err := put(projectionName, func(w io.Writer) error { return dataset.WriteCSV(w, projection) }); err != nil {
			return err
		}
	}
	return put(reportName, report.WriteJSON)
}

// writePredictions writes one line for each row held out, in the order of the
// rows: its number from 1, the part it was held out in, its class, the class
// predicted without it, and the probability of each class.
func (r *run) writePredictions(w io.Writer) error {
	class := r.data.Class()
	levels := r.predictable()
	part := "split"
	if r.config.Split.Folds > 0 {
		part = "fold"
	}
	header := []string{"row", part, "true", "predicted"}
	for _, level := range levels {
		header = append(header, "p_"+level)
	}
	lines := make([][]string, r.data.Rows())
	for i, t := range r.chosen {
		name := "test"
		if r.config.Split.Folds > 0 {
			name = strconv.Itoa(i + 1)
		}
		for j, row := range r.splits[i].Test {
			line := []string{strconv.Itoa(row + 1), name, class.Text(row), t.prediction.Predicted.Text(j)}
			lines[row] = append(line, probabilitiesOf(t.prediction, j, levels)...)
		}
	}
	out := csv.NewWriter(w)
	if err := out.Write(header); err != nil {
		return err
	}
	for _, line := range lines {
		if line == nil { // a training row
			continue
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// predictable are the classes that the classifiers give probabilities for, in the
// order of the data's levels; nil where they give none.
func (r *run) predictable() []string {
	var levels []string
	for _, level := range r.data.Class().Levels {
		for _, t := range r.chosen {
			if t.prediction.Probabilities != nil && slices.Contains(t.prediction.Predicted.Levels, level) {
				levels = append(levels, level)
				break
			}
		}
	}
	return levels
}

// probabilitiesOf are those of row i for the levels; 0 for one that the training
// rows did not have.
func probabilitiesOf(p *pipeline.Prediction, i int, levels []string) []string {
	out := make([]string, len(levels))
	for j, level := range levels {
		v := 0.0
		if at := slices.Index(p.Predicted.Levels, level); at >= 0 && p.Probabilities != nil {
			v = p.Probabilities.At(i, at)
		}
		out[j] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return out
}
