// Package pipeline chains preprocessing steps, Feature Sparse PCA and a
// classifier. It fits, applies, saves and loads the chain. Package config
// describes a chain in YAML; package experiment measures and reports one. A
// single selection without steps needs only package selector.
//
// # In Go
//
// New takes steps. FitContext fits them; PredictFrame, Transform and Project apply
// them to any golearn grid. A Pipeline is a golearn base.Classifier. Fit fits
// every step again, so that cross-validation, ours or golearn's, learns nothing
// from a test row. The fitted chain is narrowed: if the fspca step chose 20
// columns of 500, new data need those 20 alone, in any order.
//
// PredictRow and PredictMap predict one row, bit for bit like a table with that
// row. A chain of numeric steps allocates no memory for that.
//
// An error names the step: "step 2 (fspca): …". A panic in golearn becomes an
// error too.
//
// # Kinds of step
//
// A Kind is a sort of step that a config may name: its name, its options and its
// builder. Register adds a kind of your own; configs, the schema and saved
// models then treat it like those of this module. The options are a struct with
// these tags:
//
//	json:"name"     the key
//	rule:"…"        required; min=, max=, above=, below= a number; one=a|b|c; unique
//	                (a list); written (texts are taken as they are written); char;
//	                duration; separated by commas
//	default:"…"     what an absent key means, for the schema and the report
//	aka:"a|b"       what people write instead, for suggestions
//	doc:"…"         one sentence, for the schema
//
// Options of a preprocessing step that embed Scope give it the option columns.
// Options with a method Check() error say what is wrong beyond single keys.
// A step that is a transformer.Foreteller lets a check of the config look behind it.
//
// # Files
//
// SaveDir writes a model: a folder with a JSON file for each step, and
// manifest.json. The manifest holds the version of the format, the columns
// that are needed, the classes, and the names and hashes of the files.
// Numbers are exact. LoadDir refuses a folder that is damaged, incomplete or
// of a newer version. Save and Load do the same with one golearn archive.
//
// # References
//
// L. Tian, F. Nie, R. Wang and X. Li, Learning Feature Sparse Principal Subspace,
// NeurIPS 2020.
package pipeline
