package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Setting is one key that SET takes.
type Setting struct {
	Key string
	// Doc is a sentence for the reference.
	Doc string
	// Default is the value in each profile; empty means unset.
	Default, FlinkDefault string
	// Values are all that it can be, in any case of letters; nil if that is not a list.
	Values []string
	// Check refuses a value; nil takes any.
	Check func(value string) error
	// Alias is the key that this one is another spelling of.
	Alias string
}

// Profile is a table of default values.
type Profile string

// The profiles.
const (
	Confluent Profile = "confluent"
	Flink     Profile = "flink"
)

// The keys that the engine reads, apart from those of watermarks, which package plan resolves.
const (
	KeyProfile     = "sql.profile"
	KeyTimeZone    = "sql.local-time-zone"
	KeyParallelism = "parallelism.default"
	KeyStateMemory = "execution.state.memory-limit"
	KeyRuntimeMode = "execution.runtime-mode"
	KeyCatalog     = "sql.current-catalog"
	KeyDatabase    = "sql.current-database"
	KeyCheckpoints = "execution.checkpointing.interval"
	KeyRetained    = "execution.checkpointing.num-retained"
	KeyIncremental = "execution.checkpointing.incremental"
	KeyStateTTL    = "sql.state-ttl"
)

// KeyReuse is whether views and WITH queries that are read several times are computed once.
const KeyReuse = "table.optimizer.reuse-sub-plan-enabled"

// KeyNotNull is what becomes of a NULL that is written to a column that is NOT NULL.
const KeyNotNull = "table.exec.sink.not-null-enforcer"

// KeySnapshot is whether queries are over the rows that there are now, and its values.
const (
	KeySnapshot = "sql.snapshot.mode"
	SnapshotOff = "off"
	SnapshotNow = "now"
)

// The keys of watermarks that a session can set.
const (
	KeyIdleTimeout  = "sql.tables.scan.idle-timeout"
	KeyEmitInterval = "pipeline.auto-watermark-interval"
	KeyEmitGap      = "table.exec.watermark-emit.gap"
	KeyNullTime     = "table.exec.source.rowtime-null-handling"
	KeyDrift        = "sql.tables.scan.watermark-alignment.max-allowed-drift"
)

// Progressive is the idle timeout that grows with the age of a statement.
const Progressive = "progressive"

