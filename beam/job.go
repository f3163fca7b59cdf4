package beam

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"

	"github.com/fspca/fspca/internal/lists"
)

// Options say how jobs are run. Where the runner is and what its workers are is said by Beam's own
// flags (--endpoint, --environment_type, …).
type Options struct {
	// Runner is the name under which a runner is registered with Beam; "" is "prism", which runs in
	// this process unless Beam's flag --endpoint names a server.
	Runner string

	// Deadline is the time that a job may take; 0 is two hours. Prism does not notice a worker that
	// is lost. Runners that try again do so within this time.
	Deadline time.Duration

	// Temp is a folder that the submitter and all workers see, for the parts of a job; "" is the
	// system's folder for temporary files, where all are on one machine.
	Temp string

	// Groups is the number of groups of shards, each of which a worker takes and writes one part for;
	// 0 is one for each shard, or fewer where their parts would take more than 4 GiB. It bounds how
	// many workers there is work for. The bytes of a fit depend on it.
	Groups int

	// Uncentered leaves the columns as they are; see solver.DataOptions.
	Uncentered bool

	// Progress, if not nil, is called now and then while a job runs.
	Progress func(Progress)
}

// Progress is how far a job is.
type Progress struct {
	Stage        string // "moments", "product", "transform" or "predict"
	Done, Groups int    // of shards
}

// defaultDeadline is that of Options.
const defaultDeadline = 2 * time.Hour

// JobError is a job that did not end well, for another reason than what the shards hold.
type JobError struct {
	Stage        string
	Done, Groups int      // groups of shards that were done, of all
	Missing      []string // shards of those that were not, the first ones
	Err          error    // wraps the error of the context, if that has ended
}

// Error names the stage and what was not done.
func (e *JobError) Error() string {
	text := fmt.Sprintf("beam: the job %q failed with %d of %d groups of shards done", e.Stage, e.Done, e.Groups)
	if len(e.Missing) > 0 {
		text += fmt.Sprintf(" (not done: %s)", strings.Join(e.Missing, ", "))
	}
	return fmt.Sprintf("%s; nothing was written: %v", text, e.Err)
}

// Unwrap returns the reason.
func (e *JobError) Unwrap() error { return e.Err }

// The kinds of work.
const (
	kindSums    = "sums"
	kindProduct = "product"
	kindScore   = "score"
)

// lanes is how many branches a graph has: Prism starts what is in one branch as one bundle, and so
// many at once.
const lanes = 8

// pipeline is the graph of a job.
func (w *work) pipeline() *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	var side []beam.Option
	var fn any = &groupFn{w.folder}
	if w.Kind == kindProduct {
		fn = &productFn{Folder: w.folder}
		side = []beam.Option{beam.SideInput{Input: beam.ParDo(s, &operandFn{w.folder}, beam.Impulse(s))}}
	}
	branches := make([][]int, min(lanes, len(w.Groups)))
	for g := range w.Groups {
		branches[g%len(branches)] = append(branches[g%len(branches)], g)
	}
	done := make([]beam.PCollection, len(branches))
	for i, list := range branches {
		in := beam.CreateList(s, list)
		if len(list) > 1 {
			in = beam.Reshuffle(s, in) // for engines with many workers
		}
		done[i] = beam.ParDo(s, fn, in, side...)
	}
	beam.ParDo0(s, &doneFn{}, beam.GroupByKey(s, beam.AddFixedKey(s, beam.Flatten(s, done...))))
	return p
}

