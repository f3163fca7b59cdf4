package subspace

import (
	"reflect"

	"gonum.org/v1/gonum/mat"
)

// Order returns the order of an operator, 0 where there is none: nil, or a nil
// pointer. No size fits that.
func Order(a interface{ Order() int }) int {
	if v := reflect.ValueOf(a); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return 0
	}
	return a.Order()
}

// OrderOf returns the order of a matrix, 0 where there is none or it is empty.
func OrderOf(a mat.Symmetric) int {
	if v := reflect.ValueOf(a); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return 0
	}
	return a.SymmetricDim()
}
