// Package config reads, checks and describes the YAML of a pipeline. It does not run one: package experiment does.
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
// Load reads such a file, and experiment.Run runs it. The options of the steps are the types
// of package pipeline whose names end in Step. The JSON Schema of the whole is Schema, and
// configs/fspca.schema.json for editors. A step without options may be its bare name. A
// source is relative to the config, the output folder to the working directory.
//
// Reading is strict, because a key that is ignored would silently leave a
// default in place. An unknown key or step is an error that suggests the nearest
// known one. Numbers are decimal: 3.5, 010, 0x1f and 1_000 are not whole
// numbers. A truth value is true or false, not yes. A text that looks like a
// number needs quotes, except among column names, levels and missing markers,
// which are read as they are written. Repeated keys, a second document, anchors,
// aliases, merge keys and tags are errors, so that every value has one place
// that a message can name. One Error holds all mistakes, sorted, each with
// file:line:column.
//
// Overrides have the form of --set: "steps.fspca.features=30", a path of keys and
// a value in YAML. An element of a list is named by its index from 0; a step also
// by its name, if that occurs once. In the config above steps.3.fspca.features
// and steps.fspca.features are the same. Overrides are put into the text of the
// file before it is checked, so the same rules apply and messages name them.
package config
