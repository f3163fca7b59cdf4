package selector

import (
	"errors"
	"fmt"
	"slices"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/memory"
	"github.com/fspca/fspca/solver"
)

// CheckRows returns the error with which FitRows refuses n rows of d columns before it reads them; nil
// if there is none. The d columns include that of Options.Weight.
func CheckRows(n, d int, o Options, bytes int64) error {
	s := &FSPCA{Options: o}
	if o.Weight != "" {
		d--
	}
	if err := s.checkSizes(d, n); err != nil {
		return err
	}
	_, _, err := o.streamRoom(n, d, bytes)
	return err
}

// CheckNames returns the error with which a fit refuses options that do not suit the columns of a table, by their
// names: before any work, and whatever the memory. There are n rows, 0 for a covariance. The names include that of
// Options.Weight.
func CheckNames(names []string, n int, o Options) error {
	if err := o.Check(); err != nil {
		return err
	}
	d := len(names)
	if d == 0 {
		return errors.New("fspca: the table has no feature column")
	}
	header, err := headerOf(names, d)
	if err != nil {
		return err
	}
	if o.Weight != "" {
		if _, err := header.Pick([]string{o.Weight}); err != nil {
			return fmt.Errorf("fspca: weight: %w", err)
		}
		names = slices.DeleteFunc(header.Names(), func(name string) bool { return dataset.SameName(name, o.Weight) })
	}
	s := &FSPCA{Options: o}
	if err := s.checkColumns(len(names), n); err != nil {
		return err
	}
	_, err = o.params(names)
	return err
}

// rowsNeeded returns an error for options that need the rows themselves.
func (o Options) rowsNeeded() error {
	if o.ParallelAnalysis {
		return errors.New("fspca: parallel analysis permutes columns and needs the rows in memory: give the number of components, or more memory")
	}
	return nil
}

// streamRoom returns what NewStream may keep: 0 means any, and that A is formed. It also returns how many rows
// are to be read at a time; 0 means as many as usual.
func (o Options) streamRoom(n, d int, bytes int64) (keep int64, block int, err error) {
	if err := o.rowsNeeded(); err != nil {
		return 0, 0, err
	}
	need, least := RowsMemory(n, d, o)
	formed := d <= solver.MaxEntriesOrder && (bytes == 0 || need <= bytes)
	if bytes != 0 && !formed && least > bytes {
		if d <= solver.MaxEntriesOrder {
			least = min(least, need)
		}
		return 0, 0, &memory.Error{What: "fspca: the fit of rows in blocks", Need: least, Limit: memory.Limit{Bytes: bytes, What: "the limit that was given"}}
	}
	if what := o.many(); what != "" && !formed {
		if d <= solver.MaxEntriesOrder {
			return 0, 0, &memory.Error{What: "fspca: " + what + " reads the rows too often unless the memory holds A, which", Need: need, Limit: memory.Limit{Bytes: bytes, What: "the limit that was given"}}
		}
		return 0, 0, fmt.Errorf("fspca: %s reads the rows too often unless the memory holds A, which is formed of at most %d columns: give more memory, leave columns out, or do without it",
			what, solver.MaxEntriesOrder)
	}
	if formed {
		least = need
	} else {
		keep = 1 // A is too large for any
	}
	if bytes == 0 {
		return keep, 0, nil
	}
	block, less := solver.LeastBlock(n, d)
	if spare := bytes - least - less; spare >= 0 {
		block = 0
		keep += keep * spare
	}
	return keep, block, nil
}

// many says which option asks for very many products with A; "" for none.
func (o Options) many() string {
	switch {
	case o.Effort != "" && o.Effort != string(solver.EffortIPU) && o.Effort != string(solver.EffortQuick):
		return fmt.Sprintf("the effort %q", o.Effort)
	case o.Method != "" && o.Method != string(solver.MethodIPU) && o.Method != string(solver.MethodGo):
		return fmt.Sprintf("the method %q", o.Method)
	case o.Init != "" && o.Init != string(solver.StartGo):
		return fmt.Sprintf("the start %q", o.Init)
	case o.reconstructs():
		return "the criterion \"reconstruction\""
	case o.Bootstrap > 0:
		return "bootstrap"
	case o.Decoder:
		return "the decoder"
	case o.SDPIterations > 0:
		return "the semidefinite relaxation"
	}
	return ""
}

// RowsMemory returns the least bytes that FitRows takes for n rows of d columns: if A is formed, and if it is
// not. Where there are more it reads more rows at a time.
func RowsMemory(n, d int, o Options) (formed, least int64) {
	guess := o.guessed(d)
	k, m := guess.Features, guess.Components
	formed, least = solver.StreamMemory(n, d, k, m, o.Standardize)
	_, less := solver.LeastBlock(n, d)
	formed, least = formed-less, least-less
	if o.Weight != "" {
		formed, least = formed+24*int64(n), least+24*int64(n)
	}
	if o.Bootstrap > 0 {
		formed += drawMemory(n, d, o)
	}
	if extra := Memory(solver.Shape{Columns: d}, o) - Memory(solver.Shape{Columns: d}, Options{Features: k, Components: m}); o.many() != "" && extra > 0 {
		formed += extra
	}
	return formed, least
}
