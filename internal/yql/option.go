package yql

// The keys of WITH behind a topic, in upper case. Keys do not mind case.
const (
	OptionFormat      = "FORMAT"
	OptionSchema      = "SCHEMA"
	OptionWatermark   = "WATERMARK"
	OptionGranularity = "WATERMARK_GRANULARITY"
	OptionIdle        = "WATERMARK_IDLE_TIMEOUT"
	OptionDropLate    = "WATERMARK_DROP_LATE_EVENTS"
	OptionAdjustLate  = "WATERMARK_ADJUST_LATE_EVENTS"
	OptionStreaming   = "STREAMING"
	OptionSharing     = "SHARED_READING"
	OptionSkip        = "SHARED_READING_SKIP_JSON_ERRORS"
	OptionSkipOld     = "SKIP.JSON.ERRORS"
	OptionDelimiter   = "CSV_DELIMITER"
)

// UsualOptions are the keys that people are told of behind a topic, RareOptions what else is known there.
var (
	UsualOptions = []string{OptionFormat, OptionSchema, OptionWatermark, OptionGranularity, OptionIdle, OptionDropLate, OptionAdjustLate, OptionStreaming, OptionSharing}
	RareOptions  = []string{OptionSkip, OptionSkipOld, OptionDelimiter}
)

// Formats are what messages can be in.
var Formats = []string{"json_each_row", "json_list", "json_as_string", "csv_with_names", "tsv_with_names", "raw"}

// The keys of WITH and SET of a streaming query, in upper case. YDB has the same ones, and OUTPUT_FROM.
const (
	SettingRun         = "RUN"
	SettingPool        = "RESOURCE_POOL"
	SettingLatePolicy  = "WATERMARK_LATE_EVENTS_POLICY"
	SettingReadFrom    = "READ_FROM"
	SettingDisposition = "STREAMING_DISPOSITION" // an older spelling of READ_FROM
	SettingInterval    = "CHECKPOINT_INTERVAL"
	SettingForce       = "FORCE"
)

// QuerySettings are all of them, as they are told.
var QuerySettings = []string{SettingRun, SettingPool, SettingLatePolicy, SettingReadFrom, SettingDisposition, SettingInterval, SettingForce}
