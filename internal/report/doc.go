// Package report writes the page that people open: one HTML file that needs
// nothing else, with the answer first and a picture of everything that was found.
//
// It reads what the commands print as JSON (fit --json, path --json, evaluate --json
// and report.json), by the names of the keys, and leaves out every section whose
// keys are not there. The same input gives the same bytes.
package report
