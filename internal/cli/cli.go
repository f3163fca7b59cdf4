// Package cli is what fspca and fspca-beam share: exit codes, and the flags that say how a table is
// read and how a selection is fitted.
package cli

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/fspca/fspca/internal/files"
)

// Exit codes.
const (
	ExitFailure = 1 // something went wrong on our side, or work was interrupted
	ExitUsage   = 2 // the command line, the config or the data are wrong
)

// Failure marks an error that the user's input is not to blame for.
type Failure struct{ error }

// Unwrap returns the error.
func (f *Failure) Unwrap() error { return f.error }

// Failed marks err, if any, as a failure.
func Failed(err error) error {
	if err == nil {
		return nil
	}
	return &Failure{err}
}

// File is the value of a flag that names a file, in which ~ is the home folder: a shell puts that in
// after a space, but not after =. The system's names of standard output are "-".
type File string

// String returns the path; it and what follows are pflag.Value.
func (f *File) String() string { return string(*f) }

// Type returns the name of the type in messages.
func (f *File) Type() string { return "string" }

// Set takes a path.
func (f *File) Set(path string) error {
	if path == "" { // a variable of a script that is not set
		return errors.New("want the name of a file")
	}
	if *f = File(files.Home(path)); slices.Contains([]string{"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}, path) {
		*f = "-"
	}
	return nil
}

// flag is a row of a table of flags: a field, by its name, and the flag that sets it.
type flag struct {
	field, name, short, usage string
}

// register registers the flag for the field that value points to, which holds its default.
func (f flag) register(flags *pflag.FlagSet, value any) {
	switch p := value.(type) {
	case pflag.Value:
		flags.VarP(p, f.name, f.short, f.usage)
	case *string:
		flags.StringVarP(p, f.name, f.short, *p, f.usage)
	case *bool:
		flags.BoolVarP(p, f.name, f.short, *p, f.usage)
	case *int:
		flags.IntVarP(p, f.name, f.short, *p, f.usage)
	case *int64:
		flags.Int64VarP(p, f.name, f.short, *p, f.usage)
	case *uint64:
		flags.Uint64VarP(p, f.name, f.short, *p, f.usage)
	case *float64:
		flags.Float64VarP(p, f.name, f.short, *p, f.usage)
	case *time.Duration:
		flags.DurationVarP(p, f.name, f.short, *p, f.usage)
	case *[]string:
		flags.StringArrayVarP(p, f.name, f.short, *p, f.usage)
	default:
		panic(fmt.Sprintf("cli: --%s sets a %T", f.name, value))
	}
}

// field returns a pointer to a field of a struct.
func field(of any, name string) any {
	return reflect.ValueOf(of).Elem().FieldByName(name).Addr().Interface()
}
