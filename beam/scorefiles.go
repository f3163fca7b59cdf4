package beam

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/files"
)

// outputNames returns the file for each shard, below the folder that all have in common.
func outputNames(shards []shard, ending string) ([]string, error) {
	common := commonFolder(shards)
	names := make([]string, len(shards))
	from := map[string]string{}
	for i, s := range shards {
		name := strings.TrimPrefix(filepath.ToSlash(s.Path), common)
		base := name[strings.LastIndex(name, "/")+1:]
		stem, rest, _ := strings.Cut(base, ".")
		if stem == "" {
			stem = base
		}
		end := ending
		if end == "" {
			if end = ".csv"; strings.HasSuffix(rest, "parquet") || strings.HasSuffix(rest, "pq") {
				end = ".parquet"
			}
		}
		names[i] = strings.TrimSuffix(name, base) + stem + end
		if other, taken := from[names[i]]; taken {
			return nil, fmt.Errorf("beam: the results of %s and of %s would both be %s: give them names that differ before the first point", other, s.Name, names[i])
		}
		from[names[i]] = s.Name
	}
	return names, dataset.CheckWritable(names[0])
}

// commonFolder returns the longest folder that all shards lie in, with a slash at its end.
func commonFolder(shards []shard) string {
	common := filepath.ToSlash(shards[0].Path)
	for _, s := range shards {
		path := filepath.ToSlash(s.Path)
		for common = common[:strings.LastIndex(common, "/")+1]; !strings.HasPrefix(path, common); {
			common = common[:strings.LastIndex(strings.TrimSuffix(common, "/"), "/")+1]
		}
	}
	return common
}

// check returns an error, before any work, if the folder holds what would be lost.
func (to Scores) check(folder string, names []string, shards []shard) error {
	for _, s := range shards {
		if files.Within(s.Path, folder) {
			return fmt.Errorf("beam: the shard %s lies in %s, which is written anew: choose another folder", s.Name, to.Folder)
		}
	}
	info, err := os.Stat(folder)
	if err != nil {
		return nil // there is none
	}
	if !info.IsDir() {
		return fmt.Errorf("beam: %s is a file: want the name of a folder", to.Folder)
	}
	if to.Force {
		return nil
	}
	return filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err == nil && !slices.Contains(names, filepath.ToSlash(name)) {
			err = fmt.Errorf("beam: the folder %s holds %s, which would be lost: choose another folder", to.Folder, name)
		}
		return err
	})
}
