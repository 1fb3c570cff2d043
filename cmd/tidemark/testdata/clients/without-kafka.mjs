// Loaded before mcp-confluent: Kafka's client, which is a library in C, is left out. Whoever calls something of it gets nothing that works; the tools that ask a server of statements do not.
import { registerHooks } from "node:module";

const nothing = `const n = new Proxy(function () {}, { get: (_, key) => (key === Symbol.toPrimitive ? () => 0 : n), apply: () => n, construct: () => n });
export const KafkaJS = n;
export default n;`;
const url = "data:text/javascript," + encodeURIComponent(nothing);
registerHooks({ resolve: (name, context, next) => (name === "@confluentinc/kafka-javascript" ? { url, shortCircuit: true } : next(name, context)) });
