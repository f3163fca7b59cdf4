//go:build ignore

// Generate writes machines.csv: invented telemetry of milling machines, with
// text columns, a constant column and missing cells, as tables from a plant have
// them. Run it with: go run generate.go
package main

import (
	"encoding/csv"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
)

const rows = 400

var header = []string{
	"machine", "plant", "model", "shift", "firmware",
	"load", "spindle_rpm", "motor_current", "motor_power", "supply_voltage",
	"vibration_x", "vibration_y", "noise_level", "bearing_temp", "oil_temp", "oil_pressure",
	"coolant_flow", "ambient_temp", "humidity", "hours_since_service", "state",
}

func main() {
	file, err := os.Create("machines.csv")
	if err != nil {
		log.Fatal(err)
	}
	w := csv.NewWriter(file)
	random := rand.New(rand.NewPCG(2026, 11))
	if err := w.Write(header); err != nil {
		log.Fatal(err)
	}
	for i := range rows {
		if err := w.Write(machine(i, random)); err != nil {
			log.Fatal(err)
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		log.Fatal(err)
	}
	if err := file.Close(); err != nil {
		log.Fatal(err)
	}
}

// machine is one row: two hidden causes, load and wear, move most of the sensors,
// and wear decides the state.
func machine(i int, random *rand.Rand) []string {
	plant := []string{"north", "south", "harbour"}[random.IntN(3)]
	model := []string{"M20", "M35", "M50"}[random.IntN(3)]
	shift := []string{"day", "night"}[random.IntN(2)]
	size := map[string]float64{"M20": 0.6, "M35": 1, "M50": 1.5}[model]
	load, wear := random.Float64(), math.Pow(random.Float64(), 1.5)
	noise := random.NormFloat64
	ambient := 18 + 3*noise()
	if plant == "harbour" {
		ambient -= 4
	}
	current := size * (8 + 14*load + 5*wear + 0.8*noise())
	numbers := []float64{
		load,
		2400 + 900*load - 250*wear + 60*noise(),
		current,
		0.38*current + 0.15*noise(),
		400 + 2*noise(),
		1.2 + 0.8*load + 4*wear + 0.35*noise(),
		1.1 + 0.7*load + 3.6*wear + 0.4*noise(),
		68 + 6*load + 11*wear + 1.5*noise(),
		ambient + 22 + 9*load + 19*wear + 2*noise(),
		ambient + 17 + 8*load + 9*wear + 2*noise(),
		4.8 - 1.6*wear + 0.2*noise(),
		12 + 1.5*noise(),
		ambient,
		45 + 12*noise(),
		math.Max(0, 2600*wear+350*noise()),
	}
	state := "ok"
	switch d := wear + 0.05*noise(); {
	case d > 0.68:
		state = "failing"
	case d > 0.36:
		state = "worn"
	}
	row := []string{"mc-" + strconv.Itoa(1000+i), plant, model, shift, "4.2"}
	for _, v := range numbers {
		row = append(row, cell(v, random))
	}
	if random.IntN(60) == 0 {
		row[3] = "unknown"
	}
	return append(row, state)
}

// cell writes a number with five digits, or, now and then, nothing.
func cell(v float64, random *rand.Rand) string {
	switch random.IntN(80) {
	case 0:
		return ""
	case 1:
		return "NA"
	}
	return strconv.FormatFloat(v, 'g', 5, 64)
}
