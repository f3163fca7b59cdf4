package beam

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/extworker"
)

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
