package dataset

import (
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/spelling"
)

// A Format is a file format that a separate package reads, so that other programs need not
// compile it in; see [RegisterFormat]. One of Columns and Sheet is set.
type Format struct {
	Name    string   // as the option Format and --format call it, such as "parquet"
	Endings []string // of file names, in lower case with the point

	// Is reports whether a file starts as this format does. It is given the first bytes, at most 512.
	Is func(start []byte) bool

	// Columns opens a file that stores typed columns.
	Columns func(r io.ReaderAt, size int64) (Columns, error)

	// Sheet writes the named sheet of a workbook, or for "" the only one, as comma-separated text
	// (RFC 4180), one record for each row.
	Sheet func(w io.Writer, r io.ReaderAt, size int64, sheet string) error

	// NewWriter returns a writer of a table with so many rows, frame by frame; nil where the format
	// is only read.
	NewWriter func(w io.Writer, rows int) (FrameWriter, error)
}

// A Compression is a compression format of files; see [RegisterCompression].
type Compression struct {
	Name   string // such as "zstd"
	Ending string // of file names, such as ".zst"
	Is     func(start []byte) bool

	// NewReader decompresses. Where bytes follow that were not compressed, reading them is an error
	// that wraps ErrTrailing. An error that is errors.ErrUnsupported says how the file can be decompressed.
	NewReader func(io.Reader) (io.ReadCloser, error)
	NewWriter func(io.Writer) (io.WriteCloser, error) // nil where it is only read
}

// format is a Format or one that is built in.
type format struct {
	name    string
	endings []string
	kind    readerKind
	is      func(start []byte) bool // nil: by the name alone
	read    func(*File, ReadOptions) (*Frame, error)
	sparse  func(*File, ReadOptions) (*Sparse, error)
	columns func(io.ReaderAt, int64) (Columns, error) // see Format; sheet too
	sheet   func(w io.Writer, r io.ReaderAt, size int64, sheet string) error
	blocks  func(*File, ReadOptions) (*Blocks, error)             // nil: it is read as a whole only
	cells   func(*File, ReadOptions) (rows, columns int, ok bool) // see File.Cells; nil: unknown
	write   func(w io.Writer, rows int) (FrameWriter, error)
}

var formats struct {
	sync.RWMutex
	list         []*format
	compressions []Compression
}

// The readers open names files, which are formats again: a list in the declaration would be a cycle.
func init() {
	formats.list = []*format{
		{name: "csv", endings: []string{".csv", ".txt", ".data", ".dat"}, kind: textReader, read: (*File).readText, blocks: (*File).textBlocks, cells: (*File).textCells, write: newCSVWriter},
		{name: "tsv", endings: []string{".tsv", ".tab"}, kind: textReader, read: (*File).readText, blocks: (*File).textBlocks, cells: (*File).textCells, write: newTSVWriter},
		{name: "npy", endings: []string{".npy"}, kind: arrayReader, is: startsWith(npyMagic), read: (*File).readArray, blocks: (*File).arrayBlocks, cells: (*File).arrayCells, write: newNPYWriter},
		{name: "npz", endings: []string{".npz"}, kind: arraysReader, read: (*File).readArrays, blocks: (*File).memberBlocks, cells: (*File).memberCells},
		{name: "svmlight", endings: []string{".svm", ".libsvm", ".svmlight"}, kind: indexReader, sparse: (*File).readIndexed},
		{name: "mtx", endings: []string{".mtx"}, kind: marketReader, is: isMarket, sparse: (*File).readMarket},
	}
	formats.compressions = []Compression{
		{Name: "gzip", Ending: ".gz", Is: startsWith(gzipMagic),
			NewReader: newGzip,
			NewWriter: func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }},
		{Name: "bzip2", Ending: ".bz2", Is: isBzip2,
			NewReader: func(r io.Reader) (io.ReadCloser, error) { return io.NopCloser(bzip2.NewReader(r)), nil }},
	}
}

// optionalFormats are the formats and compressions that packages of this module add, by name.
var optionalFormats = map[string]string{"parquet": "dataset/parquet", "xlsx": "dataset/xlsx", "zstd": "dataset/zstd"}

// RegisterFormat adds a format to [Read] and the other readers, or replaces one with the same
// name. Importing the packages dataset/parquet and dataset/xlsx calls it. It is an error if the
// name or the reading function is missing.
func RegisterFormat(f Format) error {
	if f.Name == "" || (f.Columns == nil) == (f.Sheet == nil) {
		return fmt.Errorf("the format %q: want a name, and one of Columns and Sheet", f.Name)
	}
	g := &format{name: f.Name, endings: f.Endings, is: f.Is, write: f.NewWriter, columns: f.Columns, sheet: f.Sheet,
		kind: columnReader, read: (*File).readColumns, blocks: (*File).columnBlocks, cells: (*File).columnCells}
	if f.Sheet != nil {
		g.kind, g.read, g.blocks, g.cells = sheetReader, (*File).readSheet, (*File).sheetBlocks, nil
	}
	formats.Lock()
	defer formats.Unlock()
	formats.list = append(slices.DeleteFunc(slices.Clone(formats.list), func(h *format) bool { return h.name == f.Name }), g)
	return nil
}

