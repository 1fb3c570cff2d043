package api

// MetricQuery asks for one series. Confluent Cloud: POST /v2/metrics/cloud/query.
type MetricQuery struct {
	Aggregations []MetricAggregation `json:"aggregations"`
	Filter       *MetricFilter       `json:"filter,omitempty"`
	Granularity  string              `json:"granularity"`
	// GroupBy are the fields of which every combination of values is a group; without any all is one group.
	GroupBy []string `json:"group_by,omitempty"`
	// Intervals are two instants in RFC 3339 with a slash between.
	Intervals []string `json:"intervals"`
	Limit     int      `json:"limit,omitempty"`
	// Format is FLAT, which is usual, or GROUPED.
	Format string `json:"format,omitempty"`
}

// MetricAggregation is a series, with its prefix, and how values of a group become one: SUM, MIN, MAX, AVG or COUNT; "" is what makes sense for the series.
type MetricAggregation struct {
	Metric string `json:"metric"`
	Agg    string `json:"agg,omitempty"`
}

// MetricFilter is a condition: EQ of a field, AND and OR of Filters, NOT of Filter.
type MetricFilter struct {
	Op      string         `json:"op"`
	Field   string         `json:"field,omitempty"`
	Value   string         `json:"value,omitempty"`
	Filters []MetricFilter `json:"filters,omitempty"`
	Filter  *MetricFilter  `json:"filter,omitempty"`
}

// MetricData are the answers to a MetricQuery. In FLAT each has timestamp, value and the fields of its group that the series has; in GROUPED the fields and points, each of which has timestamp and value.
type MetricData struct {
	Data []map[string]any `json:"data"`
}

// MetricDescriptors tell which series can be asked for.
type MetricDescriptors struct {
	Data []MetricDescriptor `json:"data"`
}

// MetricDescriptor is one of them. Type is COUNTER_DOUBLE or GAUGE_DOUBLE.
type MetricDescriptor struct {
	Name        string        `json:"name"`
	Description string        `json:"description"`
	Type        string        `json:"type"`
	Unit        string        `json:"unit"`
	Lifecycle   string        `json:"lifecycle_stage"`
	Exportable  bool          `json:"exportable"`
	Labels      []MetricLabel `json:"labels"`
	Resources   []string      `json:"resources"`
}

// MetricLabel is a label; as a field of a query it has "metric." or "resource." before it.
type MetricLabel struct {
	Key         string `json:"key"`
	Description string `json:"description"`
	Exportable  bool   `json:"exportable"`
}

// ResourceDescriptors tell of what there are series.
type ResourceDescriptors struct {
	Data []ResourceDescriptor `json:"data"`
}

// ResourceDescriptor is one of them.
type ResourceDescriptor struct {
	Type        string        `json:"type"`
	Description string        `json:"description"`
	Labels      []MetricLabel `json:"labels"`
}
