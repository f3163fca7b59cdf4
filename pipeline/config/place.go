package config

import (
	"errors"
	"slices"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/strict"
)

// At returns an error about a key such as split.group with its place in front: file:line:column, or the
// override. It reads the config's file again. If the config was made in Go, or the file is gone, it is the
// error itself.
func (c *Config) At(key string, err error) error {
	if err == nil {
		return nil
	}
	where := c.places()(key).String()
	if where == "" {
		return err
	}
	return param.InFront(where, err)
}

// places reads the config's file again, for where its keys stand.
func (c *Config) places() func(key string) strict.Place {
	none := func(string) strict.Place { return strict.Place{} }
	if c.File == "" {
		return none
	}
	b, err := bounded.ReadFile(c.File, maxBytes, "a config")
	if err != nil {
		return none
	}
	again := new(Config)
	return grammar(again).Places(c.File, b, c.Set, again)
}

// atColumns puts the places of the keys in front of errors of reading: of those that name columns which
// the file does not have.
func (c *Config) atColumns(err error) error {
	all := param.Each(err)
	if err == nil || errors.Join(all...).Error() != err.Error() {
		return err
	}
	return errors.Join(lists.Map(all, func(e error) error {
		var missing *dataset.MissingColumnsError
		if errors.As(e, &missing) && slices.Contains([]string{"label", "id", "names", "drop", "categorical"}, missing.What) {
			return c.At("data."+missing.What, e)
		}
		return e
	})...)
}
