package config

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/pattern"
)

// ReadData reads the rows that the config names. Errors are the reader's, with
// file, line and column.
func (c *Config) ReadData() (*dataset.Frame, error) {
	return c.ReadDataContext(context.Background())
}

// ReadDataContext is ReadData with a context; if ctx ends, the error is the context's.
func (c *Config) ReadDataContext(ctx context.Context) (*dataset.Frame, error) {
	if name, ok := builtin(c.Data.Source); ok {
		return c.readBuiltin(name)
	}
	file, err := dataset.OpenContext(ctx, c.DataPath(), c.Data.Format)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if c.Data.Header != nil { // also where it says what is so without it
		if err := file.Takes("header"); err != nil {
			return nil, err
		}
	}
	opt := c.Data.readOptions()
	if file.NamedByFiles() {
		opt.Names, opt.ID = c.path(opt.Names), c.path(opt.ID)
	}
	if c.Data.Task == regression { // the label is read as the numbers of any column are
		opt.Label, opt.Numeric = "", []string{opt.Label}
	}
	f, err := file.Read(opt)
	var parse *dataset.ParseError
	if errors.As(err, &parse) && c.Data.Task == regression && parse.Column == c.Data.Label {
		err = fmt.Errorf("%w (data.task: regression predicts numbers)", err)
	}
	if err != nil {
		return nil, c.atColumns(err)
	}
	return c.withTask(f)
}

// readBuiltin returns data that are built in.
func (c *Config) readBuiltin(name string) (*dataset.Frame, error) {
	f, err := dataset.Builtin(name)
	if err != nil {
		return nil, err
	}
	if label := c.Data.Label; label != "" && label != f.ClassName() {
		return nil, c.At("data.label", fmt.Errorf("data.label is %q, but the class of %s is %q: leave data.label out", label, c.Data.Source, f.ClassName()))
	}
	if f, err = dropColumns(f, c.Data.Drop); err != nil {
		return nil, c.At("data.drop", err)
	}
	return c.withTask(f)
}

// DataPath returns the file that ReadData reads: data.source, relative to the
// config's folder. It is "" for embedded data.
func (c *Config) DataPath() string {
	if _, ok := builtin(c.Data.Source); ok {
		return ""
	}
	return c.path(c.Data.Source)
}

func (d Data) readOptions() dataset.ReadOptions {
	opt := dataset.ReadOptions{Label: d.Label, Missing: d.Missing, Drop: d.Drop, Categorical: d.Categorical,
		Decimal: d.Decimal, Thousands: d.Thousands, Numbers: d.Numbers, SkipRows: d.SkipRows, SkipFooter: d.SkipFooter, SkipLines: d.SkipLines, Comment: d.Comment,
		ID: d.ID, Transpose: d.Transpose, Names: d.Names, Sheet: d.Sheet, LineLimit: int64(d.LineLimit) << 20}
	if d.IndexBase != nil {
		opt.Base = dataset.OneBased
		if *d.IndexBase == 0 {
			opt.Base = dataset.ZeroBased
		}
	}
	opt.NoHeader = d.Header != nil && !*d.Header
	switch d.Delimiter {
	case "":
	case "tab":
		opt.Delimiter = '\t'
	case "whitespace":
		opt.Delimiter = dataset.Whitespace
	default:
		opt.Delimiter, _ = utf8.DecodeRuneInString(d.Delimiter)
	}
	return opt
}

// dropColumns leaves columns out; one that is not there is an error, as it is
// in a file.
func dropColumns(f *dataset.Frame, drop []string) (*dataset.Frame, error) {
	if len(drop) == 0 {
		return f, nil
	}
	at, absent := pattern.Expand(drop, f.Names())
	if _, err := f.Pick(absent); err != nil {
		return nil, fmt.Errorf("data.drop: %w", err)
	}
	return f.Pick(lists.Without(f.Names(), lists.At(f.Names(), at)))
}

// ReadTest reads the rows of split.file as ReadData reads those of data.source. It
// reads the columns of data, each of the same kind, and the label, which every row
// needs. Other columns are ignored; one error names all missing ones.
func (c *Config) ReadTest(ctx context.Context, data *dataset.Frame) (*dataset.Frame, error) {
	f, err := c.readTest(ctx, data)
	if err != nil {
		return nil, c.At("split.file", fmt.Errorf("split.file: %w", err))
	}
	return f, nil
}

// readTest is ReadTest; its errors do not name the key.
func (c *Config) readTest(ctx context.Context, data *dataset.Frame) (*dataset.Frame, error) {
	if data == nil {
		return nil, errors.New("there is no table whose columns it should have")
	}
	format := c.Data.Format
	if dataset.FormatByName(c.Split.File) != "" {
		format = ""
	}
	file, err := dataset.OpenContext(ctx, c.TestPath(), format)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	opt := c.testOptions(file, data)
	f, err := file.Read(opt)
	if err != nil {
		return nil, err
	}
	if c.Data.Task == regression {
		if f, err = f.WithTarget(data.ClassName()); err != nil {
			return nil, err
		}
	}
	if f.Rows() == 0 {
		return nil, fmt.Errorf("%s has no rows to test on", c.TestPath())
	}
	return f, nil
}

// testOptions asks for the columns of data, each of its kind, and for what the file itself needs.
func (c *Config) testOptions(file *dataset.File, data *dataset.Frame) dataset.ReadOptions {
	reading, as := data.Reading(), c.Data.readOptions()
	opt := dataset.ReadOptions{Label: data.ClassName(), Only: data.Names(), As: &reading, Sheet: as.Sheet, LineLimit: as.LineLimit}
	if !file.NamedByFiles() {
		opt.ID, opt.Names = as.ID, as.Names
	}
	opt.Categorical, opt.Numeric = data.CategoricalNames(), data.NumericNames()
	if c.Data.Task == regression {
		opt.Label = ""
		opt.Only, opt.Numeric = append(opt.Only, data.ClassName()), append(opt.Numeric, data.ClassName())
	}
	return opt
}
