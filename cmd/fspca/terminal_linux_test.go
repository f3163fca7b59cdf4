package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/must"
)

// TestRoom: tables have the room of the terminal that standard output is, behind whatever wraps it, and any
// room elsewhere.
func TestRoom(t *testing.T) {
	t.Setenv("TERM", "xterm")
	wrapped := func(to io.Writer) io.Writer { return &watchedWriter{to: &cli.Output{To: to}} }
	if room := roomOf(wrapped(&bytes.Buffer{})); room != 0 {
		t.Errorf("%d cells in a buffer", room)
	}
	file := must.Get(os.Create(t.TempDir() + "/out"))(t)
	defer file.Close()
	if room := roomOf(wrapped(file)); room != 0 {
		t.Errorf("%d cells in a file", room)
	}
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err) // no terminal can be made here
	}
	defer master.Close()
	fd := int(master.Fd())
	must.OK(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number := must.Get(unix.IoctlGetInt(fd, unix.TIOCGPTN))(t)
	terminal := must.Get(os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0))(t)
	defer terminal.Close()
	must.OK(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 93}))
	if room := roomOf(wrapped(terminal)); room != 93 {
		t.Errorf("%d cells of a terminal of 93", room)
	}
}