// KnownSettings lists every key that SET takes.
var KnownSettings = []Setting{
	{Key: KeyProfile, Doc: "which system's defaults hold: confluent or flink", Default: string(Confluent), FlinkDefault: string(Flink), Values: []string{string(Confluent), string(Flink)}},
	{Key: KeyCatalog, Doc: "the catalog that names of one or two parts are looked for in, as USE CATALOG says", Default: DefaultCatalog, FlinkDefault: DefaultCatalog},
	{Key: KeyDatabase, Doc: "the database that names of one part are looked for in, as USE says", Default: DefaultDatabase, FlinkDefault: DefaultDatabase},
	{Key: KeyTimeZone, Doc: "the zone of windows, CAST, DATE_FORMAT, HOUR and the like over a TIMESTAMP_LTZ; output shows it in UTC", Default: "UTC", FlinkDefault: "UTC", Check: checkZone},
	{Key: "table.local-time-zone", Alias: KeyTimeZone, Check: checkZone},
	{Key: KeyParallelism, Doc: "how many workers decode and how many tasks aggregate; results do not depend on it", Check: checkParallelism},
	{Key: "table.exec.resource.default-parallelism", Alias: KeyParallelism, Check: checkParallelism},
	{Key: "sql.tables.scan.source-operator-parallelism", Alias: KeyParallelism, Check: checkParallelism},
	{Key: KeyStateMemory, Doc: "about how much memory a statement may use for aggregations; the rest is kept on disk. 0 is any amount; results do not depend on it", Default: "0", FlinkDefault: "0", Check: checkSize},
	{Key: KeyRuntimeMode, Doc: "streaming is all there is; a bounded input ends by itself", Default: "streaming", FlinkDefault: "streaming", Values: []string{"streaming"}},
	{Key: KeySnapshot, Doc: "now makes queries of the rows that there are when they start: they end, no row is late, and each row of the result is told once", Default: SnapshotOff, FlinkDefault: SnapshotOff, Values: []string{SnapshotOff, SnapshotNow}},
	{Key: "table.dml-sync", Doc: "whether a script waits for the end of an INSERT before it goes on, which it does", Default: "true", FlinkDefault: "true", Values: []string{"true"}},
	{Key: "table.dynamic-table-options.enabled", Doc: "OPTIONS hints are always read", Default: "true", FlinkDefault: "true", Values: []string{"true"}},
	{Key: "table.sql-dialect", Doc: "Flink's own dialect is the one there is", Default: "default", FlinkDefault: "default", Values: []string{"default"}},
	{Key: KeyNotNull, Doc: "what becomes of a row with a NULL for a column that is NOT NULL when it is inserted: ERROR or DROP", Default: "ERROR", FlinkDefault: "ERROR", Values: []string{"ERROR", "DROP"}},
	{Key: KeyReuse, Doc: "whether an aggregation or join in a view or WITH query that a statement, or the INSERTs of a set, read several times is computed once; Flink computes it once unless told otherwise", Default: "false", FlinkDefault: "false", Values: []string{"true", "false"}},
	{Key: KeyStateTTL, Doc: "how long aggregations without windows, HOP of YQL, joins, set operations and first rows keep what is not written any more, by the wall clock; 0 for ever", Default: "0 ms", FlinkDefault: "0 ms", Check: checkDuration},
	{Key: "table.exec.state.ttl", Alias: KeyStateTTL, Check: checkDuration},
	{Key: KeyCheckpoints, Doc: "time from one checkpoint to the next, with --state-dir; --checkpoint-interval wins", Default: "10 s", FlinkDefault: "10 s", Check: checkCheckpoints},
	{Key: KeyIncremental, Doc: "whether a checkpoint refers to older files for what has not changed; false writes each whole, in a file of its own", Default: "true", FlinkDefault: "true", Values: []string{"true", "false"}},
	{Key: KeyRetained, Doc: "how many checkpoints are kept, the newest", Default: "2", FlinkDefault: "2", Check: checkRetained},
	{Key: KeyIdleTimeout, Doc: "how long a split may be silent before it stops holding the watermark; 0 for ever, progressive: longer and longer", Default: Progressive, FlinkDefault: "0", Check: checkTimeout},
	{Key: "table.exec.source.idle-timeout", Alias: KeyIdleTimeout, Check: checkTimeout},
	{Key: KeyDrift, Doc: "how far a split may be ahead of the least watermark of the statement before it is not read for a while; 0 for any", Default: "5 min", FlinkDefault: "0", Check: checkDuration},
	{Key: KeyEmitInterval, Doc: "time between periodic watermarks; profile flink only", Default: "200 ms", FlinkDefault: "200 ms", Check: checkDuration},
	{Key: KeyEmitGap, Doc: "rows between watermarks of a table that emits on-event; proposed by FLIP-296, in no release of Flink", Default: "1", FlinkDefault: "1", Check: checkGap},
	{Key: KeyNullTime, Doc: "what becomes of a row without event time: FAIL, DROP or SKIP_WATERMARK; from Flink 2.4", Default: "FAIL", FlinkDefault: "FAIL", Values: []string{"FAIL", "DROP", "SKIP_WATERMARK"}},
}

// Settings are the values that were SET. The zero value has none.
type Settings struct {
	values []setValue
}

type setValue struct{ key, value string }

// SettingError is a SET that cannot be. OfKey says that the key is at fault, not the value.
type SettingError struct {
	OfKey         bool
	Message, Hint string
}

func (e *SettingError) Error() string { return e.Message }

// Set sets key to value, or does nothing if the key is WithoutEffect; the error is a *SettingError.
func (s *Settings) Set(key, value string) error {
	if _, ok := WithoutEffect(key); ok {
		return nil
	}
	known, err := knownSetting(key)
	if err != nil {
		return err
	}
	if known.Values != nil {
		at := slices.IndexFunc(known.Values, func(v string) bool { return strings.EqualFold(v, value) })
		if at < 0 {
			return &SettingError{Message: fmt.Sprintf("'%s' cannot be '%s'", key, value), Hint: "it can be: " + strings.Join(known.Values, ", ")}
		}
		value = known.Values[at]
	}
	if known.Check != nil {
		if err := known.Check(value); err != nil {
			return &SettingError{Message: fmt.Sprintf("'%s' cannot be '%s'", key, value), Hint: err.Error()}
		}
	}
	if known.Key == KeyEmitInterval && s.Profile() == Confluent {
		if d, err := connector.ParseDuration(value); err == nil && d == 200_000 {
			return nil
		}
		return &SettingError{OfKey: true, Message: fmt.Sprintf("'%s' is fixed at 200 ms in the profile 'confluent'", key),
			Hint: "SET 'sql.profile' = 'flink' before it, or let the table emit with every row: 'scan.watermark.emit.strategy' = 'on-event'"}
	}
	if key == KeyProfile && value == string(Confluent) {
		if err := s.checkInterval(key); err != nil {
			return err
		}
	}
	if v, ok := s.raw(cmp.Or(known.Alias, key)); ok && v.key != key && v.value != value {
		return &SettingError{Message: fmt.Sprintf("'%s' and '%s' are two names of one setting, and are given different values", v.key, key),
			Hint: fmt.Sprintf("RESET '%s' first, or use one of the two", v.key)}
	}
	s.reset(key)
	s.values = append(s.values, setValue{key, value})
	return nil
}

