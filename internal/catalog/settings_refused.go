package catalog

// refusedSettings are keys, or beginnings of keys, of settings that these systems have and that are not there, with what to do. A longer beginning
// stands before a shorter one.
var refusedSettings = []struct{ prefix, hint string }{
	{"pipeline.watermark-alignment.", "leave it out: every split can wait, and waits as soon as it is too far ahead"},
	{"sql.tables.scan.watermark-alignment.", "leave it out; there is '" + KeyDrift + "'"},
	{"sql.state-ttl", noStateTTL},
	{"table.exec.state.ttl", noStateTTL},
	{"table.exec.mini-batch.", "leave it out: rows are always processed in batches, without waiting for more"},
	{"execution.checkpointing.", "leave it out: state is not kept on disk yet"},
	{"state.", "leave it out: state is kept in memory and not on disk yet"},
	{"execution.state-recovery.", "leave it out: state is not kept on disk yet"},
	{"execution.savepoint.", "leave it out: state is not kept on disk yet"},
	{"restart-strategy", "leave it out: a statement that fails is not restarted; it says why it failed"},

	{"sql.dry-run", "write EXPLAIN before the statement, or call tidemark explain: both check it without running it"},
	{"sql.inline-result", "leave it out: rows are always given to whoever runs the statement"},
	{"sql.snapshot.write-mode", "leave it out: there are no snapshot queries yet"},
	{"sql.tables.initial-offset-from", "give the offsets to the table, in its WITH clause or in a hint: /*+ OPTIONS('scan.startup.mode' = '…') */"},
	{"sql.tables.scan.startup.", "give it to the table, in its WITH clause or in a hint: /*+ OPTIONS('scan.startup.mode' = '…') */"},
	{"sql.tables.scan.bounded.", "give it to the table, in its WITH clause or in a hint: /*+ OPTIONS('scan.bounded.mode' = '…') */"},
	{"sql.secrets.", "write the value where it is needed: nothing leaves this process"},
	{"client.output-format", "choose it with --output=table, jsonl or csv"},
	{"client.results-timeout", "leave it out: results are shown until the statement ends or is stopped"},
	{"client.service-account", "leave it out: statements run with the rights of whoever started the program"},
	{"client.statement-name", "leave it out: statements have no names yet"},

	{"sql-client.execution.result-mode", "choose it with --output=table, jsonl or csv"},
	{"sql-client.", "leave it out: the flags of the program say how results are shown"},
	{"table.display.", "leave it out: columns are as wide as their values, strings up to 40"},
	{"table.optimizer.", "leave it out: plans do not depend on it; EXPLAIN shows what runs"},
	{"table.plan.", "leave it out: statements are planned anew whenever they run"},
	{"table.catalog-store.", "leave it out: catalogs last as long as the session; keep their DDL in a file"},
	{"table.builtin-catalog-name", "write USE CATALOG"},
	{"table.builtin-database-name", "write USE"},
	{"table.dynamic-table-options.enabled", "leave it out: OPTIONS hints are always read"},
	{"table.resources.", "leave it out: functions are built in"},
	{"table.exec.sink.type-length-enforcer", "leave it out: write CAST(x AS VARCHAR(n)), which cuts"},
	{"table.exec.sink.", "leave it out: the connector of the table decides how rows are written"},
	{"table.exec.source.cdc-events-duplicate", "leave it out: rows are read as they are"},
	{"table.exec.legacy-cast-behaviour", "leave it out: CAST fails where it cannot convert; TRY_CAST gives NULL"},
	{"table.exec.async-", "leave it out: no function waits for another service"},
	{"table.exec.", "leave it out: it says how Flink executes, and nothing depends on it here"},
	{"pipeline.name", "leave it out: statements have no names yet"},
	{"pipeline.object-reuse", "leave it out: rows are never copied between operators"},
	{"pipeline.max-parallelism", "leave it out: state has 4,096 groups of keys, whatever the parallelism"},
	{"pipeline.", "leave it out: it says how Flink runs a job, and nothing depends on it here"},
	{"execution.", "leave it out: a statement runs in this process until its input ends or it is stopped"},
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

const (
	noStateTTL = "leave it out: windows drop their state when they are answered; aggregations without windows, joins and set operations keep theirs as long as the statement runs"
	noCluster  = "leave it out: there is no cluster; statements run in this process"
)
