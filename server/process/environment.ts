import type { DestinationStream } from "pino";
import type { StateHolder } from "../../shared/ton/proofs/read/held-states.js";
import type { Devnet } from "../devnet/devnet.js";
import type { DevnetReports } from "../devnet/thread/devnet-news.js";
import type { Clock } from "../http/clock.js";
import type { MetadataNetwork } from "../metadata/network.js";
import type { Siblings } from "./context/siblings.js";

/** A devnet that may still be starting. */
export interface BegunDevnet {
  started(listener: DevnetReports): Promise<Devnet & { readonly states: StateHolder }>;
  close(): Promise<void>;
}

/** Replaceable dependencies on the outside world, for tests. */
export type Environment = {
  logTo?: DestinationStream;
  /** Takes the lines that contracts of a devnet print. Default: standard error. */
  print?: (line: string) => void;
  /** Wall clock, ms. */
  now?: () => number;
  /** Clock for connections and their streams. */
  clock?: Clock;
  /** 0 to 1, for the sampling of logged calls. */
  random?: () => number;
  /** Cache folder of this user's programs; settings come first. */
  userFolder?: string | undefined;
  /** Names the code of this process: with other code, some of what is kept is not used. Without it, that is not kept. */
  edition?: string | undefined;
  /** Timeout of a Redis command. */
  redisTimeoutMs?: number | undefined;
  /** The devnet of this process, if it has begun to start; it is closed with the process. */
  devnet?: BegunDevnet | undefined;
  /** How metadata is fetched and webhooks are delivered: name resolution and connections. */
  metadataNetwork?: MetadataNetwork | undefined;
  /** Shortest time between two requests for metadata to one host, ms. */
  metadataHostIntervalMs?: number | undefined;
  /** Longest duration of one webhook delivery attempt, ms. */
  webhookAttemptMs?: number | undefined;
  /** Longest duration of the emulation for one call, ms. */
  emulationTimeoutMs?: number | undefined;
  /** Longest wait of an answer until its writes can be read. */
  settleMs?: number | undefined;
  /** Longest wait of the start for a chain that other processes serve. */
  chainWaitMs?: number;
  /** The other processes of this service; absent if it has one. */
  siblings?: Siblings | undefined;
};
