// Package pipeline chains preprocessing steps, feature sparse PCA and a
// classifier; fits and uses the chain; and saves and loads it. Package config
// describes a chain in YAML; package experiment measures and reports one.
//
// # In Go
//
// New takes steps; FitContext fits them, PredictFrame, Transform and Project use
// them on any golearn grid. A Pipeline is a golearn base.Classifier. Fit fits
// every step anew, so that cross-validation, ours or golearn's, learns nothing
// from a test row. What is kept after Fit is narrowed: a pipeline whose fspca step
// chose 20 columns of 500 asks new data for those 20 alone, in any order.
//
// PredictRow and PredictMap predict one row, bit for bit as a table of it; a chain
// of numbers takes no memory for that.
//
// An error names the step: "step 2 (fspca): …". A panic in golearn comes back as
// an error too.
//
// # Kinds of step
//
// What a config may name as a step is a Kind: its name, its options and what
// builds it. Register adds one of the program's own, which configs, the schema
// and saved models then know like those of this module. The options are a struct
// whose tags say everything:
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
//
// # Files
//
// SaveDir writes a model: a folder with manifest.json, which has the format's
// version, the columns needed, the classes, and the name and hash of one JSON
// file for each step. Numbers are exact. LoadDir refuses a folder that is
// damaged, incomplete or of a newer version. Save and Load do the same in one
// golearn archive.
//
// # References
//
// L. Tian, F. Nie, R. Wang and X. Li, Learning Feature Sparse Principal Subspace,
// NeurIPS 2020.
package pipeline
