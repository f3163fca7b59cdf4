// Package config is the YAML of a pipeline: how it is read, checked and described.
//
// # In YAML
//
//	version: 1
//	name: state of a machine
//	data:
//	  source: machines.csv            # beside this file; or builtin:digits, builtin:iris, builtin:wine
//	  label: state
//	  missing: [NA, "?"]
//	split: {test: 0.3, seed: 7}       # or {folds: 5, seed: 7}
//	steps:
//	  - impute: {strategy: median}
//	  - onehot
//	  - standardize
//	  - fspca: {features: 20, components: 5}
//	  - logistic: {l2: 0.1}
//	output: {dir: out}
//
// Load reads such a file, and experiment.Run does what it says. The options of the
// steps are the types of package pipeline whose names end in Step. The JSON Schema
// of the whole is Schema, and configs/fspca.schema.json for editors. A step without
// options may be its bare name. A source is relative to the config, the output folder to the
// working directory.
//
// Reading is strict, since a key that is not understood would be a default that
// nobody chose. An unknown key or step is an error with the nearest known one. A
// number is written in decimal: 3.5, 010, 0x1f and 1_000 are no whole numbers. A
// truth value is true or false, not yes. A text that looks like a number is put
// in quotes, except among column names, levels and missing markers, which are
// taken as they are written. Keys that come twice, a second document, anchors,
// aliases, merge keys and tags are errors: each value then stands in one place,
// and a message can say which. All mistakes come back at once, sorted, each with
// file:line:column, in an Error.
//
// Overrides have the form of --set: "steps.fspca.features=30", a path of keys and
// a value in YAML. Lists take an index from 0, and a step its name where it
// occurs once (steps.1.fspca.features and steps.fspca.features are the same in
// the config above if fspca is its second step). They are put into the file's
// text before it is checked, so the same rules hold and the messages name them.
package config
