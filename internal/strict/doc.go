// Package strict reads YAML into Go structs without guessing. The keys, their
// rules, defaults and descriptions are struct tags; the decoder, the checks and
// the JSON Schema all follow them. Every mistake is reported with its place, and
// all of them at once. The package knows nothing of what the files are about.
package strict
