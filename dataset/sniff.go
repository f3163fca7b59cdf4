package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fspca/fspca/internal/bounded"
)

// sniffed is the number of first bytes by which a file is known.
const sniffed = 512

// maxLayers bounds compressions within each other.
const maxLayers = 4

// identify takes compressions off and finds the format.
func (f *File) identify(wanted string) error {
	var asked *format
	if wanted != "" {
		var err error
		if asked, err = findFormat(wanted); err != nil {
			return err
		}
	}
	name := f.name
	for layer := 0; ; layer++ {
		start, _ := f.text.Peek(sniffed)
		if c, ok := compressionOf(start); ok {
			if layer == maxLayers {
				return fmt.Errorf("the file is compressed more than %d times, one inside the other: unpack it first", maxLayers)
			}
			if err := f.unpack(c); err != nil {
				return err
			}
			continue
		}
		if !isZip(start) {
			break
		}
		inner, found, err := f.openZip()
		if err != nil {
			return err
		}
		if found != nil {
			return f.settle(asked, found)
		}
		name = inner
		if layer == maxLayers {
			return fmt.Errorf("the file is compressed more than %d times, one inside the other: unpack it first", maxLayers)
		}
	}
	if err := f.recode(); err != nil {
		return err
	}
	return f.decide(asked, name)
}

// unpack takes one compression off.
func (f *File) unpack(c Compression) error {
	r, err := c.NewReader(f.text)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Name, cutShort(err))
	}
	f.closers = append(f.closers, r)
	f.layers = append(f.layers, c.Name)
	packed := f.count
	f.text = bufio.NewReaderSize(bounded.Expansion(undamaged(r, c.Name), func() int64 { return packed.Count() }, f.size), 1<<18)
	if _, err := f.text.Peek(1); err != nil && err != io.EOF {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("%s: %w", c.Name, cutShort(err))
		}
		return err
	}
	return nil
}

func compressionOf(start []byte) (Compression, bool) {
	_, compressions := knownFormats()
	i := slices.IndexFunc(compressions, func(c Compression) bool { return c.Is(start) })
	if i < 0 {
		return Compression{}, false
	}
	return compressions[i], true
}

// decide finds the format by the first bytes, the option and the name.
func (f *File) decide(asked *format, name string) error {
	start, err := f.text.Peek(sniffed)
	if stopped := bounded.Err(f.ctx); stopped != nil {
		return stopped
	}
	if err == nil && len(bytes.Trim(start, "\x00")) == 0 {
		return fmt.Errorf("the first %d bytes are all zero: the file is a device, or was never written to its end", sniffed)
	}
	if f.isDevice() && isBinary(start) {
		return errors.New("the file is a device, and what it gives is no text: want a file, a pipe or standard input")
	}
	list, _ := knownFormats()
	for _, g := range list {
		if g.is != nil && g.is(start) {
			return f.settle(asked, g)
		}
	}
	if err := foreignFile(start); err != nil {
		return err
	}
	if ending := compressionEnding(name); ending != "" && len(f.layers) == 0 && (isBinary(start) || !utf8.Valid(start[:max(0, len(start)-utf8.UTFMax)])) {
		return fmt.Errorf("the name ends in %s, and the file does not start as such files do: it is damaged, or called so by mistake", ending)
	}
	if err := f.decideByName(asked, name); err != nil || f.format.is == nil || len(f.layers) == 0 {
		return err
	}
	if _, err := io.Copy(io.Discard, f.text); err != nil { // damage is seen where a part ends, after its first bytes
		return err
	}
	return f.errStart()
}

// errStart is the error of a file that does not start as its format wants it.
func (f *File) errStart() error {
	return fmt.Errorf("the file does not start as the format %s does: it is damaged, or of another format (option format)", f.format.name)
}

// decideByName finds the format by the option and the name, where the first bytes do not tell it.
func (f *File) decideByName(asked *format, name string) error {
	byName, _ := formatByName(name)
	switch {
	case asked != nil:
		f.format = asked
	case byName != nil:
		f.format = byName
	case !hasEnding(strippedName(name)):
		f.format, _ = findFormat("csv")
	default:
		_, ending := endingOf(strippedName(name))
		if at := optionalFormats[strings.TrimPrefix(ending, ".")]; at != "" {
			return notCompiledIn(ending[1:], at)
		}
		return fmt.Errorf("neither the name nor the first bytes say what is in the file: give its format (option format) as one of %s", strings.Join(FormatNames(), ", "))
	}
	return nil
}

