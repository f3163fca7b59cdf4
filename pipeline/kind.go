package pipeline

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/fspca/fspca/internal/clone"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/golearn"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/spelling"
	"github.com/fspca/fspca/internal/strict"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/transformer"
)

// Kind is one sort of step, as configs, their schema, pipelines and saved models
// need it. TransformerKind, ClassifierKind and RegressionKind make one.
type Kind struct {
	name, doc string
	aliases   []string
	options   func() any
	build     func(options any) NamedStep
	classes   bool // predicts classes
	numbers   bool // predicts numbers
}

// TransformerKind makes a kind of preprocessing step. Name is its name in a
// config, doc is one sentence for the schema, and aliases are other names that
// people use, for suggestions. O is a struct of options. Its json tags are the
// keys; the tags rule, default, aka and doc are described in the package comment.
// Build makes an unfitted step from the options, and must not keep them. Options
// that embed Scope let a config name the columns that the step works on.
func TransformerKind[O any](name, doc string, build func(*O) transformer.Transformer, aliases ...string) Kind {
	k := Kind{name: name, doc: doc, aliases: aliases, options: func() any { return new(O) }}
	if build != nil {
		k.build = func(options any) NamedStep { return NamedStep{Name: name, Transformer: scoped(options.(*O), build)} }
	}
	return k
}

// ClassifierKind makes a kind of classifier; see TransformerKind.
func ClassifierKind[O any](name, doc string, build func(*O) classifier.Classifier, aliases ...string) Kind {
	k := Kind{name: name, doc: doc, aliases: aliases, options: func() any { return new(O) }, classes: true}
	if build != nil {
		k.build = func(options any) NamedStep { return NamedStep{Name: name, Classifier: build(options.(*O))} }
	}
	return k
}

// RegressionKind makes a kind that predicts a numeric target and no classes;
// see TransformerKind.
func RegressionKind[O any](name, doc string, build func(*O) classifier.Classifier, aliases ...string) Kind {
	k := ClassifierKind(name, doc, build, aliases...)
	k.classes, k.numbers = false, true
	return k
}

// AndNumbers returns the kind of classifier as one that also predicts a numeric target.
func (k Kind) AndNumbers() Kind {
	k.numbers = true
	return k
}

// Name returns the name of the step in a config.
func (k Kind) Name() string { return k.name }

// Doc returns one sentence that says what the step does.
func (k Kind) Doc() string { return k.doc }

// Classifies reports whether the step predicts classes; it must then be the last of a chain.
func (k Kind) Classifies() bool { return k.classes }

// Regresses reports whether the step predicts numbers; it must then be the last of a chain.
func (k Kind) Regresses() bool { return k.numbers }

// Ends reports whether the step must be the last of a chain.
func (k Kind) Ends() bool { return k.classes || k.numbers }

// Options returns new default options: a pointer to a struct.
func (k Kind) Options() any {
	if k.options == nil {
		return nil
	}
	return k.options()
}

// registry holds the kinds, in the order in which lists show them.
var registry = struct {
	sync.RWMutex
	kinds []Kind
}{kinds: slices.Concat(steps, []Kind{selection, components}, classifiers)}

// Register adds a kind of step: configs may then name it, the schema describes
// it, and pipelines with it are saved and loaded. Call it before the first
// config is read, for instance in an init function. Errors: a kind without a
// name, a build function or readable options, and a name that is taken.
func Register(k Kind) error {
	switch {
	case k.build == nil:
		return fmt.Errorf("the kind %q cannot be registered: it has no function that builds a step", k.name)
	case !strict.IsWord(k.name):
		return fmt.Errorf("the kind %q cannot be registered: a name is one word of letters, digits, _ and -, like fspca or decision_tree", k.name)
	}
	if err := strict.Valid(k.options()); err != nil {
		return fmt.Errorf("the kind %q cannot be registered: %w", k.name, err)
	}
	registry.Lock()
	defer registry.Unlock()
	if slices.ContainsFunc(registry.kinds, func(other Kind) bool { return other.name == k.name }) {
		return fmt.Errorf("the kind %q is registered already", k.name)
	}
	registry.kinds = append(registry.kinds, k)
	return nil
}

// Kinds lists the kinds of step that a config may hold: those of this module, then
// the registered ones.
func Kinds() []Kind {
	registry.RLock()
	defer registry.RUnlock()
	return slices.Clone(registry.kinds)
}

// FindKind returns the kind of that name. The error for an unknown name
// suggests the nearest known one.
func FindKind(name string) (Kind, error) {
	kinds := Kinds()
	names := lists.Map(kinds, Kind.Name)
	if i := slices.Index(names, name); i >= 0 {
		return kinds[i], nil
	}
	nearest := spelling.Nearest(name, names)
	if i := slices.IndexFunc(kinds, func(k Kind) bool { return slices.Contains(k.aliases, strings.ToLower(name)) }); i >= 0 {
		nearest = names[i]
	}
	if nearest != "" {
		return Kind{}, fmt.Errorf("unknown step %q: did you mean %q?", name, nearest)
	}
	return Kind{}, fmt.Errorf("unknown step %q: the steps are %s", name, strict.Listing(names, "and"))
}

// New makes an unfitted step from options that Options made; nil means all defaults.
func (k Kind) New(options any) (NamedStep, error) {
	if k.build == nil {
		return NamedStep{}, errors.New("the kind of step has no function that builds one")
	}
	options, err := k.filled(options)
	if err != nil {
		return NamedStep{}, err
	}
	var step NamedStep
	err = golearn.Guard("building step "+k.name, func() error {
		step = k.build(clone.Options(options))
		return nil
	})
	if err == nil {
		err = checkSteps([]NamedStep{step})
	}
	step.kind, step.options = k.name, clone.Options(options)
	return step, err
}

// filled returns the options, new ones for nil; others than the kind's are an error.
func (k Kind) filled(options any) (any, error) {
	own := k.options()
	if options == nil {
		return own, nil
	}
	if got, want := reflect.TypeOf(options), reflect.TypeOf(own); got != want {
		return nil, fmt.Errorf("the options of step %s must be a %v, got a %v", k.name, want, got)
	}
	if files.Absent(options) {
		return own, nil
	}
	return options, nil
}

// unscoped is the step inside one that works on some columns alone.
func unscoped(t transformer.Transformer) transformer.Transformer {
	if on, ok := t.(*transformer.OnColumns); ok && on.New != nil {
		return on.New()
	}
	return t
}

// kindOf is the name of the kind that a step belongs to; "" for one whose kind is
// not registered.
func kindOf(s NamedStep) string {
	if s.kind != "" {
		return s.kind
	}
	bare := NamedStep{Transformer: unscoped(s.Transformer), Classifier: s.Classifier}
	for _, k := range Kinds() {
		if known, err := k.New(nil); err == nil && sameKind(known, bare) {
			return k.name
		}
	}
	return ""
}

func sameKind(a, b NamedStep) bool {
	if reflect.TypeOf(a.Transformer) != reflect.TypeOf(b.Transformer) || reflect.TypeOf(a.Classifier) != reflect.TypeOf(b.Classifier) {
		return false
	}
	// All of golearn's classifiers are of one type here: their names tell them apart.
	return a.Classifier == nil || a.Classifier.GetMetadata().ClassifierName == b.Classifier.GetMetadata().ClassifierName
}
