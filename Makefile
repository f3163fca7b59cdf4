# What CI runs is .ci/run; these are its parts by name.

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: all build test race lint nocgo quickstart examples fmt

all: build lint test

build:
	go build ./...

test:
	go test ./...

race:
	go test -race -short ./solver/... ./internal/kernel/... ./dataset/... ./transformer/... ./selector/... ./pipeline/...

# The linters, by name: gofmt, go vet (its default analysers), staticcheck
# (checks in staticcheck.conf).
lint:
	@test -z "$$(gofmt -l .)" || { echo "gofmt wanted:"; gofmt -l .; exit 1; }
	go vet ./...
	GOARCH=arm64 go vet ./...
	go run $(STATICCHECK) ./...

# Nothing in the default build needs cgo.
nocgo:
	CGO_ENABLED=0 go build ./...
	CGO_ENABLED=0 go vet ./...

quickstart:
	go run ./cmd/fspca run configs/digits.yaml

examples:
	go test ./examples/...

fmt:
	gofmt -w .

# The comparison with other tools; needs python3-sklearn, r-cran-irlba,
# r-cran-rspectra and octave-cli, as Debian names them.
.PHONY: bench-peers bench-sweep
bench-peers:
	go run ./bench peers

bench-sweep:
	go run ./bench sweep