// checkInterval refuses to leave the profile flink by key while an interval holds that the profile confluent has not.
func (s *Settings) checkInterval(key string) error {
	if _, ok := s.raw(KeyEmitInterval); !ok {
		return nil
	}
	return &SettingError{Message: fmt.Sprintf("'%s' cannot go back to 'confluent' while '%s' is set, which is fixed there", key, KeyEmitInterval),
		Hint: fmt.Sprintf("RESET '%s' first", KeyEmitInterval)}
}

// Reset takes key back to its default, or all keys if key is empty, apart from what USE chose; the error is a *SettingError.
func (s *Settings) Reset(key string) error {
	if key == "" {
		s.values = slices.DeleteFunc(s.values, func(v setValue) bool { return v.key != KeyCatalog && v.key != KeyDatabase })
		return nil
	}
	if _, ok := WithoutEffect(key); ok {
		return nil
	}
	if _, err := knownSetting(key); err != nil {
		return err
	}
	if key == KeyProfile {
		if err := s.checkInterval(key); err != nil {
			return err
		}
	}
	s.reset(key)
	return nil
}

func (s *Settings) reset(key string) {
	s.values = slices.DeleteFunc(s.values, func(v setValue) bool { return v.key == key })
}

func knownSetting(key string) (*Setting, error) {
	names := make([]string, len(KnownSettings))
	for i := range KnownSettings {
		if KnownSettings[i].Key == key {
			return &KnownSettings[i], nil
		}
		names[i] = KnownSettings[i].Key
	}
	if hint, length := longest(refusedSettings, key); length > 0 {
		return nil, &SettingError{OfKey: true, Message: fmt.Sprintf("setting '%s' is not supported", key), Hint: hint}
	}
	e := &SettingError{OfKey: true, Message: fmt.Sprintf("there is no setting '%s'", key)}
	if near := source.Nearest(key, names); near != "" {
		e.Hint = fmt.Sprintf("did you mean '%s'?", near)
	} else {
		e.Hint = "SET alone lists the settings there are"
	}
	return nil, e
}

// raw finds what was SET for a key or one of its aliases.
func (s *Settings) raw(key string) (setValue, bool) {
	for _, v := range s.values {
		if v.key == key {
			return v, true
		}
		for i := range KnownSettings {
			if KnownSettings[i].Key == v.key && KnownSettings[i].Alias == key {
				return v, true
			}
		}
	}
	return setValue{}, false
}

// Value is the value of a setting and where it comes from: "SET 'key'" or "profile confluent".
func (s *Settings) Value(key string) (value, origin string) {
	if v, ok := s.raw(key); ok {
		return v.value, "SET '" + v.key + "'"
	}
	p := s.Profile()
	for i := range KnownSettings {
		k := &KnownSettings[i]
		if k.Key != key {
			continue
		}
		if p == Flink {
			return k.FlinkDefault, "profile " + string(p)
		}
		return k.Default, "profile " + string(p)
	}
	panic("tidemark bug: no setting " + key)
}

// WasSet reports whether a setting has another value than its default because somebody said so.
func (s *Settings) WasSet(key string) bool {
	_, ok := s.raw(key)
	return ok
}

// Profile is the profile in force.
func (s *Settings) Profile() Profile {
	if v, ok := s.raw(KeyProfile); ok {
		return Profile(v.value)
	}
	return Confluent
}

// Zone is the session's time zone.
func (s *Settings) Zone() *time.Location {
	name, _ := s.Value(KeyTimeZone)
	loc, err := loadZone(name)
	if err != nil {
		panic("tidemark bug: time zone was not checked: " + err.Error())
	}
	return loc
}

