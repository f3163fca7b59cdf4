package beam

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// TestRemoveFolder: a folder goes while others write into it, and does not come back.
func TestRemoveFolder(t *testing.T) {
	temp := t.TempDir()
	for range 200 {
		dir := must.Get(newFolder(temp))(t)
		var wg sync.WaitGroup
		var over atomic.Bool
		started := make(chan struct{}, 4)
		for w := range 4 {
			wg.Go(func() {
				for g := 0; g < 1<<14 && !over.Load(); g++ { // bounded: a machine that stands still shall not fill the disk
					err := writeBytes(context.Background(), filepath.Join(dir, partFile(4*g+w)), []byte("x"))
					if err != nil {
						return // the folder is gone
					}
					if g == 3 {
						started <- struct{}{}
					}
				}
			})
		}
		<-started
		removeFolder(context.Background(), dir)
		left, err := os.ReadDir(temp)
		over.Store(true)
		wg.Wait()
		if err != nil || len(left) > 0 {
			t.Fatalf("left behind: %v, %v", left, err)
		}
	}
}
