package beam

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fspca/fspca/dataset"
)

// Table is a table whose rows lie in several files, its shards.
type Table struct {
	// Shards are paths, or patterns of paths (*, ?, [a-z]), of files that the submitter and every
	// worker see: on one machine, on a shared disk, or of a file system that is registered with
	// Beam (gs://…). Their order is that given, and by name within a pattern.
	Shards []string

	// Read says how each shard is read. All have the same columns, in any order: they are matched
	// by name. The order is that of the first shard.
	Read dataset.ReadOptions

	// OmitMissing leaves out rows with a missing cell, which are an error otherwise.
	OmitMissing bool
}

// shard is a file with some of the rows.
type shard struct {
	Path    string // absolute
	Name    string // as the user wrote it
	Size    int64
	Written time.Time
}

// find returns the shards, of which there is one at least. The error says all that is wrong.
func (t Table) find(ctx context.Context) ([]shard, error) {
	if len(t.Shards) == 0 {
		return nil, errors.New("beam: there are no shards: want paths or patterns of files")
	}
	var all []shard
	var errs []error
	for _, pattern := range t.Shards {
		paths, err := list(ctx, pattern)
		if err == nil && len(paths) == 0 {
			if _, _, err = stat(ctx, pattern); !errors.Is(err, fs.ErrNotExist) && err != nil || !remote(pattern) && !strings.ContainsAny(pattern, "*?[") {
				err = fmt.Errorf("there is no file %s", pattern)
			} else {
				err = fmt.Errorf("no file fits %s", pattern)
			}
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("beam: %w", err))
			continue
		}
		for _, path := range paths {
			s := shard{Path: path, Name: path}
			if s.Size, s.Written, err = stat(ctx, path); err == nil && !remote(path) {
				s.Path, err = filepath.Abs(path)
			}
			if err != nil {
				errs = append(errs, fmt.Errorf("beam: %w", err))
				continue
			}
			all = append(all, s)
		}
	}
	return all, errors.Join(append(errs, twice(all)...)...)
}

// twice returns an error for each shard that is the file of an earlier one.
func twice(all []shard) (errs []error) {
	type stamp struct {
		size    int64
		written int64
	}
	seen := map[stamp][]shard{}
	for _, s := range all {
		at := stamp{s.Size, s.Written.UnixNano()}
		for _, earlier := range seen[at] {
			if !sameFile(s.Path, earlier.Path) {
				continue
			}
			what := fmt.Sprintf("%s comes twice", s.Name)
			if s.Name != earlier.Name {
				what = fmt.Sprintf("%s and %s are the same file", earlier.Name, s.Name)
			}
			errs = append(errs, fmt.Errorf("beam: %s: each row would count twice", what))
			break
		}
		seen[at] = append(seen[at], s)
	}
	return errs
}

func sameFile(a, b string) bool {
	if a == b {
		return true
	}
	if remote(a) || remote(b) {
		return false
	}
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// Columns returns the names of the feature columns, from the header of the first shard that has one.
func (t Table) Columns(ctx context.Context) ([]string, error) {
	shards, err := t.find(ctx)
	if err != nil {
		return nil, err
	}
	return t.header(ctx, shards)
}

// header returns the names of the columns: those of the first shard that has any.
func (t Table) header(ctx context.Context, shards []shard) ([]string, error) {
	for _, s := range shards {
		names, err := headerOf(ctx, s, t.Read)
		if errors.Is(err, dataset.ErrNoRows) {
			continue
		}
		return names, err
	}
	return nil, fmt.Errorf("beam: no shard has a row, of %d that there are", len(shards))
}

// headerOf returns the names of the columns of a shard, nil if only the whole tells.
func headerOf(ctx context.Context, s shard, opt dataset.ReadOptions) (names []string, err error) {
	err = withFile(ctx, s.Path, s.Name, opt.Format, func(f *dataset.File) error {
		names, err = f.Header(opt)
		if !errors.Is(err, dataset.ErrNoBlocks) {
			return err
		}
		frame, err := f.Read(opt)
		if err == nil {
			names = frame.Names()
		}
		return err
	})
	return names, err
}

// groups cuts n shards into groups, each of which writes a part of so many bytes: see Options.Groups.
// It depends on nothing else, and so do the bytes of a fit.
func (o Options) groups(n int, bytes int64) [][]int {
	const (
		much  = 4 << 30
		least = 8
	)
	count := max(least, int(min(int64(n), much/max(1, bytes))))
	if o.Groups > 0 {
		count = o.Groups
	}
	count = min(n, count)
	cut := make([][]int, count)
	for i := range n {
		g := i * count / n
		cut[g] = append(cut[g], i)
	}
	return cut
}
