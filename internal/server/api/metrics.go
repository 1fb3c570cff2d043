package api

// TaskGraph tells which tasks a statement runs as. Graph is a JSON text of a Graph, as in Confluent Cloud.
type TaskGraph struct {
	APIVersion string `json:"api_version"`
	Kind       string `json:"kind"`
	Graph      string `json:"Graph"`
}

// Graph is the tasks of a statement, those that read sources first.
type Graph struct {
	Tasks []Task `json:"tasks"`
}

// Task is a stretch of operators without an exchange between.
type Task struct {
	ID        string      `json:"task_id"`
	Name      string      `json:"task_name"`
	Inputs    []TaskInput `json:"input_tasks"`
	Operators []Operator  `json:"included_operators"`
}

// TaskInput is a task whose rows another one gets, as its input of that number.
type TaskInput struct {
	ID     string `json:"task_id"`
	Number int    `json:"num"`
}

// Operator is one operator of a task, as that of that number.
type Operator struct {
	Number int    `json:"num"`
	ID     string `json:"operator_id"`
	Name   string `json:"operator_name"`
}

// Metrics are the numbers of one statement.
type Metrics struct {
	APIVersion string   `json:"api_version"`
	Kind       string   `json:"kind"`
	At         string   `json:"at"`
	Samples    []Sample `json:"samples"`
}

// Sample is a value of a series. Name is that of Confluent Cloud with its prefix.
type Sample struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels,omitempty"`
	Value  float64           `json:"value"`
}

// The kinds of these resources.
const (
	KindTaskGraph = "StatementTaskGraph"
	KindMetrics   = "StatementMetrics"
)
