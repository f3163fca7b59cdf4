package report

import (
	"encoding/json"

	"github.com/fspca/fspca/selector"
)

// selection are the keys of selector.Summary that are shown.
type selection struct {
	Features    []string        `json:"features"`
	Support     []int           `json:"support"`
	Components  int             `json:"components"`
	Criterion   string          `json:"criterion"`
	Objective   float64         `json:"objective"`
	Variances   []float64       `json:"explained_variance"`
	OfTotal     float64         `json:"explained_variance_ratio"`
	OfPCA       float64         `json:"normalized_explained_variance"`
	Leading     float64         `json:"leading_variance"`
	Total       float64         `json:"total_variance"`
	Upper       float64         `json:"upper_bound"`
	Gap         float64         `json:"gap"`
	Proved      bool            `json:"proved"`
	BoundSource string          `json:"bound_source"`
	Status      string          `json:"status"`
	Iterations  int             `json:"iterations"`
	Trace       []float64       `json:"trace"`
	Rows        int             `json:"n_rows"`
	Columns     int             `json:"n_columns"`
	Constant    []string        `json:"constant_columns"`
	Figures     *figures        `json:"reconstruction"`
	Warnings    []warning       `json:"warnings"`
	Scree       *selector.Scree `json:"scree"`
	Stability   *bootstrap      `json:"stability"`
	Ledger      []entry         `json:"ledger"`
	W           [][]float64     `json:"w"`
	Options     json.RawMessage `json:"options"`
}

// figures are what a choice tells of all columns.
type figures struct {
	R2           *float64 `json:"r2"`
	R2Components *float64 `json:"r2_components"`
	Noise        *float64 `json:"noise"`
	PCA          *float64 `json:"pca"`
	Random       *float64 `json:"random"`
	Columns      []told   `json:"columns"`
}

// told is a column that was left out.
type told struct {
	Name        string   `json:"name"`
	R2          *float64 `json:"r2"`
	Nearest     string   `json:"nearest"`
	Correlation *float64 `json:"correlation"`
}

type bootstrap struct {
	Replicates int `json:"replicates"`
	Columns    []struct {
		Name      string  `json:"name"`
		Times     int     `json:"times"`
		Frequency float64 `json:"frequency"`
		Chosen    bool    `json:"chosen"`
	} `json:"columns"`
}

// entry is a column of the ledger.
type entry struct {
	Name        string   `json:"name"`
	Chosen      bool     `json:"chosen"`
	Excluded    bool     `json:"excluded"`
	Score       float64  `json:"score"`
	Rank        int      `json:"rank"`
	Margin      float64  `json:"margin"`
	Nearest     string   `json:"nearest"`
	Correlation float64  `json:"correlation"`
	R2          *float64 `json:"r2"`
}

// warning is a sentence, perhaps with a code.
type warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// UnmarshalJSON reads a text or an object.
func (w *warning) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &w.Message)
	}
	type plain warning
	return json.Unmarshal(b, (*plain)(w))
}

// point is one k of path --json.
type point struct {
	K             int       `json:"k"`
	Components    int       `json:"components"`
	Objective     float64   `json:"objective"`
	OfTotal       float64   `json:"explained_variance_ratio"`
	OfPCA         float64   `json:"normalized_explained_variance"`
	Upper         float64   `json:"upper_bound"`
	Gap           float64   `json:"gap"`
	Proved        bool      `json:"proved"`
	R2            *float64  `json:"r2_components"`
	Features      []string  `json:"features"`
	Contributions []float64 `json:"contributions"`
	Added         []string  `json:"added"`
	Removed       []string  `json:"removed"`
}

