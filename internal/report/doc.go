// Package report writes the page that people open: one HTML file that needs
// nothing else, with the answer first and a picture of everything that was found.
//
// It reads the JSON that the commands print (fit --json, path --json, evaluate
// --json and report.json) by the names of the keys. A section whose keys are absent
// is left out. The same input gives the same bytes.
package report
