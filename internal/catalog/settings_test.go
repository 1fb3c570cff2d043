package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestSettings runs SET and RESET and asks what holds then, and where it comes from. A step is "key=value", "reset key" or "reset".
func TestSettings(t *testing.T) {
	for _, c := range []struct {
		about string
		steps []string
		key   string
		want  string
	}{
		{"a default is the profile's", nil, KeyNullTime, "FAIL (profile confluent)"},
		{"of the profile in force", []string{"sql.profile=flink"}, KeyEmitInterval, "200 ms (profile flink)"},
		{"the profile itself", []string{"sql.profile=flink"}, KeyProfile, "flink (SET 'sql.profile')"},
		{"a word in another case", []string{"sql.profile=FLINK"}, KeyProfile, "flink (SET 'sql.profile')"},
		{"the profile by default", nil, KeyProfile, "confluent (profile confluent)"},
		{"SET wins over the profile", []string{"table.exec.watermark-emit.gap=5"}, KeyEmitGap, "5 (SET 'table.exec.watermark-emit.gap')"},
		{"the last SET holds", []string{"table.exec.watermark-emit.gap=5", "table.exec.watermark-emit.gap=6"}, KeyEmitGap, "6 (SET 'table.exec.watermark-emit.gap')"},
		{"another name of a setting", []string{"table.exec.source.idle-timeout=5 s"}, KeyIdleTimeout, "5 s (SET 'table.exec.source.idle-timeout')"},
		{"both names with one value", []string{"table.exec.source.idle-timeout=5 s", "sql.tables.scan.idle-timeout=5 s"}, KeyIdleTimeout, "5 s (SET 'table.exec.source.idle-timeout')"},
		{"one of two names is taken back", []string{"table.exec.source.idle-timeout=5 s", "sql.tables.scan.idle-timeout=5 s", "reset table.exec.source.idle-timeout"},
			KeyIdleTimeout, "5 s (SET 'sql.tables.scan.idle-timeout')"},
		{"a name can be changed once the other is gone", []string{"table.exec.source.idle-timeout=5 s", "reset table.exec.source.idle-timeout", "sql.tables.scan.idle-timeout=6 s"},
			KeyIdleTimeout, "6 s (SET 'sql.tables.scan.idle-timeout')"},
		{"RESET of a key", []string{"table.exec.watermark-emit.gap=5", "reset table.exec.watermark-emit.gap"}, KeyEmitGap, "1 (profile confluent)"},
		{"RESET of a key that was not SET", []string{"reset table.exec.watermark-emit.gap"}, KeyEmitGap, "1 (profile confluent)"},
		{"RESET of all, the interval with its profile", []string{"sql.profile=flink", "pipeline.auto-watermark-interval=1 s", "reset"}, KeyEmitInterval, "200 ms (profile confluent)"},
		{"the interval is free in the profile flink", []string{"sql.profile=flink", "pipeline.auto-watermark-interval=1 s"}, KeyEmitInterval, "1 s (SET 'pipeline.auto-watermark-interval')"},
		{"and can be taken back before the profile", []string{"sql.profile=flink", "pipeline.auto-watermark-interval=1 s", "reset pipeline.auto-watermark-interval", "reset sql.profile"},
			KeyEmitInterval, "200 ms (profile confluent)"},
	} {
		t.Run(c.about, func(t *testing.T) {
			var s Settings
			for _, step := range c.steps {
				if err := do(&s, step); err != nil {
					t.Fatalf("%s: %v", step, err)
				}
			}
			value, origin := s.Value(c.key)
			if got := fmt.Sprintf("%s (%s)", value, origin); got != c.want {
				t.Errorf("'%s' is %s, want %s", c.key, got, c.want)
			}
		})
	}
}

func do(s *Settings, step string) error {
	if key, ok := strings.CutPrefix(step, "reset"); ok {
		return s.Reset(strings.TrimSpace(key))
	}
	key, value, _ := strings.Cut(step, "=")
	return s.Set(key, value)
}

