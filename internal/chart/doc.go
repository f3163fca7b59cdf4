// Package chart draws every picture of the project as SVG: lines and points over
// two axes, for a page or as a file, and the path over k.
package chart
