//go:build !cgo

// Knn needs cgo; see main.go.
package main

import "fmt"

func main() {
	fmt.Println("golearn's knn needs cgo: install a C compiler and set CGO_ENABLED=1, or use knn of the pipeline package")
}
