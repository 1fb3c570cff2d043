import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A file of expressions: answers it anew, keeping comments, directives and blank lines. README.md tells the grammar. */
final class Questions {
  private final Callable<StreamExecutionEnvironment> environments;
  private final List<String> lines;
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final List<String> pending = new ArrayList<>();
  private final List<String> waiting = new ArrayList<>();
  private String from = "";
  private boolean batch;

  Questions(Callable<StreamExecutionEnvironment> environments, List<String> lines) {
    this.environments = environments;
    this.lines = lines;
    settings.put("table.local-time-zone", "UTC");
  }

  void answer(PrintStream out) throws Exception {
    for (String line : lines) {
      if (line.startsWith("@")) {
        flush(out);
        out.println(line);
        directive(line.substring(1));
      } else if (!line.startsWith("  ")) {
        waiting.add(line);
        if (isQuestion(line)) {
          pending.add(line);
        }
      }
    }
    flush(out);
  }

  private static boolean isQuestion(String line) {
    return !line.isBlank() && !line.startsWith("#");
  }

  private void directive(String line) {
    String[] word = line.split(" ", 2);
    String rest = word.length > 1 ? word[1].trim() : "";
    switch (word[0]) {
      case "zone" -> settings.put("table.local-time-zone", rest);
      case "from" -> from = rest;
      case "mode" -> batch = rest.equals("batch");
      case "set" -> settings.put(rest.split(" ", 2)[0], rest.split(" ", 2)[1]);
      default -> throw new IllegalArgumentException("unknown directive @" + word[0]);
    }
  }

  private void flush(PrintStream out) throws Exception {
    List<List<String>> answers =
        pending.isEmpty() ? List.of() : new Expressions(environments.call(), batch, from, settings).answers(pending);
    int next = 0;
    for (String line : waiting) {
      out.println(line);
      if (isQuestion(line)) {
        answers.get(next++).forEach(answer -> out.println("  " + answer));
      }
    }
    pending.clear();
    waiting.clear();
  }
}
