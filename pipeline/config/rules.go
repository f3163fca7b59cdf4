package config

import (
	"errors"
	"reflect"
	"slices"
	"strconv"

	"github.com/fspca/fspca/internal/golearn"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/strict"
	"github.com/fspca/fspca/pipeline"
)

// selection is the kind that a pipeline has once at most.
const selection = "fspca"

// checkOptions reports what the options of a step refuse beyond single keys.
func checkOptions(in *strict.Inspection, options any, path string) {
	if s, ok := options.(*pipeline.FSPCAStep); ok {
		checkFSPCA(in, s, path)
		return
	}
	checked, ok := options.(interface{ Check() error })
	if !ok {
		return
	}
	err := golearn.Guard("checking the options", checked.Check)
	for _, err := range param.Each(err) {
		var wrong *param.Error
		if !errors.As(err, &wrong) {
			in.Report(path, "%v", err)
			continue
		}
		place(in, options, path, wrong, err.Error())
	}
}

// place reports an error at the key that it is about, unless that key or one beside is reported already.
func place(in *strict.Inspection, options any, path string, wrong *param.Error, text string, beside ...string) {
	for _, field := range wrong.Against {
		beside = append(beside, keyOf(options, path, field))
	}
	in.Unless(append(beside, keyOf(options, path, wrong.Field)), itemOf(options, path, wrong), "%s", text)
}

// keyOf is the path of the key for a field of a step, or of selector.Options.
func keyOf(options any, path, field string) string {
	switch field {
	case "FeaturesTarget":
		return strict.Join(path, "features.target")
	case "ComponentsTarget":
		return strict.Join(path, "components.target")
	case "ParallelAnalysis":
		field = "Components"
	}
	f, _ := reflect.TypeOf(options).Elem().FieldByName(field)
	return strict.Join(path, strict.Key(f))
}

// itemOf is the path of what is wrong: the item of a list if it is one, else the key.
func itemOf(options any, path string, wrong *param.Error) string {
	key := keyOf(options, path, wrong.Field)
	name, _ := wrong.Got.(string)
	if field := reflect.ValueOf(options).Elem().FieldByName(wrong.Field); field.IsValid() {
		list, _ := field.Interface().([]string)
		for i, item := range slices.Backward(list) { // the last is the one too many
			if item == name {
				return strict.Join(key, strconv.Itoa(i))
			}
		}
	}
	return key
}
