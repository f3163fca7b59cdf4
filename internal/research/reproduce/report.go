package reproduce

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/lists"
)

// report collects sections and writes them.
type report struct {
	options Options
	to      *files.Results
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
	stages := lists.Where(r.stages, func(s stage) bool { return s.timed == timed })
	return lists.Map(stages, func(s stage) *Section { return s.section })
}

// The names of the files that every run writes. Only our folders hold the last.
var pages = []string{"index.html", "results.md", "timings.html", "timings.md", markName}

const markName = "time_experiments.csv"

// open checks and locks the folder. Files that no run of these experiments writes stay as they are.
func (o *Options) open() (*files.Results, error) {
	names := slices.Clone(pages)
	for _, e := range o.wanted() {
		for _, name := range e.data {
			names = append(names, name+".csv")
		}
	}
	exists := func(name string) bool {
		_, err := os.Lstat(filepath.Join(o.OutDir, name))
		return err == nil
	}
	if i := slices.IndexFunc(names, exists); i >= 0 && !exists(markName) {
		return nil, fmt.Errorf("the folder %s holds %q and no %s of an earlier reproduction: choose another folder, or empty it", o.OutDir, names[i], markName)
	}
	return files.OpenResults(o.OutDir, names...)
}

// write writes all files, in one step. What depends on a clock is in those whose name
// begins with "time".
func (r *report) write() (*Result, error) {
	result := &Result{}
	for _, s := range r.stages {
		result.Checks = append(result.Checks, s.section.Checks...)
		for _, n := range s.section.Notes {
			if !slices.Contains(result.Notes, n) {
				result.Notes = append(result.Notes, n)
			}
		}
	}
	written, err := r.files()
	if err != nil {
		return nil, err
	}
	for _, f := range written {
		if err := writeFile(r.to.Path(f.name), f.content); err != nil {
			return nil, err
		}
		result.Files = append(result.Files, filepath.Join(r.options.OutDir, f.name))
	}
	if err := r.to.Commit(); err != nil {
		return nil, err
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
	d := Data{Name: strings.TrimSuffix(markName, ".csv"), Columns: []string{"experiment", "seconds"}}
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
	return slices.Concat(lists.Map(d.Sections, func(s *Section) []Check { return s.Checks })...)
}
