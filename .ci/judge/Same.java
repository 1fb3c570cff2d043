import java.util.Optional;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.functions.ScalarFunction;
import org.apache.flink.table.types.inference.InputTypeStrategies;
import org.apache.flink.table.types.inference.TypeInference;

/** v(x) is x, but the planner does not know it: what is written around it is computed at run time instead of being folded. */
public final class Same extends ScalarFunction {
  public Object eval(Object x) {
    return x;
  }

  @Override
  public boolean isDeterministic() {
    return false;
  }

  @Override
  public TypeInference getTypeInference(DataTypeFactory factory) {
    return TypeInference.newBuilder()
        .inputTypeStrategy(InputTypeStrategies.sequence(InputTypeStrategies.ANY))
        .outputTypeStrategy(call -> Optional.of(call.getArgumentDataTypes().get(0)))
        .build();
  }
}
