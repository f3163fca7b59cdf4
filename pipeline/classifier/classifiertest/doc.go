// Package classifiertest holds the suite that every classifier passes:
//
//	func TestMine(t *testing.T) {
//		classifiertest.Run(t, func() classifier.Classifier { return new(Mine) })
//	}
package classifiertest
