import org.apache.flink.table.types.logical.LogicalType;

/** Text of types, values and errors. */
final class Text {
  private Text() {}

  static String type(LogicalType type) {
    return type.asSummaryString();
  }

  /** Control characters, half surrogates and backslashes as \n, \t, \r, \\ or \\uXXXX. */
  static String escaped(String s) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < s.length(); i++) {
      char c = s.charAt(i);
      switch (c) {
        case '\n' -> out.append("\\n");
        case '\t' -> out.append("\\t");
        case '\r' -> out.append("\\r");
        case '\\' -> out.append("\\\\");
        default -> {
          boolean pair = Character.isHighSurrogate(c) && i + 1 < s.length() && Character.isLowSurrogate(s.charAt(i + 1));
          if (pair) {
            out.append(c).append(s.charAt(++i));
          } else if (Character.isISOControl(c) || Character.isSurrogate(c)) {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    return out.toString();
  }

  /** "plan" if the statement was refused before it ran, else "run". */
  static String phase(Throwable t) {
    for (; t != null; t = t.getCause()) {
      if (t.getClass().getName().contains("JobExecutionException") || String.valueOf(t.getMessage()).contains("Failed to fetch next result")) {
        return "run";
      }
    }
    return "plan";
  }

  static String error(String phase, Throwable t) {
    Throwable root = t;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String message = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    if (message.contains("Caused by: ")) {
      message = message.substring(message.lastIndexOf("Caused by: ") + 11);
    }
    message = message.split("\\s*Was expecting")[0];
    message = message.split("\n")[0].split(" Supported form")[0].trim();
    return "error " + phase + ": " + root.getClass().getSimpleName() + ": " + escaped(message);
  }
}
