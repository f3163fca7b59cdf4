// Package faults holds tests that kill the command at its system calls, stop it by signals at points of
// its progress, fill its disk, limit its memory and files, and give it files that hold far more than
// their size. They take minutes and need Linux and strace:
//
//	go test -tags faults ./internal/faults
package faults