// run are the keys of report.json that are shown.
type run struct {
	Name     string          `json:"name"`
	Config   json.RawMessage `json:"config"`
	Seed     uint64          `json:"seed"`
	Versions struct {
		FSPCA string `json:"fspca"`
		Go    string `json:"go"`
	} `json:"versions"`
	Data struct {
		Source  string      `json:"source"`
		Hash    string      `json:"hash"`
		Rows    int         `json:"rows"`
		Columns int         `json:"columns"`
		Class   string      `json:"class"`
		Classes []classRows `json:"classes"`
	} `json:"data"`
	Split *struct {
		Kind    string `json:"kind"`
		Repeats int    `json:"repeats"`
		Train   []int  `json:"train"`
		Test    []int  `json:"test"`
	} `json:"split"`
	Constant   []string            `json:"constant"`
	Metrics    *metrics            `json:"metrics"`
	All        *metrics            `json:"all_columns"`
	Difference *difference         `json:"difference"`
	Baselines  map[string]*metrics `json:"baselines"`
	Search     *search             `json:"search"`
	Stability  *overlap            `json:"stability"`
	Warnings   []warning           `json:"warnings"`
	Selection  *struct{}           `json:"selection"`
}

// classRows is how many rows a class has.
type classRows struct {
	Class string `json:"class"`
	Rows  int    `json:"rows"`
}

// metrics are the figures of one pipeline on rows held out.
type metrics struct {
	Columns      int          `json:"columns"`
	Accuracy     *float64     `json:"accuracy"`
	AccuracySE   *float64     `json:"accuracy_se"`
	AccuracySD   *float64     `json:"accuracy_sd"`
	R2           *float64     `json:"r2"`
	R2SE         *float64     `json:"r2_se"`
	SEMethod     string       `json:"se_method"`
	FoldAccuracy []float64    `json:"fold_accuracy"`
	PerClass     []perClass   `json:"per_class"`
	Calibration  *calibration `json:"calibration"`
	Confusion    *confusion   `json:"confusion"`
	Error        string       `json:"error"`

	numbers []number // all keys that hold one number, in the order of the JSON
}

type number struct {
	key   string
	value float64
}

type perClass struct {
	Class     string  `json:"class"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
	Support   int     `json:"support"`
}

type confusion struct {
	Labels []string    `json:"labels"`
	Counts [][]float64 `json:"counts"`
}

type calibration struct {
	Error float64 `json:"error"`
	Bins  []struct {
		Rows        int     `json:"rows"`
		Probability float64 `json:"probability"`
		Right       float64 `json:"right"`
	} `json:"bins"`
}

// UnmarshalJSON keeps, beside the known keys, every key that holds a number: a new
// one is shown without a change here.
func (m *metrics) UnmarshalJSON(b []byte) error {
	type plain metrics
	if err := json.Unmarshal(b, (*plain)(m)); err != nil {
		return err
	}
	fields, err := fieldsOf(b)
	if err != nil {
		return err
	}
	for _, f := range fields {
		var v *float64
		if json.Unmarshal(f.value, &v) == nil && v != nil {
			m.numbers = append(m.numbers, number{f.key, *v})
		}
	}
	return nil
}

// difference is how the chosen columns do against all.
type difference struct {
	Accuracy *float64 `json:"accuracy"`
	R2       *float64 `json:"r2"`
	SE       *float64 `json:"se"`
	P        *float64 `json:"p"`
	Test     string   `json:"test"`
}

// search are the settings that were tried.
type search struct {
	Metric string          `json:"metric"`
	Rule   string          `json:"rule"`
	Folds  int             `json:"folds"`
	Points []tried         `json:"points"`
	Chosen json.RawMessage `json:"chosen"`
	Nested *struct {
		Score float64 `json:"score"`
	} `json:"nested"`
}

// tried is one setting.
type tried struct {
	Setting json.RawMessage `json:"setting"`
	Score   *float64        `json:"score"`
	SE      *float64        `json:"se"`
	Columns float64         `json:"columns"`
	Error   string          `json:"error"`
}

// overlap is how much the choices of the folds agree.
type overlap struct {
	Folds       int     `json:"folds"`
	MeanJaccard float64 `json:"mean_jaccard"`
	Frequency   []struct {
		Feature string `json:"feature"`
		Folds   int    `json:"folds"`
	} `json:"frequency"`
}

// evaluation are the keys of evaluate --json.
type evaluation struct {
	Rows      int       `json:"rows"`
	R2        *float64  `json:"r2"`
	Columns   []told    `json:"columns"`
	Residuals []float64 `json:"residuals"`
	Random    *float64  `json:"random"`
	Noise     *float64  `json:"noise"`
}
