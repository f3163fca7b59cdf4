// Package pipeline chains preprocessing steps, feature sparse PCA and a
// classifier; measures the chain on rows that it was not fitted on, beside the
// same chain on all columns; and saves, loads and reports it. A chain is
// described in YAML or built in Go.
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
// LoadConfig reads such a file and Run does what it says. The steps and their
// options are the types whose names end in Step; the JSON Schema of the whole is
// Schema, and configs/fspca.schema.json for editors. A step without options may
// be its bare name. A source is relative to the config, the output folder to the
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
// file:line:column, in a ConfigError.
//
// Overrides have the form of --set: "steps.fspca.features=30", a path of keys and
// a value in YAML. Lists take an index from 0, and a step its name where it
// occurs once (steps.1.fspca.features and steps.fspca.features are the same in
// the config above if fspca is its second step). They are put into the file's
// text before it is checked, so the same rules hold and the messages name them.
//
// # In Go
//
// New takes steps; FitContext fits them, PredictFrame, Transform and Project use
// them on any golearn grid. A Pipeline is a golearn base.Classifier. Fit fits
// every step anew, so that cross-validation, ours or golearn's, learns nothing
// from a test row. What is kept after Fit is narrowed: a pipeline whose fspca step
// chose 20 columns of 500 asks new data for those 20 alone, in any order.
//
// An error names the step: "step 2 (fspca): …". A panic in golearn comes back as
// an error too.
//
// # Files
//
// SaveDir writes a model: a folder with manifest.json, which has the format's
// version, the columns needed, the classes, and the name and hash of one JSON
// file for each step. Numbers are exact. LoadDir refuses a folder that is
// damaged, incomplete or of a newer version. Save and Load do the same in one
// golearn archive.
//
// Run writes model/, predictions.csv (the rows held out, with their class, the
// prediction and the probabilities) or, without a classifier, projection.csv, and
// report.json last. The same config and data give the same bytes. A folder that
// holds anything but an earlier run's results is refused before the work begins.
//
// # Cost
//
// A run fits the chain once for each split, and once more without the fspca step
// where there is a classifier; with folds it then fits it on all rows. Nothing is
// copied but the rows of each part. What each step costs is in its own comment.
//
// # References
//
// L. Tian, F. Nie, R. Wang and X. Li, "Learning Feature Sparse Principal
// Subspace", Advances in Neural Information Processing Systems 33, 2020.
package pipeline
