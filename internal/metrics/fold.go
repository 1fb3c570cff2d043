package metrics

// Fold is what makes one value of the values of a series for several tables, tasks, operators or splits.
type Fold uint8

// The folds.
const (
	Sum   Fold = iota // how much there is together
	Most              // the worst of them
	Least             // how far all are
)

var folds = map[*Series]Fold{
	inputMark: Least, outputMark: Least, operatorInput: Least, operatorOutput: Least, splitMark: Least,
	maxLateness: Most, taskBusy: Most, taskIdle: Most, taskBlocked: Most, splitActive: Most, splitPaused: Most, splitIdle: Most,
	operatorLateness: Most, readerLateness: Most, splitLateness: Most, checkpointTime: Most, checkpointAge: Most,
}

// Fold is the one that makes sense for the series.
func (s *Series) Fold() Fold { return folds[s] }