// TestSettingsRefused wants the last step refused, blaming the key or the value, and what was SET before to hold.
func TestSettingsRefused(t *testing.T) {
	for _, c := range []struct {
		steps []string
		ofKey bool
	}{
		{[]string{"sql.profil=flink"}, true},
		{[]string{"reset sql.profil"}, true},
		{[]string{"sql.profile=Storm"}, false},
		{[]string{"parallelism.default=0"}, false},
		{[]string{"parallelism.default=257"}, false},
		{[]string{"parallelism.default= 4"}, false},
		{[]string{"parallelism.default=0x4"}, false},
		{[]string{"table.exec.watermark-emit.gap=0"}, false},
		{[]string{"table.exec.watermark-emit.gap=1.5"}, false},
		{[]string{"table.exec.watermark-emit.gap=9223372036854775808"}, false},
		{[]string{"sql.tables.scan.idle-timeout=-1 s"}, false},
		{[]string{"sql.tables.scan.idle-timeout="}, false},
		{[]string{"pipeline.auto-watermark-interval=1 s"}, true},
		{[]string{"sql.profile=flink", "pipeline.auto-watermark-interval=1 s", "sql.profile=confluent"}, false},
		{[]string{"sql.profile=flink", "pipeline.auto-watermark-interval=1 s", "reset sql.profile"}, false},
		{[]string{"table.exec.source.idle-timeout=5 s", "sql.tables.scan.idle-timeout=6 s"}, false},
		{[]string{"sql.tables.scan.idle-timeout=5 s", "table.exec.source.idle-timeout=6 s"}, false},
		{[]string{"table.local-time-zone=UTC", "sql.local-time-zone=Asia/Tokyo"}, false},
	} {
		t.Run(strings.Join(c.steps, "; "), func(t *testing.T) {
			var s Settings
			last := len(c.steps) - 1
			for _, step := range c.steps[:last] {
				if err := do(&s, step); err != nil {
					t.Fatalf("%s: %v", step, err)
				}
			}
			before := slices.Clone(s.values)
			var refused *SettingError
			if err := do(&s, c.steps[last]); !errors.As(err, &refused) {
				t.Fatalf("got %v, want a refusal", err)
			}
			if refused.OfKey != c.ofKey {
				t.Errorf("blames the key: %t, want %t: %s", refused.OfKey, c.ofKey, refused.Message)
			}
			if refused.Hint == "" {
				t.Errorf("says nothing of what to do: %s", refused.Message)
			}
			if !slices.Equal(s.values, before) {
				t.Errorf("was %v and is %v", before, s.values)
			}
		})
	}
}

// TestZone reads time zones by name and by offset.
func TestZone(t *testing.T) {
	winter := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name   string
		offset time.Duration
		ok     bool
	}{
		{"UTC", 0, true},
		{"Europe/Berlin", time.Hour, true},
		{"Asia/Kolkata", 5*time.Hour + 30*time.Minute, true},
		{"GMT+02:00", 2 * time.Hour, true},
		{"GMT-03:30", -3*time.Hour - 30*time.Minute, true},
		{"UTC+09", 9 * time.Hour, true},
		{"+01:00", time.Hour, true},
		{"-08:00", -8 * time.Hour, true},
		{"Local", 0, false},
		{"", 0, false},
		{"Berlin", 0, false},
		{"../UTC", 0, false},
		{"GMT+2", 0, false},
		{"GMT+25:00", 0, false},
	} {
		var s Settings
		if err := s.Set(KeyTimeZone, c.name); (err == nil) != c.ok {
			t.Errorf("'%s': %v", c.name, err)
			continue
		} else if !c.ok {
			continue
		}
		if _, offset := winter.In(s.Zone()).Zone(); time.Duration(offset)*time.Second != c.offset {
			t.Errorf("'%s' is %d s east of UTC, want %s", c.name, offset, c.offset)
		}
		var other Settings
		if err := other.Set("table.local-time-zone", c.name); err != nil || other.Zone().String() != s.Zone().String() {
			t.Errorf("'%s' by the other name of the setting is %v, %v", c.name, other.Zone(), err)
		}
	}
}

// TestParallelism is 0 unless it was SET.
func TestParallelism(t *testing.T) {
	var s Settings
	if got := s.Parallelism(); got != 0 {
		t.Errorf("got %d, want 0", got)
	}
	for _, c := range []struct {
		value string
		want  int
	}{{"1", 1}, {"256", 256}, {"010", 10}} {
		if err := s.Set(KeyParallelism, c.value); err != nil {
			t.Fatal(err)
		}
		if got := s.Parallelism(); got != c.want {
			t.Errorf("'%s' is %d, want %d", c.value, got, c.want)
		}
	}
}

// TestKnownSettings wants every row of the registry to be whole: a sentence, defaults that its check accepts, or a setting that it is another name of.
func TestKnownSettings(t *testing.T) {
	for _, k := range KnownSettings {
		if k.Alias != "" {
			if !slices.ContainsFunc(KnownSettings, func(s Setting) bool { return s.Key == k.Alias && s.Alias == "" }) {
				t.Errorf("'%s' is another name of '%s', which is not there", k.Key, k.Alias)
			}
			continue
		}
		if k.Doc == "" {
			t.Errorf("'%s' has no documentation", k.Key)
		}
		for _, v := range []string{k.Default, k.FlinkDefault} {
			if v != "" && k.Check != nil && k.Check(v) != nil {
				t.Errorf("'%s' refuses its default '%s'", k.Key, v)
			}
		}
	}
}
