// Package xlsx makes dataset read workbooks (.xlsx):
//
//	import _ "github.com/fspca/fspca/dataset/xlsx"
//
// One sheet is read (the option Sheet, where several hold cells), as the text that a spreadsheet
// would export. So every rule for a text holds, and lines in errors are rows of the sheet.
// Numbers are taken as they are stored, not as they are shown; dates become text such as
// 2024-05-31; true and false are 1 and 0; a line end inside a cell is a space. Of formulas the
// stored results count, and errors such as #N/A are text. Hidden rows and columns are read, hidden sheets only
// by name. Of merged cells the first has the value. Binary workbooks (.xlsb) are an error.
//
// It is code of our own. The library that most programs take, excelize, does not tell a sheet
// that is cut short from one that ends. It also holds all of a workbook in memory. Memory here
// is that of the table and of the texts that cells share.
//
// # References
//
// ECMA-376, Office Open XML file formats, part 1, chapter 18 (SpreadsheetML).
package xlsx

import (
	"bytes"

	"github.com/fspca/fspca/dataset"
)

func init() {
	err := dataset.RegisterFormat(dataset.Format{
		Name:    "xlsx",
		Endings: []string{".xlsx", ".xlsm"},
		Is: func(start []byte) bool {
			return bytes.HasPrefix(start, []byte("PK\x03\x04")) && bytes.Contains(start, []byte("xl/workbook"))
		},
		Sheet: writeText,
	})
	if err != nil {
		panic(err) // cannot be: it is complete
	}
}
