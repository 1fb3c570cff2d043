import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A Flink that answers questions: Judge SOCKET. A request is a line "expr" or "script", then a file of that grammar, up to the
 * end of the stream; the answer is the file with its answers.
 */
public final class Judge {
  /** The last line of every answer; without it the answer is cut off. */
  private static final String END = "end of answer";

  private final MiniCluster cluster;

  private Judge(MiniCluster cluster) {
    this.cluster = cluster;
  }

  public static void main(String[] args) throws Exception {
    Configuration conf = new Configuration();
    conf.setString("rest.port", "0");
    conf.setString("rest.bind-address", "127.0.0.1");
    conf.setString("rest.address", "127.0.0.1");
    conf.setString("taskmanager.memory.managed.size", "128m");
    conf.setString("taskmanager.memory.network.min", "64m");
    conf.setString("taskmanager.memory.network.max", "64m");
    conf.setString("restart-strategy.type", "none");
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(conf)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(16)
                .build());
    cluster.start();
    Path path = Path.of(args[0]);
    Files.deleteIfExists(path);
    ExecutorService workers = Executors.newFixedThreadPool(6);
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(path));
      Judge judge = new Judge(cluster);
      while (true) {
        SocketChannel client = server.accept();
        workers.execute(() -> judge.serve(client));
      }
    }
  }

  private StreamExecutionEnvironment environment() throws Exception {
    Configuration conf = new Configuration();
    conf.setString("parallelism.default", "1");
    conf.setString("restart-strategy.type", "none");
    conf.setString("execution.buffer-timeout.interval", "0 ms");
    return StreamExecutionEnvironment.createRemoteEnvironment(
        "127.0.0.1", cluster.getRestAddress().get().getPort(), conf);
  }

  private void serve(SocketChannel client) {
    try (client;
        PrintStream out = new PrintStream(Channels.newOutputStream(client), true, StandardCharsets.UTF_8)) {
      BufferedReader in = new BufferedReader(new InputStreamReader(Channels.newInputStream(client), StandardCharsets.UTF_8));
      String verb = in.readLine();
      List<String> lines = in.lines().toList();
      try {
        if ("expr".equals(verb)) {
          new Questions(this::environment, lines).answer(out);
        } else if ("script".equals(verb)) {
          new Script(environment()).answer(lines, out);
        } else {
          throw new IllegalArgumentException("unknown verb " + verb);
        }
      } catch (Throwable t) {
        t.printStackTrace();
        out.println(Text.error("judge", t));
      }
      out.println(END);
    } catch (Throwable t) {
      t.printStackTrace();
    }
  }
}
