package config

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/strict"
	"github.com/fspca/fspca/pipeline"
)

// Version is the version of the config format that this package reads.
const Version = 1

// Config is a pipeline as a YAML file describes it. The json tags are the keys.
// An absent key is a zero field; Resolve fills in its default.
type Config struct {
	Version int             `json:"version" rule:"required" doc:"Version of the config format; this program reads 1."`
	Name    string          `json:"name,omitempty" doc:"What the pipeline is called in reports."`
	Data    Data            `json:"data" rule:"required" doc:"Where the rows come from and how they are read."`
	Split   Split           `json:"split,omitzero" doc:"How the rows are divided to measure the pipeline: a hold-out (test, file) or cross-validation (folds, column)."`
	Steps   []pipeline.Step `json:"steps" rule:"required" doc:"The chain: preprocessing, at most one fspca, and at the end a classifier or none."`
	Search  Search          `json:"search,omitzero" doc:"Options to choose by cross-validation within the training rows."`
	Strict  bool            `json:"strict,omitempty" default:"false" doc:"Whether warnings (what surely is a mistake, though possible) are errors."`
	Output  Output          `json:"output,omitzero" doc:"Where the model, the predictions and the report go."`

	// Dir is the folder that data.source is relative to; Load sets it to
	// the config's own. Empty means the working directory.
	Dir string `json:"-"`

	// File is the config's own; Load sets it. Empty means that there is none.
	File string `json:"-"`

	// Set are the overrides that were put into the file; Load sets them.
	Set []string `json:"-"`
}

// Data is where the rows come from and how they are read.
type Data struct {
	Source      string   `json:"source" rule:"required" aka:"path|file|csv|input" doc:"builtin:digits, builtin:wine, builtin:iris, or a file relative to the config: a table (.csv, .tsv, .npy, .npz, .parquet, .xlsx) or sparse rows (.svm, .mtx), also compressed (.gz, .bz2, .zst, .zip)."`
	Format      string   `json:"format,omitempty" aka:"type|filetype" doc:"Format of the file where neither its first bytes nor its name tell: csv, tsv, npy, npz, svmlight, mtx, parquet or xlsx."`
	Label       string   `json:"label,omitempty" rule:"written" aka:"target|class|y" doc:"Column with the class of each row; never a feature. Built-in data has its own."`
	Task        string   `json:"task,omitempty" rule:"one=classification|regression" doc:"What is predicted: the class of each row, or a number (regression). Without it the last step decides, and a label of many numbers is refused."`
	Missing     []string `json:"missing,omitempty" rule:"written,unique" aka:"na|na_values|null" doc:"Texts that stand for a missing cell, beside the empty one."`
	Header      *bool    `json:"header,omitempty" default:"true" doc:"Whether the first line holds the column names; without it they are x1, x2 and so on."`
	Delimiter   string   `json:"delimiter,omitempty" rule:"char" default:"," aka:"sep|separator" doc:"The one character between cells; tab for a tabulator, whitespace for any run of spaces."`
	Decimal     string   `json:"decimal,omitempty" default:"." aka:"dec|decimal_separator" doc:"The decimal sign of numbers in text: a point or a comma."`
	Thousands   string   `json:"thousands,omitempty" aka:"thousands_separator|grouping" doc:"What groups the digits of numbers in text by three: a point, a comma, a space, an apostrophe or an underscore."`
	Numbers     []string `json:"numbers,omitempty" rule:"unique" doc:"Other notations of numbers in text: percent (12.5% is 0.125) and fortran (1.5D+03)."`
	SkipRows    int      `json:"skip_rows,omitempty" rule:"min=0" default:"0" aka:"skiprows|skip" doc:"Number of lines of a text before its header."`
	SkipFooter  int      `json:"skip_footer,omitempty" rule:"min=0" default:"0" aka:"skipfooter" doc:"Number of lines of a text after its last row; blank ones do not count."`
	SkipLines   []string `json:"skip_lines,omitempty" rule:"unique" aka:"skiplines" doc:"Lines of a text that are no rows: units (below the header) and headers (that repeat it)."`
	Comment     string   `json:"comment,omitempty" aka:"comments|comment_char" doc:"What lines of a text start with that are left out."`
	LineLimit   int      `json:"line_limit,omitempty" rule:"min=1,max=1048576" aka:"max_line" doc:"MiB that a line of a text may have; without it 64."`
	IndexBase   *int     `json:"index_base,omitempty" rule:"min=0,max=1" aka:"zero_based|base" doc:"What the first column of an svmlight file is called, 0 or 1; without it 0 if the file has an index 0, else 1."`
	ID          string   `json:"id,omitempty" rule:"written" aka:"index_col|row_names|sample" doc:"Column with the names of the rows, which is no feature and goes along to predictions; for .npy, .npz, .svm and .mtx a file with a name in each line."`
	Transpose   bool     `json:"transpose,omitempty" default:"false" doc:"Whether the columns of the file are the rows of the table."`
	Names       string   `json:"names,omitempty" rule:"written" aka:"feature_names|columns" doc:"Of a transposed text, the column with the names of the table's columns; for .npy, .npz, .svm and .mtx a file with a name in each line."`
	Sheet       string   `json:"sheet,omitempty" rule:"written" aka:"sheet_name|array" doc:"Sheet of a workbook or array of an .npz, where there are several."`
	Drop        []string `json:"drop,omitempty" rule:"written,unique" aka:"exclude|ignore" doc:"Columns that are left out; time_* is a pattern."`
	Categorical []string `json:"categorical,omitempty" rule:"written,unique" aka:"categories|factors" doc:"Columns that are read as categories even where their cells are numbers; time_* is a pattern."`

	_ struct{} `elsewhere:"weight|weights|sample_weight: rows have weights in the fspca step alone: fspca: {weight: COLUMN}; other steps count each row once"`
}

