// Package secret knows which options hold what nobody should read over a shoulder or in a log, and hides it.
//
// It goes by the name of the option, so that what is refused as unknown is hidden too. Statements and settings keep the values; whoever shows
// them to people asks here.
package secret

import (
	"regexp"
	"strings"
)

// Hidden stands for a value that is not shown. Flink 2.3 shows the same.
const Hidden = "******"

// words are what the name of a secret option has in it, in lower case. Flink 2.3 goes by most of them; private keys are ours.
var words = []string{"password", "secret", "token", "user-info", "jaas.config", "apikey", "api-key", "service-key", "auth-params", "account.key", "keystore.key", "http-headers", "otlp-header"}

var assignment = regexp.MustCompile(`(?i)'[^'\n]*(?:` + alternatives(words) + `)[^'\n]*'\s*=\s*'((?:[^']|'')*)`)

func alternatives(words []string) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = regexp.QuoteMeta(w)
	}
	return strings.Join(all, "|")
}

// Key reports whether the value of the option is a secret.
func Key(option string) bool {
	option = strings.ReplaceAll(strings.ToLower(option), "ſ", "s") // which regular expressions take for one letter
	for _, w := range words {
		if strings.Contains(option, w) {
			return true
		}
	}
	return false
}

// Shown is the value of an option as people may see it.
func Shown(option, value string) string {
	if value != "" && Key(option) {
		return Hidden
	}
	return value
}

// Blank gives SQL with every secret that is assigned in it made unreadable, and all bytes where they were.
func Blank(sql string) string {
	if !Key(sql) {
		return sql // most have none, and this is asked for each line of a list
	}
	at := assignment.FindAllStringSubmatchIndex(sql, -1)
	if at == nil {
		return sql
	}
	var b strings.Builder
	from := 0
	for _, m := range at {
		b.WriteString(sql[from:m[2]])
		for _, c := range []byte(sql[m[2]:m[3]]) {
			if c != '\n' && c != '\r' {
				c = '*'
			}
			b.WriteByte(c)
		}
		from = m[3]
	}
	b.WriteString(sql[from:])
	return b.String()
}
