import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.api.internal.TableResultInternal;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.CloseableIterator;

/**
 * Evaluates expressions of one table, many to a job; of a changelog the rows that are left at the end. An expression that fails at run time
 * is found by halving its job.
 */
final class Expressions {
  private static final int PER_JOB = 48;

  private final StreamTableEnvironment table;
  private final String from;

  Expressions(StreamExecutionEnvironment env, boolean batch, String from, Map<String, String> settings) {
    Configuration conf = new Configuration();
    settings.forEach(conf::setString);
    EnvironmentSettings.Builder mode = EnvironmentSettings.newInstance().withConfiguration(conf);
    this.table = StreamTableEnvironment.create(env, (batch ? mode.inBatchMode() : mode.inStreamingMode()).build());
    this.table.createTemporarySystemFunction("v", Same.class);
    this.from = from.isEmpty() ? "" : " FROM " + from;
  }

  /** Returns for each expression its lines of answer. */
  List<List<String>> answers(List<String> expressions) {
    List<List<String>> answers = new ArrayList<>();
    List<Integer> valid = new ArrayList<>();
    LogicalType[] types = new LogicalType[expressions.size()];
    for (int i = 0; i < types.length; i++) {
      answers.add(new ArrayList<>());
      try {
        Table one = table.sqlQuery("SELECT " + expressions.get(i) + " AS c" + from);
        types[i] = one.getResolvedSchema().getColumnDataTypes().get(0).getLogicalType();
        valid.add(i);
      } catch (Throwable t) {
        answers.get(i).add(Text.error("plan", t));
      }
    }
    for (int at = 0; at < valid.size(); at += PER_JOB) {
      run(valid.subList(at, Math.min(at + PER_JOB, valid.size())), expressions, types, answers);
    }
    return answers;
  }

  private void run(List<Integer> job, List<String> expressions, LogicalType[] types, List<List<String>> answers) {
    StringBuilder sql = new StringBuilder("SELECT ");
    for (int c = 0; c < job.size(); c++) {
      sql.append(c == 0 ? "" : ", ").append(expressions.get(job.get(c))).append(" AS c").append(c);
    }
    List<List<String>> values = new ArrayList<>();
    try {
      TableResultInternal result = (TableResultInternal) table.executeSql(sql + from);
      try (CloseableIterator<RowData> rows = result.collectInternal()) {
        while (rows.hasNext()) {
          RowData row = rows.next();
          String[] texts = result.getRowDataToStringConverter().convert(row);
          String[] line = new String[job.size()];
          for (int c = 0; c < line.length; c++) {
            LogicalType type = types[job.get(c)];
            line[c] = Text.type(type) + " = " + value(row, c, type, texts[c]);
          }
          if (row.getRowKind() == RowKind.INSERT || row.getRowKind() == RowKind.UPDATE_AFTER) {
            values.add(Arrays.asList(line));
          } else {
            values.remove(values.lastIndexOf(Arrays.asList(line)));
          }
        }
      }
    } catch (Throwable t) {
      if (job.size() == 1) {
        answers.get(job.get(0)).add(Text.error(Text.phase(t), t));
        return;
      }
      int half = job.size() / 2;
      run(job.subList(0, half), expressions, types, answers);
      run(job.subList(half, job.size()), expressions, types, answers);
      return;
    }
    for (int c = 0; c < job.size(); c++) {
      for (List<String> line : values) {
        answers.get(job.get(c)).add(line.get(c));
      }
      if (values.isEmpty()) {
        answers.get(job.get(c)).add(Text.type(types[job.get(c)]) + " without rows");
      }
    }
  }

  private static String value(RowData row, int c, LogicalType type, String text) {
    if (row.isNullAt(c)) {
      return "NULL";
    }
    if (type.is(LogicalTypeFamily.CHARACTER_STRING)) {
      return "'" + Text.escaped(row.getString(c).toString().replace("'", "''")) + "'";
    }
    return Text.escaped(text);
  }
}