// run runs a job and lets collect read the parts. By is the matrix of a product.
func (o Options) run(ctx context.Context, stage string, w *work, by *operand, collect func() error) error {
	if !beam.Initialized() {
		return errors.New("beam: the program has not called beam.Init after flag.Parse")
	}
	if *jobopts.Async {
		return errors.New("beam: Beam's flag --async is given, and the result of a job is waited for: leave it out")
	}
	if o.Deadline < 0 {
		return fmt.Errorf("beam: the deadline is %v: want a time above 0, or 0 for %v", o.Deadline, defaultDeadline)
	}
	if o.Groups < 0 {
		return fmt.Errorf("beam: the number of groups is %d: want one above 0, or 0", o.Groups)
	}
	folder, err := newFolder(o.Temp)
	if err != nil {
		return fmt.Errorf("beam: the folder of the job: %w", err)
	}
	defer removeFolder(context.WithoutCancel(ctx), folder)
	w.folder = folder
	if err := w.prepare(ctx, by); err != nil {
		return fmt.Errorf("beam: the folder of the job: %w", err)
	}
	failed := o.execute(ctx, stage, w)
	if ctx.Err() == nil {
		if err := w.mistakes(ctx); err != nil {
			return err
		}
	}
	if failed != nil {
		return failed
	}
	return collect()
}

// prepare writes what the workers are to do.
func (w *work) prepare(ctx context.Context, by *operand) error {
	data, err := json.Marshal(w)
	if err != nil {
		return err
	}
	content := []namedBytes{{runningMark, nil}, {workFile, data}}
	if w.model != nil {
		content = append(content, *w.model)
	}
	if by != nil {
		data, err := encode(by)
		if err != nil {
			return err
		}
		content = append(content, namedBytes{operandFile, data})
	}
	for _, f := range content {
		if err := writeBytes(ctx, join(w.folder, f.name), f.data); err != nil {
			return err
		}
	}
	return nil
}

// execute runs the pipeline under the deadline.
func (o Options) execute(ctx context.Context, stage string, w *work) error {
	limit := cmp.Or(o.Deadline, defaultDeadline)
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- runPipeline(within, o.Runner, w.pipeline()) }()
	err := o.wait(ctx, within, stage, w, ended)
	if err == nil {
		return nil
	}
	return w.explain(ctx, within, stage, limit, err)
}

// wait tells of the progress until the job has ended, or does not heed the end of its time.
func (o Options) wait(ctx, within context.Context, stage string, w *work, ended <-chan error) (err error) {
	for watching := true; watching; {
		select {
		case err = <-ended:
			watching = false
		case <-within.Done():
			select { // a runner may not look at the context
			case err = <-ended:
			case <-time.After(graceful):
				err = within.Err()
			}
			watching = false
		case <-time.After(time.Second):
			if o.Progress != nil {
				done, _ := w.done(ctx)
				o.Progress(Progress{Stage: stage, Done: done, Groups: len(w.Groups)})
			}
		}
	}
	return err
}

// explain says why a job did not end well, and how far it came.
func (w *work) explain(ctx, within context.Context, stage string, limit time.Duration, err error) error {
	failed := &JobError{Stage: stage, Groups: len(w.Groups), Err: err}
	failed.Done, failed.Missing = w.done(context.WithoutCancel(ctx))
	at, _ := within.Deadline()
	const hair = 100 * time.Millisecond // by which gRPC's clock is ahead
	text := w.failure(context.WithoutCancel(ctx))
	switch {
	case ctx.Err() != nil:
		failed.Err = ctx.Err()
	case text != "":
		failed.Err = errors.New(text)
	case within.Err() != nil || time.Until(at) < hair:
		failed.Err = fmt.Errorf("it did not end within its deadline of %v, as where a worker was lost: run it again, or give it more time: %w", limit, context.DeadlineExceeded)
	}
	return failed
}

// graceful is how long a runner may take to end after its context.
const graceful = 5 * time.Second

// done returns how many groups are done, and some shards of those that are not.
func (w *work) done(ctx context.Context) (done int, missing []string) {
	const most = 3
	found, err := list(ctx, join(w.folder, "*-*"))
	if err != nil {
		return 0, nil
	}
	there := lists.Set(lists.Map(found, func(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }))
	for g, group := range w.Groups {
		if there[partFile(g)] || there[mistakesFile(g)] {
			done++
		} else if len(missing) < most {
			missing = append(missing, w.Shards[group[0]].Name)
		} else if len(missing) == most {
			missing = append(missing, "…")
		}
	}
	return done, missing
}
