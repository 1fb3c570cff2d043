import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.MultisetType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;

/** The notation of values in scripts, which docs/testing.md describes. */
final class Notation {
  private Notation() {}

  /** Reads a row: its kind, +I if none is written, and its values, separated by blanks. */
  static RowData row(String line, RowType type) {
    List<String> words = words(line);
    RowKind kind = RowKind.INSERT;
    for (RowKind k : RowKind.values()) {
      if (words.get(0).equals(k.shortString())) {
        kind = k;
        words.remove(0);
        break;
      }
    }
    if (words.size() != type.getFieldCount()) {
      throw new IllegalArgumentException(words.size() + " values for " + type.getFieldCount() + " columns: " + line);
    }
    GenericRowData row = new GenericRowData(kind, words.size());
    for (int i = 0; i < words.size(); i++) {
      row.setField(i, value(words.get(i), type.getTypeAt(i)));
    }
    return row;
  }

  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    for (int at = 0; at < line.length(); ) {
      char c = line.charAt(at);
      if (c == ' ' || c == '\t') {
        at++;
      } else if (c == '#') {
        break;
      } else if (c == '\'') {
        int end = at + 1;
        while (line.charAt(end) != '\'' || end + 1 < line.length() && line.charAt(end + 1) == '\'') {
          end += line.charAt(end) == '\'' ? 2 : 1;
        }
        words.add(line.substring(at, end + 1));
        at = end + 1;
      } else {
        int end = at;
        while (end < line.length() && line.charAt(end) != ' ' && line.charAt(end) != '\t') {
          end++;
        }
        words.add(line.substring(at, end));
        at = end;
      }
    }
    return words;
  }

  private static Object value(String s, LogicalType type) {
    if (s.equals("NULL")) {
      return null;
    }
    return switch (type.getTypeRoot()) {
      case BOOLEAN -> Boolean.valueOf(s);
      case TINYINT -> Byte.valueOf(s);
      case SMALLINT -> Short.valueOf(s);
      case INTEGER -> Integer.valueOf(s);
      case BIGINT -> Long.valueOf(s);
      case FLOAT -> Float.valueOf(s);
      case DOUBLE -> Double.valueOf(s);
      case DECIMAL -> DecimalData.fromBigDecimal(new BigDecimal(s), ((DecimalType) type).getPrecision(), ((DecimalType) type).getScale());
      case CHAR, VARCHAR -> StringData.fromString(s.startsWith("'") ? s.substring(1, s.length() - 1).replace("''", "'") : s);
      case DATE -> (int) LocalDate.parse(s).toEpochDay();
      case TIME_WITHOUT_TIME_ZONE -> (int) (LocalTime.parse(s).toNanoOfDay() / 1_000_000);
      case TIMESTAMP_WITHOUT_TIME_ZONE -> TimestampData.fromLocalDateTime(time(s));
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE -> TimestampData.fromInstant(time(s.substring(0, s.length() - 1)).toInstant(ZoneOffset.UTC));
      default -> throw new IllegalArgumentException("no notation for values of " + type);
    };
  }

  private static LocalDateTime time(String s) {
    return LocalDateTime.parse(s.contains("T") ? s : "1970-01-01T" + s);
  }

  /** Writes a row with its kind. */
  static String line(Row row, RowType type) {
    StringBuilder line = new StringBuilder(row.getKind().shortString());
    for (int i = 0; i < row.getArity(); i++) {
      line.append(i == 0 ? " " : ", ").append(text(row.getField(i), type.getTypeAt(i), true));
    }
    return line.toString();
  }

  private static String text(Object v, LogicalType type, boolean outermost) {
    if (v == null) {
      return "NULL";
    }
    return switch (type.getTypeRoot()) {
      case CHAR, VARCHAR -> outermost ? string((String) v) : (String) v;
      case DECIMAL -> ((BigDecimal) v).toPlainString();
      case TIMESTAMP_WITHOUT_TIME_ZONE -> time((LocalDateTime) v);
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE -> time(LocalDateTime.ofInstant((Instant) v, ZoneOffset.UTC)) + "Z";
      case ARRAY -> {
        LogicalType element = ((ArrayType) type).getElementType();
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < java.lang.reflect.Array.getLength(v); i++) {
          parts.add(text(java.lang.reflect.Array.get(v, i), element, false));
        }
        yield "[" + String.join(", ", parts) + "]";
      }
      case MAP -> map((Map<?, ?>) v, ((MapType) type).getKeyType(), ((MapType) type).getValueType());
      case MULTISET -> map((Map<?, ?>) v, ((MultisetType) type).getElementType(), new org.apache.flink.table.types.logical.IntType());
      case ROW -> {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < ((Row) v).getArity(); i++) {
          parts.add(text(((Row) v).getField(i), ((RowType) type).getTypeAt(i), false));
        }
        yield "(" + String.join(", ", parts) + ")";
      }
      default -> String.valueOf(v);
    };
  }

  private static String map(Map<?, ?> v, LogicalType key, LogicalType value) {
    return v.entrySet().stream()
        .map(e -> text(e.getKey(), key, false) + "=" + text(e.getValue(), value, false))
        .sorted()
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String string(String s) {
    if (s.contains("\n") || s.contains("\r")) {
      return "\"" + Text.escaped(s).replace("\"", "\\\"") + "\"";
    }
    boolean bare = !s.isEmpty() && !s.equals("NULL") && !s.contains("'") && !s.contains(",") && s.equals(s.strip());
    return bare ? s : "'" + s.replace("'", "''") + "'";
  }

  /** A time, without its date on 1970-01-01, with as many digits of the second as it needs: none, three, six or nine. */
  private static String time(LocalDateTime t) {
    int nano = t.getNano();
    String seconds = String.format("%02d:%02d:%02d", t.getHour(), t.getMinute(), t.getSecond());
    if (nano % 1000 != 0) {
      seconds += String.format(".%09d", nano);
    } else if (nano % 1_000_000 != 0) {
      seconds += String.format(".%06d", nano / 1000);
    } else if (nano != 0) {
      seconds += String.format(".%03d", nano / 1_000_000);
    }
    return t.toLocalDate().toEpochDay() == 0 ? seconds : t.toLocalDate() + "T" + seconds;
  }
}