// Split is how the rows are divided to measure the pipeline: by one of Test, Folds,
// File and Column. Group and Time go with Test or Folds. Without these two there
// are 5 folds, or as many as groups or times allow.
type Split struct {
	Test     float64 `json:"test,omitempty" rule:"above=0,below=1" aka:"test_size|holdout" doc:"Share of the rows that is held out; the saved model is fitted on the others."`
	Folds    int     `json:"folds,omitempty" rule:"min=2" aka:"k|cv|n_splits" doc:"Number of parts, each held out once; the saved model is fitted on all rows."`
	File     string  `json:"file,omitempty" aka:"test_file|test_data" doc:"File with the rows to test on, read as data.source is; the saved model is fitted on all rows of data.source."`
	Column   string  `json:"column,omitempty" rule:"written" aka:"fold_column|predefined" doc:"Column that names the fold of each row, or whose two texts are train and test; never a feature."`
	Group    string  `json:"group,omitempty" rule:"written" aka:"groups|by|subject" doc:"Column whose equal values, such as those of a patient, are never on both sides; never a feature."`
	Time     string  `json:"time,omitempty" rule:"written" aka:"date|order|timeseries" doc:"Column of numbers or dates (ISO 8601): each test part comes after its training rows; never a feature."`
	Seed     uint64  `json:"seed,omitempty" default:"0" aka:"random_state" doc:"Seed of the division: the same seed divides the same way."`
	Repeats  int     `json:"repeats,omitempty" rule:"min=1,max=10000" default:"1" aka:"n_repeats|repeat" doc:"How many times the rows are divided, each time differently."`
	Shuffle  *bool   `json:"shuffle,omitempty" default:"true" doc:"Whether rows are divided at random; if not, the parts follow the order of the rows, the last ones are tested, and the classes are not looked at."`
	Stratify *bool   `json:"stratify,omitempty" default:"true" doc:"Whether each part holds the classes in their shares; without a label there is nothing to stratify by."`
}

// Output is where the results go.
type Output struct {
	Dir   string `json:"dir,omitempty" aka:"folder|path" doc:"Folder for the model, predictions and report, relative to the working directory; without one nothing is written."`
	Shape []int  `json:"shape,omitempty" rule:"min=1" doc:"Rows and columns of the image that the columns of the data are pixels of, such as [8, 8]: the report shows the chosen ones in it."`
}

// Problem is one mistake in a config.
type Problem = strict.Problem

// Error holds all mistakes of a config, in the order of the file; those of --set
// come last.
type Error = strict.Error

// maxBytes is the most that a config may have. What has more is mostly another file.
const maxBytes = 10e6

// Load reads a config file; see Parse. Relative data sources are looked for beside
// the file.
func Load(path string, set ...string) (*Config, error) {
	b, err := bounded.ReadFile(path, maxBytes, "a config")
	if err != nil {
		return nil, err
	}
	c, err := Parse(path, b, set...)
	if err != nil {
		return nil, err
	}
	c.Dir, c.File, c.Set = filepath.Dir(path), path, slices.Clone(set)
	return c, nil
}

// Parse applies the overrides set to the config b and reads it; see the package
// comment. Messages call it name. One *Error holds all mistakes.
func Parse(name string, b []byte, set ...string) (*Config, error) {
	if len(b) > maxBytes {
		return nil, &Error{Problems: []Problem{{File: name, Message: fmt.Sprintf("it has %d bytes, and a config at most %d", len(b), int(maxBytes))}}}
	}
	c := new(Config)
	if err := grammar(c).Read(name, b, set, c, c.inspect); err != nil {
		return nil, err
	}
	return c, nil
}

// Check applies the rules of Parse to a config made in Go; the *Error names the
// keys. Zero fields count as absent.
func (c *Config) Check() error { return grammar(c).Check(c, c.inspect) }

// Inputs returns the files that a run reads in addition to the config: the data, the test rows,
// files with names of columns or rows, and costs. Some may not exist.
func (c *Config) Inputs() []string {
	all := []string{c.DataPath(), c.TestPath()}
	for _, data := range all[:2] {
		all = append(all, dataset.FilesBeside(data)...)
	}
	if !takesText(c.Data) {
		all = append(all, c.path(c.Data.Names), c.path(c.Data.ID))
	}
	for _, s := range c.Steps {
		if o, ok := s.Options.(*pipeline.FSPCAStep); ok && o != nil {
			all = append(all, c.path(o.Cost.File))
		}
	}
	return slices.DeleteFunc(all, func(path string) bool { return path == "" })
}

// path returns a file that the config names: relative to its folder, ~ being the home folder. "" is
// none.
func (c *Config) path(name string) string {
	path := files.Home(filepath.FromSlash(name))
	if name == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.Dir, path)
}
