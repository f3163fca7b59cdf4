// Package kernel holds the dense and sparse products that a fit spends its
// time in.
package kernel
