// Package faults holds tests of the command under faults. They kill it at its
// system calls, or stop it by signals at points of its progress. They fill its
// disk, limit its memory and files, and give it files that unpack to far more than
// their size. They take minutes and need Linux and strace:
//
//	go test -tags faults ./internal/faults
package faults
