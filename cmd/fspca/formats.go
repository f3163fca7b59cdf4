package main

// The formats that programs which embed the packages do without unless they
// import these.
import (
	_ "github.com/fspca/fspca/dataset/parquet"
	_ "github.com/fspca/fspca/dataset/xlsx"
	_ "github.com/fspca/fspca/dataset/zstd"
)
