export type * from "./api.js";
export type { CallOptions } from "./call-options.js";
export { type Caller, type CallerOptions, createCaller } from "./caller.js";
export type { FoundTransaction } from "./chain/found-transaction.js";
export type { PollOptions } from "./chain/poll.js";
export { type MethodRun, runMethod } from "./chain/run-method.js";
export { type SendOptions, type Sent, type SentTrace, sendAndWait } from "./chain/send-and-wait.js";
export { waitForSeqno } from "./chain/wait-for-seqno.js";
export { type Client, type ClientOptions, createClient, defaultBatch } from "./client.js";
export { defaultMaxAnswerBytes, defaultPollMs, defaultTimeoutMs, defaultWaitMs } from "./defaults.js";
export { isRpcError, RpcError, type RpcErrorCode, type RpcErrorDetails, type SentSoFar } from "./errors.js";
export { defaultPageLimit, pages, type RowOf, rows } from "./paging.js";
export type { MethodName, Params, Result } from "./registry-types.js";
export { defaultRetry, type RetryOptions } from "./retry.js";
export { defaultRest, type FallbackOptions, fallback } from "./transports/fallback.js";
export { type HttpOptions, http } from "./transports/http.js";
export type { BatchOptions, Clock, RateLimit, Transport, TransportFactory } from "./transports/transport.js";
export {
  defaultReconnect,
  defaultSilenceMs,
  type WebSocketOptions,
  webSocket,
} from "./transports/web-socket.js";
export { fromNano, lt, nano, toNano } from "./values/amounts.js";
export { hash } from "./values/names.js";
export { type LegacyItem, type StackItem, type StdItem, stack, type V3Item } from "./values/stack.js";
