package golearn

import (
	"errors"
	"fmt"
	"os"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/internal/saved"
)

// Archive saves a golearn classifier to a file. Their own Save prints to the standard
// output.
func Archive(path string, model base.Classifier) error {
	w, err := base.CreateSerializedClassifierStub(path, model.GetMetadata())
	if err != nil {
		return err
	}
	if err := model.SaveWithPrefix(w, ""); err != nil {
		return errors.Join(err, w.Close())
	}
	_ = w.Close() // KNN has closed it already; a file that is not complete is seen next
	r, err := OpenArchive(path)
	if err == nil {
		r.Close()
	}
	return err
}

// OpenArchive opens golearn's model archive. A panic over a damaged one comes back as an error; what
// is no archive is saved.ErrDamaged.
func OpenArchive(path string) (r *base.ClassifierDeserializer, err error) {
	file, err := os.Open(path) // golearn's error hides that of the file system
	if err != nil {
		return nil, err
	}
	file.Close()
	err = Guard("load", func() error {
		r, err = base.ReadSerializedClassifierStub(path)
		return err
	})
	if err != nil {
		return nil, saved.Damaged("the archive", err)
	}
	return r, nil
}

// Part reads an entry of an archive. If it is not there, or damaged, the error is saved.ErrDamaged and
// says that the archive holds none of what, or half of one.
func Part(r *base.ClassifierDeserializer, prefix, name, what string) (b []byte, err error) {
	err = Guard("load", func() error {
		b, err = r.GetBytesForKey(r.Prefix(prefix, name))
		return err
	})
	if err != nil {
		return nil, saved.Damaged("the archive", fmt.Errorf("it holds no %s, or half of one: %w", what, err))
	}
	return b, nil
}
