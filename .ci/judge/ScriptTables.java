import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.source.legacy.RichSourceFunction;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.source.DataStreamScanProvider;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;

/** Tables with 'connector' = 'script'. 'changelog' says which kinds of rows arrive: insert (default), upsert or retract. */
public final class ScriptTables implements DynamicTableSourceFactory {
  static final ConfigOption<String> RUN = ConfigOptions.key("judge.run").stringType().noDefaultValue();
  private static final ConfigOption<String> CHANGELOG = ConfigOptions.key("changelog").stringType().defaultValue("insert");
  private static final ConfigOption<String> BOUNDED = ConfigOptions.key("bounded").stringType().defaultValue("true");

  @Override
  public String factoryIdentifier() {
    return "script";
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of();
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return Set.of(CHANGELOG, BOUNDED);
  }

  @Override
  public DynamicTableSource createDynamicTableSource(Context context) {
    String kinds = context.getCatalogTable().getOptions().getOrDefault(CHANGELOG.key(), CHANGELOG.defaultValue());
    RowType type = (RowType) context.getPhysicalRowDataType().getLogicalType();
    return new Source(context.getConfiguration().get(RUN), context.getObjectIdentifier().getObjectName(), type, kinds);
  }

  private record Source(String run, String table, RowType type, String kinds) implements ScanTableSource {
    @Override
    public ChangelogMode getChangelogMode() {
      return switch (kinds) {
        case "insert" -> ChangelogMode.insertOnly();
        case "upsert" -> ChangelogMode.newBuilder().addContainedKind(RowKind.INSERT).addContainedKind(RowKind.UPDATE_AFTER).addContainedKind(RowKind.DELETE).build();
        case "retract" -> ChangelogMode.all();
        default -> throw new IllegalArgumentException("'changelog' is insert, upsert or retract, not " + kinds);
      };
    }

    @Override
    public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
      return new DataStreamScanProvider() {
        @Override
        public DataStream<RowData> produceDataStream(ProviderContext ignored, StreamExecutionEnvironment env) {
          Feed feed = Feed.of(run);
          feed.channels.add(new Feed.Channel(table, type));
          return env.addSource(new Rows(run, feed.channels.size() - 1), table, InternalTypeInfo.of(type)).setParallelism(1);
        }

        @Override
        public boolean isBounded() {
          return false;
        }
      };
    }

    @Override
    public DynamicTableSource copy() {
      return this;
    }

    @Override
    public String asSummaryString() {
      return "script";
    }
  }

  private static final class Rows extends RichSourceFunction<RowData> {
    private final String run;
    private final int channel;

    Rows(String run, int channel) {
      this.run = run;
      this.channel = channel;
    }

    @Override
    public void run(SourceContext<RowData> out) throws Exception {
      Feed.Channel from = Feed.of(run).channels.get(channel);
      from.started.countDown();
      for (RowData row; (row = from.take()) != null; ) {
        synchronized (out.getCheckpointLock()) {
          out.collect(row);
        }
      }
    }

    @Override
    public void cancel() {
      Feed.of(run).channels.get(channel).put(Feed.END);
    }
  }
}
