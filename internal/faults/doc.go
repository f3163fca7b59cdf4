// Package faults holds tests that kill the command at its system calls, fill its disk, and limit
// its memory and files. They take minutes and need Linux and strace:
//
//	go test -tags faults ./internal/faults
package faults
