package beam

import (
	"flag"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

var provision = flag.String("provision_endpoint", "", "set by Prism where it starts this program as a worker")

// Init calls Apache Beam's beam.Init, after flag.Parse and before anything with an effect: in a
// worker it does not return. It also knows how Prism starts worker processes
// (--environment_type=PROCESS): with quotes around the id, and a single endpoint.
func Init() {
	if *provision != "" {
		id := ""
		if f := flag.Lookup("id"); f != nil {
			id = strings.Trim(f.Value.String(), "'")
		}
		for name, value := range map[string]string{"worker": "true", "id": id, "logging_endpoint": *provision, "control_endpoint": *provision} {
			if err := flag.Set(name, value); err != nil {
				panic(err) // cannot be: Beam defines them
			}
		}
	}
	beam.Init()
}
