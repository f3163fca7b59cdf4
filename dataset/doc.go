// Package dataset holds tables.
package dataset
