import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/** What passes between a script and the tasks of its job, which run in the same process. */
final class Feed {
  private static final long QUIET_MILLIS = 150;
  private static final Map<String, Feed> FEEDS = new ConcurrentHashMap<>();

  /** One source of the job. Several read the same table if the plan reads it several times. */
  static final class Channel {
    final String table;
    final RowType type;
    final CountDownLatch started = new CountDownLatch(1);
    private final BlockingQueue<Object> queue = new LinkedBlockingQueue<>();
    private volatile boolean busy;

    Channel(String table, RowType type) {
      this.table = table;
      this.type = type;
    }

    void put(Object row) {
      queue.add(row);
    }

    /** Returns the next row, or null at the end. The one before has been handed on. */
    RowData take() throws InterruptedException {
      busy = false;
      Object next = queue.take();
      busy = true;
      return next == END ? null : (RowData) next;
    }

    boolean drained() {
      return queue.isEmpty() && !busy;
    }
  }

  static final Object END = new Object();

  final List<Channel> channels = new ArrayList<>();
  private final List<String> output = new ArrayList<>();
  private long lastOutput = System.nanoTime();

  static Feed of(String run) {
    return FEEDS.computeIfAbsent(run, key -> new Feed());
  }

  static void forget(String run) {
    FEEDS.remove(run);
  }

  synchronized void print(String line) {
    output.add(line);
    lastOutput = System.nanoTime();
  }

  /** Waits until the job is silent, and returns what it has printed since the last call. */
  List<String> settle() throws InterruptedException {
    for (long since = System.nanoTime(); ; Thread.sleep(5)) {
      synchronized (this) {
        if (!channels.stream().allMatch(Channel::drained)) {
          since = System.nanoTime();
        } else if (System.nanoTime() - Math.max(since, lastOutput) > QUIET_MILLIS * 1_000_000) {
          return take();
        }
      }
    }
  }

  synchronized List<String> take() {
    List<String> lines = new ArrayList<>(output);
    output.clear();
    return lines;
  }
}
