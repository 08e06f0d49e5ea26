export type { SentStatus, StatusOption } from "./chain/send-and-wait.js";
export { defaultWindow, silenceMs } from "./watch/defaults.js";
export { sendAndWait } from "./watch/send-and-wait.js";
export type { StartAtBlock, StartAtLt, StartAtUtime, SubscriptionStart } from "./watch/start.js";
export type * from "./watch/types.js";
export {
  type SendResult,
  type SentMessage,
  type Watch,
  type WatchSettings,
  type WatchStream,
  watch,
} from "./watch/watch.js";
