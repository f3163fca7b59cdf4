package beam

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/extworker"
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

// groupFn works on groups of shards.
type groupFn struct{ Folder string }

// ProcessElement works on group g. What comes of it is in the folder of the job.
func (f *groupFn) ProcessElement(ctx context.Context, g int, emit func(int)) error {
	w, err := workOf(ctx, f.Folder)
	if err != nil {
		return err
	}
	if w.Kind == kindScore {
		err = w.score(ctx, g)
	} else {
		err = w.sums(ctx, g)
	}
	if err == nil {
		emit(g)
	}
	return err
}

// productFn multiplies the rows of groups of shards with a matrix, its side input.
type productFn struct {
	Folder string

	by *operand
}

// ProcessElement works on group g.
func (f *productFn) ProcessElement(ctx context.Context, g int, side []byte, emit func(int)) error {
	w, err := workOf(ctx, f.Folder)
	if err != nil {
		return err
	}
	if f.by == nil {
		by := &operand{}
		if err := decode(side, by); err != nil {
			return err
		}
		f.by = by
	}
	if err := w.product(ctx, g, f.by); err != nil {
		return err
	}
	emit(g)
	return nil
}

// operandFn reads the matrix of a product on a worker: a large one makes a graph slow.
type operandFn struct{ Folder string }

// ProcessElement returns the matrix, encoded.
func (f *operandFn) ProcessElement(ctx context.Context, _ []byte) ([]byte, error) {
	return readFile(ctx, join(f.Folder, operandFile))
}

// doneFn ends the pipeline: a stage without output makes Prism spin.
type doneFn struct{}

// ProcessElement does nothing.
func (*doneFn) ProcessElement(_ int, groups func(*int) bool) {}

func init() {
	register.DoFn3x1[context.Context, int, func(int), error](&groupFn{})
	register.DoFn4x1[context.Context, int, []byte, func(int), error](&productFn{})
	register.DoFn2x2[context.Context, []byte, []byte, error](&operandFn{})
	register.DoFn2x0[int, func(*int) bool](&doneFn{})
	register.Emitter1[int]()
	register.Iter1[int]()
	beam.RegisterType(reflect.TypeFor[groupFn]())
}

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
	limit := o.Deadline
	if limit == 0 {
		limit = defaultDeadline
	}
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
	there := make(map[string]bool, len(found))
	for _, path := range found {
		there[path[strings.LastIndexAny(path, `/\`)+1:]] = true
	}
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

// flags guards those of Beam's flags that are set while a pipeline runs.
var flags sync.Mutex

// runPipeline runs p. The workers are this process, unless Beam's flags say otherwise.
func runPipeline(ctx context.Context, runner string, p *beam.Pipeline) error {
	flags.Lock()
	defer flags.Unlock()
	if runner == "" {
		runner = "prism"
	}
	if runner == "prism" || runner == "universal" {
		done, err := ownWorkers(ctx, runner)
		if err != nil {
			return err
		}
		defer done()
	}
	_, err := beam.Run(ctx, runner, p)
	return err
}

// ownWorkers makes this program the workers' program where no flag says otherwise. In LOOPBACK the
// workers are in this process, which Beam does too, but leaves a file behind for each job.
func ownWorkers(ctx context.Context, runner string) (done func(), err error) {
	kind, config, binary := *jobopts.EnvironmentType, *jobopts.EnvironmentConfig, *jobopts.WorkerBinary
	restore := func() {
		*jobopts.EnvironmentType, *jobopts.EnvironmentConfig, *jobopts.WorkerBinary = kind, config, binary
	}
	switch upper := strings.ToUpper(kind); {
	case upper == "LOOPBACK" || upper == "" && runner == "prism":
		server, err := extworker.StartLoopback(context.WithoutCancel(ctx), 0)
		if err != nil {
			return nil, err
		}
		*jobopts.EnvironmentType, *jobopts.EnvironmentConfig, *jobopts.WorkerBinary = "EXTERNAL", server.EnvironmentConfig(ctx), os.DevNull
		return func() { server.Stop(context.WithoutCancel(ctx)); restore() }, nil
	case upper == "PROCESS":
		if binary == "" {
			*jobopts.WorkerBinary = os.DevNull // Beam would build one
		}
		if config == "" {
			self, err := os.Executable()
			if err != nil {
				return nil, err
			}
			command, err := json.Marshal(map[string]string{"command": self})
			if err != nil {
				return nil, err
			}
			*jobopts.EnvironmentConfig = string(command)
		}
	}
	return restore, nil
}
