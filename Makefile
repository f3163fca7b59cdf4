# What CI runs is .ci/run; these are its parts by name.

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: all build test race lint nocgo kernels quickstart examples fmt

all: build lint test

build:
	go build ./...

test:
	go test ./...

race:
	go test -race -short -timeout 30m ./solver/... ./internal/kernel/... ./dataset/... ./transformer/... ./selector/... ./pipeline/...

# The linters, by name: gofmt, go vet (its default analysers), staticcheck
# (checks in staticcheck.conf).
lint:
	@test -z "$$(gofmt -l .)" || { echo "gofmt wanted:"; gofmt -l .; exit 1; }
	go vet ./...
	GOARCH=arm64 go vet ./...
	go run $(STATICCHECK) ./...

# The module of beam/, which has Apache Beam's dependencies for itself. Its tests start
# Prism as a process, built from the same module.
.PHONY: beam bench-beam
beam:
	go -C beam vet ./...
	cd beam && go run $(STATICCHECK) ./...
	go -C beam test ./...

# Fits on Beam beside a plain loop over the same shards: see docs/scale.md.
bench-beam:
	cd beam && go run ./internal/bench -counts
	cd beam && go run ./internal/bench -ending .parquet

# Nothing in the default build needs cgo.
nocgo:
	CGO_ENABLED=0 go build ./...
	CGO_ENABLED=0 go vet ./...

# The generator of the vector kernels writes the files that are committed, and
# the AVX2 and plain paths pass the tests of the kernels and the solver.
kernels:
	go -C internal/kernel/gen test ./...
	FSPCA_KERNEL=avx2 go test -short ./internal/kernel ./solver
	go test -short -tags noasm ./internal/kernel ./solver

quickstart:
	go run ./cmd/fspca run configs/digits.yaml

examples:
	go test ./examples/...

fmt:
	gofmt -w .

# The comparison with other tools; needs python3-sklearn, r-cran-irlba,
# r-cran-rspectra and octave-cli, as Debian names them.
.PHONY: bench-peers bench-dense bench-sweep bench-read bench-models bench-stream
bench-peers: bench-dense
	go run ./internal/research/bench peers

# The strongest dense PCA of NumPy and SciPy at 16 shapes, on one thread and on two;
# SHAPE='(2000, 500) noise' measures one of them again, NOTE goes into the page.
bench-dense:
	go run ./internal/research/bench dense -rounds 2 -only "$(SHAPE)" -note "$(NOTE)"

bench-sweep:
	go run ./internal/research/bench sweep

# Reading CSV beside encoding/csv and, if python3-pandas is there, pandas.
bench-read:
	go run ./internal/research/bench read

# The classifiers beside scikit-learn: fits and predictions, ratios of medians.
bench-models:
	go run ./internal/research/bench models -rounds 3

# Tables of 0.6 and 6 GB in 256 MiB to 1 GiB: time and peak RSS. It takes 20 GB of disk in
# DIR; ONLY=npy measures one of npy, csv, wide, transform, transform-csv, ratio.
DIR ?= $(or $(TMPDIR),/tmp)/fspca-stream
SIZE ?= 6
bench-stream:
	go run ./internal/research/bench stream -dir $(DIR) -size $(SIZE) -only "$(ONLY)"
