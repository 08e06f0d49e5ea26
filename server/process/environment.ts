import type { DestinationStream } from "pino";
import type { Clock } from "../http/clock.js";
import type { MetadataNetwork } from "../metadata/network.js";
import type { OwnDevnet } from "./own-devnet.js";

/** Replaceable dependencies on the outside world, for tests. */
export type Environment = {
  logTo?: DestinationStream;
  /** Wall clock, ms. */
  now?: () => number;
  /** What connections and their streams are timed with. */
  clock?: Clock;
  /** 0 to 1, for the sampling of logged calls. */
  random?: () => number;
  /** Where this user's programs keep what later starts may use; settings come first. */
  userFolder?: string | undefined;
  /** Names the code of this process: with other code, some of what is kept is not used. Without it, that is not kept. */
  edition?: string | undefined;
  /** Timeout of a Redis command. */
  redisTimeoutMs?: number | undefined;
  /** The devnet of this process, if it has begun to start; it is closed with the process. */
  devnet?: OwnDevnet | undefined;
  /** How metadata is fetched and webhooks are delivered: name resolution and connections. */
  metadataNetwork?: MetadataNetwork | undefined;
  /** Longest time of an attempt to deliver to a webhook, ms. */
  webhookAttemptMs?: number | undefined;
  /** Longest time that an answer waits until what it wrote can be read. */
  settleMs?: number | undefined;
};
