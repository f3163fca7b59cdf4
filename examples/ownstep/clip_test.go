package main

import (
	"testing"

	"github.com/fspca/fspca/transformer"
	"github.com/fspca/fspca/transformer/transformertest"
)

func TestClip(t *testing.T) {
	transformertest.Run(t, func() transformer.Transformer { return &clip{share: 0.05} })
}