// isDevice reports whether bytes are read from a device, which may give them without end.
func (f *File) isDevice() bool {
	file, ok := f.raw.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// strippedName returns a file name without the endings of compressions.
func strippedName(name string) string {
	for compressionEnding(name) != "" {
		name, _ = endingOf(name)
	}
	return name
}

// compressionEnding returns the ending of a name that is that of a compression, "" without one.
func compressionEnding(name string) string {
	_, compressions := knownFormats()
	_, ending := endingOf(name)
	if ending == ".zip" || slices.ContainsFunc(compressions, func(c Compression) bool { return c.Ending == ending }) {
		return ending
	}
	return ""
}

// settle takes the format that the first bytes show, unless another was asked for.
func (f *File) settle(asked, found *format) error {
	if asked != nil && asked != found {
		return fmt.Errorf("the first bytes are those of the format %s, not of %s as the option format says", found.name, asked.name)
	}
	f.format = found
	return nil
}

// strangers lists what is taken for a table and is none that can be read, by its first bytes.
var strangers = []struct {
	start  string
	binary bool // the start could be text too: it is this only with a control character after it
	what   string
}{
	{"PAR1", true, "a Parquet file, and " + `this program was built without that: import github.com/fspca/fspca/dataset/parquet`},
	{"\x28\xb5\x2f\xfd", false, "compressed by zstd, and this program was built without that: import github.com/fspca/fspca/dataset/zstd, or decompress it with zstd -d"},
	{"\xfd7zXZ\x00", false, "compressed by xz: decompress it with xz -d"},
	{"\x5d\x00\x00", false, "compressed by lzma: decompress it with xz -d"},
	{"\x1f\x9d", false, "compressed by compress: decompress it with gzip -d"},
	{"\x04\x22\x4d\x18", false, "compressed by lz4: decompress it with lz4 -d"},
	{"7z\xbc\xaf\x27\x1c", false, "a 7z archive: extract the table from it"},
	{"Rar!\x1a\x07", false, "a RAR archive: extract the table from it"},
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", false, "an old workbook (.xls) or another Office file, perhaps with a password: save it as .xlsx without one, or as CSV"},
	{"\x89HDF\r\n\x1a\n", false, "an HDF5 file (.h5, .h5ad, .mat): export the table as CSV, .npy, .mtx or Parquet"},
	{"MATLAB 5.0 MAT-file", false, "a MATLAB file: export the table as CSV"},
	{"ARROW1", true, "an Arrow or Feather file: save it as Parquet"},
	{"\xff\xff\xff\xff", true, "a stream of Arrow: save it as Parquet"},
	{"FEA1", true, "a Feather file: save it as Parquet"},
	{"ORC", true, "an ORC file: save it as Parquet"},
	{"Obj\x01", false, "an Avro file: save it as Parquet"},
	{"SQLite format 3\x00", false, "an SQLite database: export the table as CSV"},
	{"%PDF-", false, "a PDF: export the table as CSV"},
	{"%!PS", false, "a PostScript document: export the table as CSV"},
	{"{\\rtf", false, "a rich text document: save it as CSV"},
	{"\x89PNG\r\n\x1a\n", false, "an image"},
	{"\xff\xd8\xff", false, "an image"},
	{"RDX3\n", false, "an R data file: write the table with write.csv"},
	{"X\n\x00\x00\x00", false, "an R object (.rds): write the table with write.csv"},
	{"$FL2", false, "an SPSS file: save it as CSV"},
	{"\x80\x04\x95", false, "a Python pickle: save the table as CSV, .npy or Parquet"},
	{"\x80\x05\x95", false, "a Python pickle: save the table as CSV, .npy or Parquet"},
	{"\x7fELF", false, "a program"},
}

// foreignFile returns an error for a file that is no table, by its first bytes.
func foreignFile(start []byte) error {
	for _, known := range strangers {
		rest, ok := bytes.CutPrefix(start, []byte(known.start))
		if ok && (!known.binary || isBinary(rest)) {
			return fmt.Errorf("the file is %s", known.what)
		}
	}
	if at := 257; len(start) > at+5 && string(start[at:at+5]) == "ustar" {
		return errors.New("the file is a tar archive: extract the table from it")
	}
	text := strings.ToLower(string(bytes.TrimLeft(bytes.TrimPrefix(start, []byte("\ufeff")), " \t\r\n")))
	for _, known := range strangeTexts {
		if known.is(text) {
			return fmt.Errorf("the file is %s", known.what)
		}
	}
	return nil
}

// strangeTexts is what is text and none that can be read, by its first letters in lower case. What comes first
// counts.
var strangeTexts = []struct {
	is   func(text string) bool
	what string
}{
	{startsLike("version https://git-lfs.github.com/spec/"), "the pointer that Git LFS leaves in the place of the data: fetch them with git lfs pull"},
	{isAnnexed, "the pointer that git-annex leaves in the place of the data: fetch them with git annex get"},
	{isHTML, "an HTML page, such as a login or an error page in the place of a download: download the data again"},
	{isARFF, "an ARFF file: export the table as CSV"},
	{startsLike("<?xml", "<!--"), "XML: export the table as CSV"},
	{isMarkup, "XML: export the table as CSV"},
	{startsLike(`{"`, "[{", "[["), "JSON: save the table as CSV"},
	{isJSON, "JSON: save the table as CSV"},
	{isJSONList, "JSON: save the table as CSV"},
	{drawn.MatchString, "a table drawn with lines, as in Markdown: save it as CSV, or take out the lines of dashes and the outer signs and give the delimiter (option delimiter)"},
}

func startsLike(any ...string) func(text string) bool {
	return func(text string) bool {
		return slices.ContainsFunc(any, func(start string) bool { return strings.HasPrefix(text, start) })
	}
}

// isAnnexed reports whether a text is a path into an annex.
func isAnnexed(text string) bool {
	return startsLike("/annex/objects/", ".git/annex/objects/")(text) || strings.HasPrefix(text, "../") && strings.Contains(text, ".git/annex/objects/")
}

// isARFF reports whether a text starts as files of Weka do, after comments.
func isARFF(text string) bool {
	for strings.HasPrefix(text, "%") {
		_, rest, _ := strings.Cut(text, "\n")
		text = strings.TrimLeft(rest, " \t\r\n")
	}
	return strings.HasPrefix(text, "@relation")
}

// isHTML reports whether a text starts as a page does.
func isHTML(text string) bool {
	return startsLike("<!doctype html", "<html", "<head", "<body", "<table")(text) || strings.HasPrefix(text, "<!--") && strings.Contains(text, "<html")
}

// drawn are tables of Markdown, whose second line is a rule, and those that start with one.
var drawn = regexp.MustCompile(`^(?:\|[^\n]*\|[ \t]*\r?\n[ \t]*)?[|+][ \t]*:?(?:-{2,}|={2,})[-=:|+ \t]*[|+][ \t]*(?:\r?\n|$)`)

// isMarkup reports whether a text starts with a tag of markup.
func isMarkup(text string) bool {
	end := strings.IndexByte(text, '>')
	return len(text) > 2 && text[0] == '<' && 'a' <= text[1] && text[1] <= 'z' && end > 0 && !strings.ContainsAny(text[:end], ",;\t\n")
}

// isJSONList reports whether a text is a list of numbers or texts, as one line.
func isJSONList(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") && strings.Count(line, "[") == 1 && strings.Contains(line, ",")
}

// isJSON reports whether a text starts with an object over several lines.
func isJSON(text string) bool {
	rest, ok := strings.CutPrefix(text, "{")
	return ok && strings.HasPrefix(strings.TrimLeft(rest, " \t\r\n"), `"`)
}

// isBinary reports whether bytes hold a control character that no text has.
func isBinary(b []byte) bool {
	return slices.ContainsFunc(b, func(c byte) bool {
		return c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v' && c != 0x1a
	})
}
