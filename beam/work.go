package beam

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/fspca/fspca/internal/words"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/memory"
)

// work is what the workers of a job do, as its folder says. A job has a folder in which the submitter
// writes this, and each group of shards its part, or what is wrong with the shards.
type work struct {
	Kind        string // what to do
	Read        dataset.ReadOptions
	OmitMissing bool
	Names       []string // the columns, in order
	Uncentered  bool
	Form        bool
	Units       []float64
	Score       scoring
	Shards      []shard
	Groups      [][]int // of the shards

	model  *namedBytes // of scoring
	folder string
	looked time.Time // when the mark of a remote folder was looked at
}

// The files in the folder of a job.
const (
	workFile    = "work.json"
	runningMark = "running" // there until the job ends
	operandFile = "operand"
)

func partFile(g int) string { return fmt.Sprintf("part-%05d", g) }

func failedFile(g int) string { return fmt.Sprintf("failed-%05d", g) }

func mistakesFile(g int) string { return fmt.Sprintf("mistakes-%05d", g) }

// mistake is an error of the user's, which no second attempt mends.
type mistake struct{ error }

// Unwrap returns the error itself.
func (m *mistake) Unwrap() error { return m.error }

func mistakef(format string, args ...any) error { return &mistake{fmt.Errorf(format, args...)} }

// isMistake reports whether an error is one of what the shards hold.
func isMistake(err error) bool {
	var m *mistake
	var parse *dataset.ParseError
	var columns *dataset.MissingColumnsError
	var cells *dataset.MissingCellsError
	var short *memory.Error
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.As(err, &short):
		return false
	}
	return errors.As(err, &m) || errors.As(err, &parse) || errors.As(err, &columns) || errors.As(err, &cells)
}

// errEnded is that of a worker whose job is over.
var errEnded = errors.New("the job has ended")

// ended returns an error once nobody waits for the work.
func (w *work) ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	const often = 10 * time.Second // a store is asked
	if remote(w.folder) && time.Since(w.looked) < often {
		return nil
	}
	w.looked = time.Now()
	if !exists(ctx, join(w.folder, runningMark)) {
		return errEnded
	}
	return nil
}

// unchanged returns an error if a shard is not as it was when the job was prepared.
func (w *work) unchanged(ctx context.Context, s shard) error {
	size, written, err := stat(ctx, s.Path)
	if err != nil {
		return err
	}
	if size != s.Size || !written.Equal(s.Written) {
		return mistakef("%s was written to while it was worked on: it must not change meanwhile", s.Name)
	}
	return nil
}

// loaded is the last work that this process was given: a worker reads it once.
var loaded struct {
	sync.Mutex
	work *work

	scorer Model
	folder string // of the job that the scorer is of
}

// workOf reads the work of a job.
func workOf(ctx context.Context, folder string) (*work, error) {
	loaded.Lock()
	defer loaded.Unlock()
	if loaded.work == nil || loaded.work.folder != folder {
		data, err := readFile(ctx, join(folder, workFile))
		if err != nil {
			return nil, fmt.Errorf("beam: the folder of the job: %w: do submitter and workers see the same files?", err)
		}
		w := &work{folder: folder}
		if err := json.Unmarshal(data, w); err != nil {
			return nil, fmt.Errorf("beam: %s: %w", workFile, err)
		}
		loaded.work = w
	}
	w := *loaded.work
	return &w, nil
}

// slots are those of the groups that a process works on at once: each may hold an accumulator.
var slots = make(chan struct{}, runtime.GOMAXPROCS(0))

// group works on the shards of a group, in order, and writes what part returns then. Mistakes are
// written instead, of all shards.
func (w *work) group(ctx context.Context, g int, each func(s shard) error, part func() ([]byte, error)) error {
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	var wrong []string
	for _, i := range w.Groups[g] {
		err := w.ended(ctx)
		if err == nil {
			err = each(w.Shards[i])
		}
		if isMistake(err) {
			wrong = append(wrong, err.Error())
		} else if err != nil {
			return w.fail(ctx, g, fmt.Errorf("%s: %w", w.Shards[i].Name, err))
		}
	}
	if wrong != nil {
		data, err := json.Marshal(wrong)
		if err != nil {
			return err
		}
		return writeBytes(ctx, join(w.folder, mistakesFile(g)), data)
	}
	data, err := part()
	if err == nil {
		err = writeBytes(ctx, join(w.folder, partFile(g)), data)
	}
	if err != nil {
		return w.fail(ctx, g, err)
	}
	return nil
}

// fail tells the submitter in plain words, since runners wrap an error in theirs. An engine that tries
// again may still succeed.
func (w *work) fail(ctx context.Context, g int, err error) error {
	if w.ended(ctx) == nil {
		_ = writeBytes(ctx, join(w.folder, failedFile(g)), []byte(err.Error()))
	}
	return err
}

// failure returns what the first group that failed says; "" if none does.
func (w *work) failure(ctx context.Context) string {
	found, err := list(ctx, join(w.folder, "failed-?????"))
	if err != nil || len(found) == 0 {
		return ""
	}
	text, err := readFile(ctx, slices.Min(found))
	if err != nil {
		return ""
	}
	return string(text)
}

// mistakes returns an error that lists what was wrong, in the order of the shards; nil for nothing.
func (w *work) mistakes(ctx context.Context) error {
	const most = 20
	found, err := list(ctx, join(w.folder, "mistakes-?????"))
	if err != nil {
		return err
	}
	slices.Sort(found)
	var errs []error
	for _, path := range found {
		data, err := readFile(ctx, path)
		if err != nil {
			return err
		}
		var wrong []string
		if err := json.Unmarshal(data, &wrong); err != nil {
			return err
		}
		for _, text := range wrong {
			errs = append(errs, &mistake{errors.New(text)})
		}
	}
	if more := len(errs) - most; more > 0 {
		errs = append(errs[:most], fmt.Errorf("and %s", words.Count(more, "more shard")))
	}
	return errors.Join(errs...)
}

// read decodes the part of a group.
func (w *work) read(ctx context.Context, g int, decode func([]byte) error) error {
	data, err := readFile(ctx, join(w.folder, partFile(g)))
	if err != nil {
		return fmt.Errorf("beam: the job is done, but the part of group %d is not there: %w", g+1, err)
	}
	return decode(data)
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}

func decode(data []byte, v any) error { return gob.NewDecoder(bytes.NewReader(data)).Decode(v) }
