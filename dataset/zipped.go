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
	"github.com/fspca/fspca/internal/lists"
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
	member, err := openMember(only)
	if err != nil {
		return "", nil, err
	}
	f.closers = append(f.closers, member)
	f.layers = append(f.layers, "zip")
	f.spool = nil // a copy of the archive is none of what is in it
	f.text = bufio.NewReaderSize(bounded.Reader(f.ctx, expanding(member, only)), 1<<18)
	return only.Name, nil, nil
}

// openMember opens a member, unless it says that it holds more than is believed.
func openMember(member *zip.File) (io.ReadCloser, error) {
	if err := bounded.CheckExpansion(member.UncompressedSize64, member.CompressedSize64); err != nil {
		return nil, err
	}
	const encrypted = 1
	if member.Flags&encrypted != 0 {
		return nil, errors.New("zip: the archive is encrypted: extract the table from it")
	}
	r, err := member.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		return nil, fmt.Errorf("zip: the archive is packed by a method (%d) that is not read: extract the table from it", member.Method)
	}
	if err != nil {
		return nil, fmt.Errorf("zip: %w", err)
	}
	return r, nil
}

// expanding is what a member holds, of which no more is believed than its size allows.
func expanding(r io.Reader, member *zip.File) io.Reader {
	return bounded.Expansion(undamaged(r, "zip"), func() int64 { return int64(member.CompressedSize64) }, 0)
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
func (f *File) readArrays(opt ReadOptions) (frame *Frame, err error) {
	err = f.eachArray(opt, func(r io.Reader, name string, opt ReadOptions) error {
		frame, err = readNPYFrame(r, name, opt)
		return err
	})
	return frame, err
}

// eachArray lets read the array of an .npz that the option sheet names, or the only one.
func (f *File) eachArray(opt ReadOptions, read func(r io.Reader, name string, opt ReadOptions) error) error {
	archive, err := f.archive()
	if err != nil {
		return located(f.name, err)
	}
	arrays := lists.Where(archive.File, func(m *zip.File) bool { return strings.HasSuffix(m.Name, ".npy") })
	at, err := arrayAt(lists.Map(arrays, arrayName), opt.Sheet)
	if err != nil {
		return located(f.name, err)
	}
	r, err := openMember(arrays[at])
	if err != nil {
		return located(f.name, err)
	}
	defer r.Close()
	opt.Sheet = ""
	return read(expanding(r, arrays[at]), f.name+"#"+arrayName(arrays[at]), opt)
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
