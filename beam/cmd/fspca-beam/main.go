package main

import (
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/direct"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/fspca/fspca/dataset/parquet"
	_ "github.com/fspca/fspca/dataset/zstd"
	_ "github.com/fspca/fspca/pipeline"
	_ "github.com/spf13/cobra"
	_ "gonum.org/v1/gonum/mat"
	"github.com/spf13/pflag"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

func main() { pflag.Parse(); beam.Init() }
