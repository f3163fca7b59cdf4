package reproduce

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fspca/fspca/internal/files"
)

// report collects sections and writes them.
type report struct {
	options Options
	stages  []stage
}

// stage is a finished experiment.
type stage struct {
	section *Section
	timed   bool
	took    time.Duration
}

func (r *report) add(s *Section, timed bool, took time.Duration) {
	r.stages = append(r.stages, stage{s, timed, took})
}

// sections returns the timed or the other sections.
func (r *report) sections(timed bool) []*Section {
	var out []*Section
	for _, s := range r.stages {
		if s.timed == timed {
			out = append(out, s.section)
		}
	}
	return out
}

// write writes all files. What depends on a clock is in those whose name
// begins with "time".
func (r *report) write() (*Result, error) {
	if err := os.MkdirAll(r.options.OutDir, 0o777); err != nil {
		return nil, err
	}
	result := &Result{}
	for _, s := range r.stages {
		result.Checks = append(result.Checks, s.section.Checks...)
		for _, n := range s.section.Notes {
			if !slices.Contains(result.Notes, n) {
				result.Notes = append(result.Notes, n)
			}
		}
	}
	files, err := r.files()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		path := filepath.Join(r.options.OutDir, f.name)
		if err := writeFile(path, f.content); err != nil {
			return result, err
		}
		result.Files = append(result.Files, path)
	}
	return result, nil
}

// file is one file to write.
type file struct {
	name    string
	content []byte
}

// files returns all that is written, in order.
func (r *report) files() ([]file, error) {
	steady := document{Title: "The experiments of Feature Sparse PCA, made again", Options: r.options, Sections: r.sections(false)}
	timings := document{Title: "Computation time", Options: r.options, Sections: append(r.sections(true), r.stageTimes())}
	var out []file
	if len(steady.Sections) > 0 {
		page, err := steady.html()
		if err != nil {
			return nil, err
		}
		out = append(out, file{"index.html", page}, file{"results.md", steady.markdown()})
	}
	page, err := timings.html()
	if err != nil {
		return nil, err
	}
	out = append(out, file{"timings.html", page}, file{"timings.md", timings.markdown()})
	for _, s := range append(steady.Sections, timings.Sections...) {
		for _, d := range s.Data {
			out = append(out, file{d.Name + ".csv", d.csv()})
		}
	}
	return out, nil
}

// writeFile replaces a file as a whole.
func writeFile(path string, content []byte) error {
	return files.Write(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// stageTimes is the section on how long each experiment took.
func (r *report) stageTimes() *Section {
	t := Table{Caption: "Wall-clock time of each experiment", Header: []string{"experiment", "seconds"}}
	d := Data{Name: "time_experiments", Columns: []string{"experiment", "seconds"}}
	var total time.Duration
	for _, s := range r.stages {
		total += s.took
		t.Rows = append(t.Rows, []Cell{{Text: s.section.Title, Mark: Heading}, text(fixed(s.took.Seconds(), 1))})
		d.Rows = append(d.Rows, []string{s.section.ID, exactly(s.took.Seconds())})
	}
	t.Rows = append(t.Rows, []Cell{{Text: "all", Mark: Heading}, text(fixed(total.Seconds(), 1))})
	return &Section{ID: "experiments", Title: "Time of this run", Tables: []Table{t}, Data: []Data{d}}
}

// csv returns the table as a CSV file.
func (d Data) csv() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(append([][]string{d.Columns}, d.Rows...)); err != nil {
		panic(fmt.Errorf("writing to memory: %w", err))
	}
	return b.Bytes()
}

// document is what one page holds.
type document struct {
	Title    string
	Options  Options
	Sections []*Section
}

// Checks returns the claims of all sections.
func (d document) Checks() []Check {
	var out []Check
	for _, s := range d.Sections {
		out = append(out, s.Checks...)
	}
	return out
}
