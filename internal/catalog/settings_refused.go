package catalog

import (
	"slices"
	"strings"
)

// keyRule is a key, or the beginning of keys, and what to say of them. The longest beginning of a key decides.
type keyRule struct{ prefix, advice string }

// refusedSettings are settings that these systems have and that are not there, with what to do.
var refusedSettings = []keyRule{
	{"pipeline.watermark-alignment.", "leave it out: every split can wait, and waits as soon as it is too far ahead"},
	{"sql.tables.scan.watermark-alignment.", "leave it out; there is '" + KeyDrift + "'"},
	{"execution.state-recovery.", "leave it out: a statement that is run again with --state-dir goes on from its last checkpoint"},
	{"execution.savepoint.", "leave it out: a statement that is run again with --state-dir goes on from its last checkpoint"},

	{"sql.dry-run", "write EXPLAIN before the statement, or call tidemark explain: both check it without running it"},
	{"sql.inline-result", "leave it out: rows are always given to whoever runs the statement"},
	{"sql.snapshot.write-mode", "leave it out: there are no snapshot queries yet"},
	{"sql.tables.initial-offset-from", "give the offsets to the table, in its WITH clause or in a hint: /*+ OPTIONS('scan.startup.mode' = '…') */"},
	{"sql.tables.scan.startup.", "give it to the table, in its WITH clause or in a hint: /*+ OPTIONS('scan.startup.mode' = '…') */"},
	{"sql.tables.scan.bounded.", "give it to the table, in its WITH clause or in a hint: /*+ OPTIONS('scan.bounded.mode' = '…') */"},
	{"sql.secrets.", "write the value where it is needed: nothing leaves this process"},

	{"table.catalog-store.", "leave it out: catalogs last as long as the session; keep their DDL in a file"},
	{"table.builtin-catalog-name", "write USE CATALOG"},
	{"table.builtin-database-name", "write USE"},
	{"table.exec.sink.type-length-enforcer", "leave it out: write CAST(x AS VARCHAR(n)), which cuts"},
	{"table.exec.sink.", "leave it out: the connector of the table decides how rows are written"},
	{"table.exec.source.cdc-events-duplicate", "leave it out: rows are read as they are"},
	{"table.exec.legacy-cast-behaviour", "leave it out: CAST fails where it cannot convert; TRY_CAST gives NULL"},
	{"table.exec.", "leave it out: there is nothing like it here"},
}

// idleSettings say how these systems run, show or keep something, and no result depends on them: SET takes them, they have no effect, and the reason is told.
var idleSettings = []keyRule{
	{"execution.checkpointing.", byFlags},
	{"state.", byFlags},
	{"restart-strategy", "with --state-dir a statement is tried again, at longer and longer intervals, when something outside fails; without it, it says why it failed"},
	{"table.exec.mini-batch.", "rows are always processed in batches, without waiting for more"},
	{"table.exec.async-", "no function waits for another service"},
	{"table.exec.sink.upsert-materialize", "the changes of a key reach a table in their order"},
	{"table.exec.sink.keyed-shuffle", "the changes of a key reach a table in their order"},
	{"table.optimizer.", "plans do not depend on it; EXPLAIN shows what runs"},
	{"table.plan.", "statements are planned anew whenever they run"},
	{"table.display.", "columns are as wide as their values, strings up to 40"},
	{"table.resources.", "functions are built in"},
	{"sql-client.execution.result-mode", outputFlag},
	{"sql-client.", "the flags of the program say how results are shown"},
	{"client.output-format", outputFlag},
	{"client.results-timeout", "results are shown until the statement ends or is stopped"},
	{"client.service-account", "statements run with the rights of whoever started the program"},
	{"client.statement-name", noNames},
	{"pipeline.name", noNames},
	{"pipeline.watermark-alignment.allow-unaligned-source-splits", "every connector can let a split wait"},
	{"pipeline.object-reuse", "rows are never copied between operators"},
	{"pipeline.max-parallelism", "state has 4,096 groups of keys, whatever the parallelism"},
	{"pipeline.", "it says how Flink runs a job"},
	{"execution.", "a statement runs in this process until its input ends or it is stopped"},
	{"jobmanager.", noCluster},
	{"taskmanager.", noCluster},
	{"cluster.", noCluster},
	{"rest.", noCluster},
	{"yarn.", noCluster},
	{"kubernetes.", noCluster},
	{"env.", noCluster},
	{"metrics.", noCluster},
	{"akka.", noCluster},
	{"pekko.", noCluster},
}

// WithoutEffect tells why SET takes key and nothing follows from it; ok is false for any other key.
func WithoutEffect(key string) (reason string, ok bool) {
	if slices.ContainsFunc(KnownSettings, func(k Setting) bool { return k.Key == key }) {
		return "", false
	}
	reason, idle := longest(idleSettings, key)
	_, refused := longest(refusedSettings, key)
	return reason, idle > refused
}

// longest finds the longest beginning of key in a list.
func longest(list []keyRule, key string) (advice string, length int) {
	for _, r := range list {
		if strings.HasPrefix(key, r.prefix) && len(r.prefix) > length {
			advice, length = r.advice, len(r.prefix)
		}
	}
	return advice, length
}

const (
	byFlags    = "the flag --state-dir says where state is kept, and '" + KeyCheckpoints + "' how often"
	noNames    = "statements have no names yet"
	outputFlag = "--output=table, jsonl or csv says how results are shown"
	noCluster  = "there is no cluster; statements run in this process"
)
