package strict

import (
	"fmt"
	"reflect"
	"slices"
	"unicode"
	"unicode/utf8"
)

// IsWord says whether a name is one word, such as fspca or decision_tree, as keys and the names of
// steps have to be: at most 64 letters, digits, _ and -, which begin with a letter or _. YAML and
// JSON read a word as a text. Paths and overrides do not take it apart, and any system can have it
// in the name of a file.
func IsWord(name string) bool {
	for i, r := range name {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || r != '-' && !unicode.IsNumber(r)) {
			return false
		}
	}
	return name != "" && utf8.RuneCountInString(name) <= 64 && !slices.Contains([]string{"null", "true", "false"}, name)
}

// Valid says whether options points to a struct that this package can read: of
// fields that are texts, numbers, truth values, lists of texts and further structs,
// with tags that can be understood.
func Valid(options any) (err error) {
	t := reflect.TypeOf(options)
	if t == nil || t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return fmt.Errorf("the options must be a struct, got %v", t)
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return validStruct(t.Elem(), nil)
}

// validStruct checks the fields of a struct, which is part of those above.
func validStruct(t reflect.Type, above []reflect.Type) error {
	if slices.Contains(above, t) {
		return fmt.Errorf("the type %v holds itself", t)
	}
	above = append(slices.Clone(above), t)
	if err := reachable(t); err != nil {
		return err
	}
	keys := map[string]bool{}
	for _, f := range fieldsOf(t) {
		switch {
		case !IsWord(f.key):
			return fmt.Errorf("the key %q is not one word, like max_depth", f.key)
		case keys[f.key]:
			return fmt.Errorf("two fields have the key %q", f.key)
		}
		keys[f.key] = true
		if err := f.valid(above); err != nil {
			return fmt.Errorf("%s: %w", f.key, err)
		}
	}
	return validDefaults(t)
}

// reachable returns an error for a field with a key that cannot be set.
func reachable(t reflect.Type) error {
	for i := range t.NumField() {
		switch f := t.Field(i); {
		case f.Anonymous && f.Type.Kind() == reflect.Pointer && f.Type.Elem().Kind() == reflect.Struct:
			return fmt.Errorf("%s is embedded by a pointer: embed the struct itself", f.Name)
		case !f.IsExported() && Key(f) != "":
			return fmt.Errorf("the field %s has the key %q and cannot be set: its name must begin with a capital letter", f.Name, Key(f))
		case isEmbedded(f):
			if err := reachable(f.Type); err != nil {
				return err
			}
		}
	}
	return nil
}

// valid returns an error for a type that cannot be read.
func (f field) valid(above []reflect.Type) error {
	item := f.bare()
	if item.Kind() == reflect.Slice {
		item = item.Elem()
	}
	if err := f.suits(item); err != nil {
		return err
	}
	switch item.Kind() {
	case reflect.Bool, reflect.Int, reflect.Uint64, reflect.Float64, reflect.String:
		return nil
	case reflect.Struct:
		return validStruct(item, above)
	}
	return fmt.Errorf("the type %v cannot be read: use bool, int, uint64, float64, string, a list or a struct of these", f.typ)
}

// suits returns an error for a rule that says nothing of values of the type: nobody would hold them to it.
func (f field) suits(item reflect.Type) error {
	number := slices.Contains([]reflect.Kind{reflect.Int, reflect.Uint64, reflect.Float64}, item.Kind())
	switch {
	case len(f.bounds) > 0 && !number:
		return fmt.Errorf("the rule %s is for numbers, not for the type %v", f.bounds[0].word, f.typ)
	case (f.bindsTexts() || f.written) && item.Kind() != reflect.String:
		return fmt.Errorf("the rules one, char, duration and written are for texts, not for the type %v", f.typ)
	case f.unique && f.bare().Kind() != reflect.Slice:
		return fmt.Errorf("the rule unique is for lists, not for the type %v", f.typ)
	}
	return nil
}

// validDefaults returns an error for a default that breaks the rule of its key.
func validDefaults(t reflect.Type) error {
	options := reflect.New(t).Interface()
	Resolve(options)
	for _, f := range fieldsOf(t) {
		if f.initial == "" {
			continue
		}
		if err := CheckKey(options, f.key, nil); err != nil {
			return fmt.Errorf("its default breaks its rule: %w", err)
		}
	}
	return nil
}
