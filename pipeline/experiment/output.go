package experiment

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/config"
	"github.com/fspca/fspca/selector"
)

// The names in an output folder.
const (
	modelName       = "model"
	manifestName    = "manifest.json" // in it
	predictionsName = "predictions.csv"
	projectionName  = "projection.csv"
	reportName      = "report.json"
	pageName        = "report.html"
)

// OutputError is a failure to write the results. Config and data are not its
// cause.
type OutputError struct {
	Dir string
	Err error

	// Saved is a temporary folder with the results; "" if they could not be
	// written there either, or there were none yet.
	Saved string
}

// Error names the folder, and where the results are.
func (e *OutputError) Error() string {
	text := fmt.Sprintf("output folder %s: %v", e.Dir, e.Err)
	if e.Saved != "" {
		text += fmt.Sprintf("; the results are in %s", e.Saved)
	}
	return text
}

// Unwrap gives the cause.
func (e *OutputError) Unwrap() error { return e.Err }

// checkOutput says, before any work, whether a run may write to dir: nothing is
// there, an empty folder, or what a run left: a report, or at least a model. Other
// files in a folder that holds a report stay as they are.
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
		left := slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == files.StoreName || e.Name() == modelName })
		for _, e := range entries { // names of results alone are the user's, unless a run left something else too
			if !left || e.Name() != files.StoreName && !slices.Contains(resultNames, e.Name()) || e.Name() == reportName && readable(dir, reportName) {
				return fmt.Errorf("the output folder %s holds %q and no report of an earlier run: choose another folder with --out or output.dir, or empty it", dir, e.Name())
			}
		}
	}
	return pipeline.CheckDir(filepath.Join(dir, modelName))
}

// checkInputs returns an error if a run into dir would replace, or might come to replace, a file that
// it reads. The config may lie there, but not under the name of a result.
func checkInputs(dir string, c *config.Config) error {
	if dir == "" {
		return nil
	}
	for _, input := range append(c.Inputs(), c.File) {
		if input != c.File && files.Within(input, dir) {
			return fmt.Errorf("the output folder %s holds %s, which the run reads: choose another folder with --out or output.dir", dir, input)
		}
		for _, name := range resultNames {
			if result := filepath.Join(dir, name); files.Same(input, result) || files.Within(input, result) {
				return fmt.Errorf("the run would write %s over %s, which it reads: choose another folder with --out or output.dir", result, input)
			}
		}
	}
	return nil
}

// readable says whether a file in dir can be read: what a killed run left of a result may not.
func readable(dir, name string) bool {
	f, err := os.Open(filepath.Join(dir, name))
	if err == nil {
		f.Close()
	}
	return err == nil
}

// isReport says whether a file is a report, of whatever version.
func isReport(path string) bool {
	b, err := os.ReadFile(path)
	var header struct {
		Type string `json:"type"`
	}
	return err == nil && json.Unmarshal(b, &header) == nil && header.Type == reportType
}

// resultNames are what a run replaces together; a folder with the first is complete.
var resultNames = []string{reportName, modelName, predictionsName, projectionName, pageName}

// output is the folder that a run writes to, held against other runs from before
// the work until the end.
type output struct {
	dir string
	to  *files.Results // nil: nothing is written
}

// openOutput checks and locks the folder; "" is none.
func openOutput(dir string) (*output, error) {
	if dir == "" {
		return &output{}, nil
	}
	if err := checkOutput(dir); err != nil {
		return nil, err
	}
	to, err := files.OpenResults(dir, resultNames...)
	if err != nil {
		return nil, &OutputError{Dir: dir, Err: err}
	}
	return &output{dir, to}, nil
}

func (o *output) close() {
	if o.to != nil {
		o.to.Close()
	}
}

// write replaces the results in the folder, all in one step. Where that fails,
// they are written to a temporary folder, which the error names.
func (o *output) write(r *run, report *Report) error {
	if o.to == nil {
		return nil
	}
	err := r.fill(o.to, report)
	if err == nil {
		report.Dir = o.dir
		return nil
	}
	if r.ctx.Err() != nil {
		return err
	}
	failure := &OutputError{Dir: o.dir, Err: err}
	if dir, err := os.MkdirTemp("", "fspca-results-"); err == nil {
		if to, err := files.OpenResults(dir, resultNames...); err == nil {
			defer to.Close()
			if r.fill(to, report) == nil {
				failure.Saved = dir
				return failure
			}
		}
		_ = os.RemoveAll(dir)
	}
	return failure
}

// fill writes all results of a run and puts them in place.
func (r *run) fill(to *files.Results, report *Report) error {
	if err := r.putModel(to, report); err != nil {
		return err
	}
	put := func(name string, write func(io.Writer) error) error {
		report.Files = append(report.Files, name)
		return files.Write(to.Path(name), func(w io.Writer) error { return write(bounded.Writer(r.ctx, w)) })
	}
	if err := r.putRows(put, report); err != nil {
		return err
	}
	if err := put(pageName, report.WriteHTML); err != nil {
		return err
	}
	if err := put(reportName, report.WriteJSON); err != nil {
		return err
	}
	if err := r.ctx.Err(); err != nil {
		return err
	}
	return to.Commit()
}

// putModel writes the model, and notes what it is known by.
func (r *run) putModel(to *files.Results, report *Report) error {
	model := to.Path(modelName)
	if err := r.final.SaveDir(model); err != nil {
		return err
	}
	manifest, err := os.ReadFile(filepath.Join(model, manifestName))
	if err != nil {
		return err
	}
	report.ManifestHash = fmt.Sprintf("sha256:%x", sha256.Sum256(manifest))
	report.Files = []string{modelName + string(filepath.Separator)}
	return nil
}

// putRows writes the predictions, or without a classifier the projection of all rows.
func (r *run) putRows(put func(string, func(io.Writer) error) error, report *Report) error {
	switch {
	case report.Metrics != nil:
		if err := put(predictionsName, r.writePredictions); err != nil {
			return err
		}
	case report.Selection != nil:
		projection, err := r.final.ProjectContext(r.ctx, r.data, selector.Projection)
		if err == nil {
			projection, err = projection.WithID(r.data.ID())
		}
		if err != nil {
			return err
		}
		if err := put(projectionName, func(w io.Writer) error { return dataset.WriteCSV(w, projection) }); err != nil {
			return err
		}
	}
	return nil
}
