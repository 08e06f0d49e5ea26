export type { SendOptions, SentTrace } from "../chain/send-and-wait.js";
export { defaultWindow, silenceMs } from "./defaults.js";
export { sendAndWait } from "./send-and-wait.js";
export type { StartAtBlock, StartAtLt, StartAtUtime, SubscriptionStart } from "./start.js";
export type * from "./types.js";
export {
  type SendResult,
  type SentMessage,
  type Watch,
  type WatchSettings,
  type WatchStream,
  watch,
} from "./watch.js";