// Parallelism is what 'parallelism.default' was SET to, 0 if it was not.
func (s *Settings) Parallelism() int {
	v, ok := s.raw(KeyParallelism)
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(v.value)
	if err != nil {
		panic("tidemark bug: parallelism was not checked: " + err.Error())
	}
	return n
}

// Checkpoints is the time from one checkpoint to the next, in microseconds, and how many are kept.
func (s *Settings) Checkpoints() (interval int64, kept int) {
	text, _ := s.Value(KeyCheckpoints)
	interval, err := connector.ParseDuration(text)
	if err == nil {
		text, _ = s.Value(KeyRetained)
		kept, err = strconv.Atoi(text)
	}
	if err != nil {
		panic("tidemark bug: checkpoints were not checked: " + err.Error())
	}
	return interval, kept
}

// StateMemory is what 'execution.state.memory-limit' was SET to, in bytes; ok is false if it was not.
func (s *Settings) StateMemory() (n int64, ok bool) {
	v, ok := s.raw(KeyStateMemory)
	if !ok {
		return 0, false
	}
	return connector.ParseSize(v.value)
}

// Incremental is whether checkpoints refer to older files. Flink 2.3: no by default; it depends on the state backend whether they can.
func (s *Settings) Incremental() bool {
	text, _ := s.Value(KeyIncremental)
	return text == "true"
}

func loadZone(name string) (*time.Location, error) {
	switch {
	case strings.EqualFold(name, "local") || name == "":
		return nil, fmt.Errorf("name a zone, such as 'UTC' or 'Europe/Berlin'")
	case strings.HasPrefix(name, "GMT+"), strings.HasPrefix(name, "GMT-"), strings.HasPrefix(name, "UTC+"), strings.HasPrefix(name, "UTC-"),
		strings.HasPrefix(name, "+"), strings.HasPrefix(name, "-"):
		return fixedZone(name)
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("use a name of the time zone database, such as 'UTC', 'Europe/Berlin', or an offset such as 'GMT+02:00'")
	}
	return loc, nil
}

func fixedZone(name string) (*time.Location, error) {
	text := strings.TrimPrefix(strings.TrimPrefix(name, "GMT"), "UTC")
	for _, layout := range []string{"-07:00", "-07"} {
		if t, err := time.Parse(layout, text); err == nil {
			_, offset := t.Zone()
			return time.FixedZone(name, offset), nil
		}
	}
	return nil, fmt.Errorf("write an offset as in 'GMT+02:00'")
}

func checkZone(v string) error { _, err := loadZone(v); return err }

func checkDuration(v string) error {
	if _, err := connector.ParseDuration(v); err != nil {
		return fmt.Errorf("write a number and a unit, such as '200 ms', '10 s' or '5 min'")
	}
	return nil
}

func checkSize(v string) error {
	if _, ok := connector.ParseSize(v); !ok {
		return fmt.Errorf("write a number and a unit, such as '256 MB' or '2 GB', or '0' for no limit")
	}
	return nil
}

func checkTimeout(v string) error {
	if strings.EqualFold(strings.TrimSpace(v), Progressive) || checkDuration(v) == nil {
		return nil
	}
	return fmt.Errorf("write a number and a unit, such as '30 s', '0' for never, or '%s'", Progressive)
}

func checkCheckpoints(v string) error {
	if d, err := connector.ParseDuration(v); err != nil || d < 1000 {
		return fmt.Errorf("write a number and a unit, 1 ms or more, such as '10 s' or '1 min'")
	}
	return nil
}

func checkRetained(v string) error {
	if n, err := strconv.Atoi(v); err != nil || n < 1 || n > 1000 {
		return fmt.Errorf("it must be a whole number from 1 to 1000; with 1, a checkpoint that is damaged has none before it")
	}
	return nil
}

func checkGap(v string) error {
	if n, err := strconv.ParseInt(v, 10, 64); err != nil || n < 1 {
		return fmt.Errorf("it must be a whole number of rows, 1 or more")
	}
	return nil
}

// MaxParallelism bounds the workers of a statement.
const MaxParallelism = 256

func checkParallelism(v string) error {
	if n, err := strconv.Atoi(v); err != nil || n < 1 || n > MaxParallelism {
		return fmt.Errorf("it must be a whole number from 1 to %d", MaxParallelism)
	}
	return nil
}
