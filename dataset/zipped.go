package dataset

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/spelling"
)

func isZip(start []byte) bool {
	return len(start) >= 4 && (string(start[:4]) == "PK\x03\x04" || string(start[:4]) == "PK\x05\x06")
}

// openZip looks into a zip archive: a workbook or .npz is a format, one file alone is opened in the
// place of the archive, and its name returned.
func (f *File) openZip() (name string, found *format, err error) {
	archive, err := f.archive()
	if err != nil {
		return "", nil, err
	}
	files := membersOf(archive)
	has := func(start string) bool {
		return slices.ContainsFunc(files, func(m *zip.File) bool { return strings.HasPrefix(m.Name, start) })
	}
	switch {
	case has("xl/workbook"):
		found, err = findFormat("xlsx")
		if err != nil {
			err = fmt.Errorf("the file is a workbook (.xlsx); %w; or save it as CSV", err)
		}
		return "", found, err
	case has("mimetype") && has("content.xml"):
		return "", nil, errors.New("the file is an OpenDocument workbook (.ods) or text: save it as .xlsx or CSV")
	case len(files) == 0:
		return "", nil, errors.New("the zip archive is empty")
	case !slices.ContainsFunc(files, func(m *zip.File) bool { return !strings.HasSuffix(m.Name, ".npy") }):
		found, err = findFormat("npz")
		return "", found, err
	case len(files) > 1:
		names := memberNames(files)
		return "", nil, fmt.Errorf("the zip archive holds %d files, %s: extract the one that is the table", len(files), strings.Join(names, ", "))
	}
	return f.unzip(files[0])
}

// membersOf returns the files of an archive, without those that systems put beside them.
func membersOf(archive *zip.Reader) []*zip.File {
	var files []*zip.File
	for _, member := range archive.File {
		if base := path.Base(member.Name); !strings.HasSuffix(member.Name, "/") && !strings.HasPrefix(member.Name, "__MACOSX/") && base != ".DS_Store" {
			files = append(files, member)
		}
	}
	return files
}

// unzip opens the one file of an archive in its place.
func (f *File) unzip(only *zip.File) (name string, found *format, err error) {
	if err := bounded.CheckExpansion(only.UncompressedSize64, only.CompressedSize64); err != nil {
		return "", nil, err
	}
	member, err := only.Open()
	if err != nil {
		return "", nil, fmt.Errorf("zip: %w", err)
	}
	f.closers = append(f.closers, member)
	f.layers = append(f.layers, "zip")
	f.text = bufio.NewReaderSize(bounded.Reader(f.ctx, openMember(member, only)), 1<<18)
	return only.Name, nil, nil
}

// openMember returns what a member holds, of which no more is believed than its size allows.
func openMember(r io.Reader, member *zip.File) io.Reader {
	return bounded.Expansion(r, func() int64 { return int64(member.CompressedSize64) }, 0)
}

// archive opens the content as a zip archive.
func (f *File) archive() (*zip.Reader, error) {
	r, size, err := f.place()
	if err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("the file starts as a zip archive (.zip, .xlsx, .npz), but is cut short or damaged: %w", err)
	}
	return archive, nil
}

func memberNames(files []*zip.File) []string {
	var names []string
	for i, m := range files {
		if i == maxReported {
			return append(names, "…")
		}
		names = append(names, fmt.Sprintf("%q", clip(m.Name)))
	}
	return names
}

// readArrays reads one array of an .npz.
func (f *File) readArrays(opt ReadOptions) (*Frame, error) {
	member, err := f.arrayMember(opt.Sheet)
	if err != nil {
		return nil, &ParseError{File: f.name, Err: err}
	}
	if err := bounded.CheckExpansion(member.UncompressedSize64, member.CompressedSize64); err != nil {
		return nil, &ParseError{File: f.name, Err: err}
	}
	r, err := member.Open()
	if err != nil {
		return nil, &ParseError{File: f.name, Err: fmt.Errorf("zip: %w", err)}
	}
	defer r.Close()
	opt.Sheet = ""
	return readNPYFrame(openMember(r, member), f.name+"#"+arrayName(member), opt)
}

// arrayMember finds the array of a name, or the only one for "".
func (f *File) arrayMember(name string) (*zip.File, error) {
	archive, err := f.archive()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, m := range archive.File {
		if strings.HasSuffix(m.Name, ".npy") {
			names = append(names, arrayName(m))
		}
	}
	at, err := arrayAt(names, name)
	if err != nil {
		return nil, err
	}
	for _, m := range archive.File {
		if strings.HasSuffix(m.Name, ".npy") && arrayName(m) == names[at] {
			return m, nil
		}
	}
	return nil, io.ErrUnexpectedEOF
}

// arrayAt returns the place of the array of a name, or of the only one for "".
func arrayAt(names []string, name string) (int, error) {
	at := slices.Index(names, name)
	switch {
	case at >= 0:
	case name != "":
		if near := spelling.Nearest(name, names); near != "" {
			return 0, fmt.Errorf("there is no array %q (option sheet): the nearest is %q", name, near)
		}
		return 0, fmt.Errorf("there is no array %q (option sheet): the arrays are %s", name, quotedNames(names))
	case len(names) == 1:
		at = 0
	case slices.Contains(names, "indptr") && slices.Contains(names, "indices"):
		return 0, errors.New("the file is a sparse matrix of scipy: write it with scipy.io.mmwrite and read the .mtx")
	default:
		return 0, fmt.Errorf("the file holds %d arrays: name one of %s (option sheet)", len(names), quotedNames(names))
	}
	return at, nil
}

func arrayName(m *zip.File) string { return strings.TrimSuffix(m.Name, ".npy") }
