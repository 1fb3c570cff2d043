import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.legacy.SinkFunction;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.Row;

/**
 * Runs a script of docs/testing.md in Flink: blocks sql, rows and end. Rows are handed over one by one, each when what the one before
 * brought about has been printed, so that the outputs of joins have one order.
 */
final class Script {
  private static final String SEPARATOR = "----";
  private static final Pattern SET = Pattern.compile("(?is)SET\\s+'([^']*)'\\s*=\\s*'([^']*)'");

  private final String run = UUID.randomUUID().toString();
  private final Feed feed = Feed.of(run);
  private final StreamExecutionEnvironment env;
  private final StreamTableEnvironment table;
  private JobClient job;
  private boolean failed;

  Script(StreamExecutionEnvironment env) {
    this.env = env;
    env.getConfig().setAutoWatermarkInterval(5);
    Configuration conf = new Configuration();
    conf.setString("judge.run", run);
    conf.setString("table.local-time-zone", "UTC");
    this.table =
        StreamTableEnvironment.create(env, EnvironmentSettings.newInstance().inStreamingMode().withConfiguration(conf).build());
    table.createTemporarySystemFunction("v", Same.class);
  }

  /** Prints the script with what Flink puts out. */
  void answer(List<String> lines, PrintStream out) throws Exception {
    try {
      for (int at = 0; at < lines.size(); at++) {
        String line = lines.get(at);
        out.println(line);
        if (line.isBlank() || line.startsWith("#")) {
          continue;
        }
        List<String> body = new ArrayList<>();
        for (at++; at < lines.size() && !lines.get(at).strip().equals(SEPARATOR); at++) {
          body.add(lines.get(at));
          out.println(lines.get(at));
        }
        out.println(SEPARATOR);
        while (at + 1 < lines.size() && !lines.get(at + 1).isBlank()) {
          at++; // an earlier answer
        }
        for (String answer : block(line.split("#")[0].strip(), body)) {
          out.println(answer);
        }
      }
    } finally {
      if (job != null) {
        try {
          job.cancel().get();
        } catch (Exception ended) {
          // it had ended by itself
        }
      }
      Feed.forget(run);
    }
  }

  private List<String> block(String title, List<String> body) throws Exception {
    if (failed) {
      return List.of();
    }
    String[] word = title.split("\\s+");
    try {
      switch (word[0]) {
        case "sql" -> {
          List<String> printed = new ArrayList<>();
          for (String statement : statements(String.join("\n", body))) {
            printed.addAll(execute(statement));
          }
          printed.addAll(settled());
          return printed;
        }
        case "rows" -> {
          if (word.length > 2) {
            throw new IllegalArgumentException("only 'rows TABLE' can be asked: " + title);
          }
          List<String> printed = new ArrayList<>();
          for (String row : body) {
            List<Feed.Channel> channels = feed.channels.stream().filter(c -> c.table.equals(word[1])).toList();
            for (Feed.Channel c : channels) {
              c.put(Notation.row(row, c.type));
            }
            printed.addAll(settled());
          }
          return printed;
        }
        case "end" -> {
          for (Feed.Channel c : feed.channels) {
            if (word.length == 1 || c.table.equals(word[1])) {
              c.put(Feed.END);
            }
          }
          if (word.length == 1) {
            job.getJobExecutionResult().get();
            return feed.take();
          }
          return settled();
        }
        default -> throw new IllegalArgumentException("a block that cannot be asked: " + title);
      }
    } catch (Throwable t) {
      failed = true;
      List<String> printed = feed.take();
      printed.add(Text.error(Text.phase(t), t));
      return printed;
    }
  }

  private List<String> settled() throws Exception {
    List<String> printed = feed.settle();
    if (job != null && job.getJobStatus().get() == JobStatus.FAILED) {
      job.getJobExecutionResult().get();
    }
    return printed;
  }

  private List<String> execute(String statement) throws Exception {
    Matcher set = SET.matcher(statement);
    if (set.matches()) {
      table.getConfig().set(set.group(1), set.group(2));
      return List.of();
    }
    String head = statement.toUpperCase();
    if (!head.startsWith("SELECT") && !head.startsWith("WITH") && !head.startsWith("(") && !head.startsWith("VALUES")) {
      List<String> printed = new ArrayList<>();
      table.executeSql(statement).collect().forEachRemaining(row -> {
        if (!head.matches("(?s)(CREATE|DROP|ALTER|USE).*")) {
          printed.addAll(String.valueOf(row.getField(0)).lines().toList());
        }
      });
      return printed;
    }
    Table query = table.sqlQuery(statement);
    RowType type = (RowType) query.getResolvedSchema().toSinkRowDataType().getLogicalType();
    table.toChangelogStream(query).addSink(new Printer(run, type)).setParallelism(1);
    job = env.executeAsync("script");
    for (Feed.Channel c : feed.channels) {
      while (!c.started.await(20, java.util.concurrent.TimeUnit.MILLISECONDS)) {
        if (job.getJobStatus().get().isTerminalState()) {
          job.getJobExecutionResult().get();
        }
      }
    }
    if (feed.channels.isEmpty()) {
      job.getJobExecutionResult().get();
    }
    return List.of();
  }

  /** Cuts at semicolons outside of quotes and comments. */
  private static List<String> statements(String text) {
    List<String> statements = new ArrayList<>();
    StringBuilder one = new StringBuilder();
    boolean quoted = false;
    for (String line : text.split("\n")) {
      if (!quoted && line.strip().startsWith("--")) {
        continue;
      }
      for (char c : (line + "\n").toCharArray()) {
        quoted ^= c == '\'';
        if (c == ';' && !quoted) {
          statements.add(one.toString().strip());
          one.setLength(0);
        } else {
          one.append(c);
        }
      }
    }
    statements.add(one.toString().strip());
    statements.removeIf(String::isEmpty);
    return statements;
  }

  private static final class Printer implements SinkFunction<Row> {
    private final String run;
    private final RowType type;

    Printer(String run, RowType type) {
      this.run = run;
      this.type = type;
    }

    @Override
    public void invoke(Row row, Context context) {
      Feed.of(run).print(Notation.line(row, type));
    }
  }
}