// RegisterCompression adds a compression to [Read] and the other readers, or replaces one with
// the same name. Importing the package dataset/zstd calls it.
func RegisterCompression(c Compression) error {
	if c.Name == "" || c.Ending == "" || c.Is == nil || c.NewReader == nil {
		return fmt.Errorf("the compression %q: want a name, an ending, Is and NewReader", c.Name)
	}
	formats.Lock()
	defer formats.Unlock()
	others := slices.DeleteFunc(slices.Clone(formats.compressions), func(d Compression) bool { return d.Name == c.Name })
	formats.compressions = append(others, c)
	return nil
}

// knownFormats returns the formats and compressions as they are now.
func knownFormats() ([]*format, []Compression) {
	formats.RLock()
	defer formats.RUnlock()
	return formats.list, formats.compressions
}

// FormatNames returns the names that the option Format knows.
func FormatNames() []string {
	list, _ := knownFormats()
	return lists.Map(list, func(f *format) string { return f.name })
}

// findFormat returns the format of a name.
func findFormat(name string) (*format, error) {
	list, _ := knownFormats()
	for _, f := range list {
		if f.name == name || slices.Contains(f.endings, "."+name) {
			return f, nil
		}
	}
	if at := optionalFormats[name]; at != "" {
		return nil, notCompiledIn(name, at)
	}
	if near := spelling.Nearest(name, FormatNames()); near != "" {
		return nil, fmt.Errorf("there is no format %q: did you mean %q?", name, near)
	}
	return nil, fmt.Errorf("there is no format %q: want one of %s", name, strings.Join(FormatNames(), ", "))
}

func notCompiledIn(what, at string) error {
	return fmt.Errorf("this program was built without %s: import github.com/fspca/fspca/%s", what, at)
}

// endingOf returns the last ending of a file name, in lower case, and what is before it.
func endingOf(name string) (rest, ending string) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 || strings.ContainsAny(name[i:], `/\`) {
		return name, ""
	}
	return name[:i], strings.ToLower(name[i:])
}

// formatByName returns the format that the endings of a file name say, and the compressions, the
// outermost first; nil if they say none.
func formatByName(name string) (f *format, packed []Compression) {
	list, compressions := knownFormats()
	for {
		rest, ending := endingOf(name)
		i := slices.IndexFunc(compressions, func(c Compression) bool { return c.Ending == ending })
		if i < 0 && ending != ".zip" {
			for _, f := range list {
				if slices.Contains(f.endings, ending) {
					return f, packed
				}
			}
			return nil, packed
		}
		if i >= 0 {
			packed = append(packed, compressions[i])
		}
		name = rest
	}
}

// CheckFormat returns an error that lists the known formats unless name is one, as in the option
// Format. It also accepts formats whose package this program does not import.
func CheckFormat(name string) error {
	if optionalFormats[name] != "" {
		return nil
	}
	_, err := findFormat(name)
	return err
}

// FormatByName returns the name of the format with the ending of a file name; "" if there is
// none.
func FormatByName(name string) string {
	if f, _ := formatByName(name); f != nil {
		return f.name
	}
	return ""
}

func startsWith(magic string) func([]byte) bool {
	return func(start []byte) bool { return bytes.HasPrefix(start, []byte(magic)) }
}

func isBzip2(start []byte) bool {
	const block, end = "1AY&SY", "\x17rE8P\x90" // what comes first: a block, or the end of a part that is empty
	return len(start) >= 10 && string(start[:3]) == "BZh" && (string(start[4:10]) == block || string(start[4:10]) == end)
}

func isMarket(start []byte) bool {
	const magic = "%%matrixmarket"
	return len(start) >= len(magic) && strings.EqualFold(string(start[:len(magic)]), magic)
}

// WriteAs writes a frame in the format of the ending of name, compressed or not: .csv, .tsv, .npy
// and registered formats. An unknown ending means CSV. A format that cannot be written is an error.
func WriteAs(w io.Writer, name string, f *Frame) error {
	open := func(w io.Writer, rows int) (FrameWriter, error) { return NewWriter(w, name, rows) }
	return writeWhole(open, w, f)
}

// CheckWritable returns the error that [WriteAs] would return for a name.
func CheckWritable(name string) error {
	_, _, err := writerOf(name)
	return err
}

func writerOf(name string) (func(io.Writer, int) (FrameWriter, error), []Compression, error) {
	f, packed := formatByName(name)
	_, ending := endingOf(name)
	switch {
	case len(packed) > 1 || len(packed) == 1 && packed[0].NewWriter == nil || ending == ".zip":
		return nil, nil, fmt.Errorf("cannot write %s: want a name that ends in .gz or .zst, or in neither", name)
	case f != nil && f.write == nil:
		return nil, nil, fmt.Errorf("cannot write %s: the format %s can be read but not written", name, f.name)
	case f == nil && optionalFormats[strings.TrimPrefix(ending, ".")] != "":
		return nil, nil, fmt.Errorf("cannot write %s: %w", name, notCompiledIn(ending[1:], optionalFormats[ending[1:]]))
	case f == nil:
		return newCSVWriter, packed, nil
	}
	return f.write, packed, nil
}
