export { silenceMs } from "./watch/connections.js";
export { sendAndWait } from "./watch/send-and-wait.js";
export type { SubscriptionStart } from "./watch/start.js";
export { defaultWindow } from "./watch/stream.js";
export type { TonCenterOptions } from "./watch/ton-center.js";
export type * from "./watch/types.js";
export {
  type SentMessage,
  type Watch,
  type WatchSettings,
  type WatchStream,
  watch,
} from "./watch/watch.js";
