// biome-ignore lint/suspicious/noTsIgnore: whether it is unused depends on the project.
/** @ts-ignore Programs that neither send nor open contracts need not install it. */
import type { Contract } from "@ton/core";
import { Address } from "../../../shared/values/address.js";
import { Thread } from "../../os/channel/thread.js";
import type { DevnetExplanation, DevnetWallet } from "../devnet-tests/explained.js";
import { type DevnetContract, openOnDevnet } from "../devnet-tests/open-contract.js";
import type { PlainTrace } from "../devnet-tests/read-trace.js";
import { type DevnetSender, type DevnetSenderOptions, makeSender } from "../devnet-tests/sender.js";
import { DevnetSendError, type DevnetTrace } from "../devnet-tests/trace.js";
import type { SentOrder } from "../devnet-tests/wallet-sends.js";
import { ShiftedDate } from "./shifted-date.js";

export type { DevnetExplanation, DevnetWallet } from "../devnet-tests/explained.js";
export type { DevnetContract, DevnetSent } from "../devnet-tests/open-contract.js";
export type { DevnetSender, DevnetSenderOptions } from "../devnet-tests/sender.js";
export {
  type DevnetAction,
  DevnetSendError,
  type DevnetTrace,
  type DevnetTransaction,
} from "../devnet-tests/trace.js";

// The entry of `tonwire/devnet` and `tonwire-server/devnet`. Of other packages its declarations import @ton/core alone, which
// may be missing. The service runs in its own thread, so that its work does not block the caller's, and fake timers and
// globals of a test framework do not affect it.

/**
 * A fork of another network: `network` is `mainnet`, `testnet` or the path of a global configuration file, whose
 * liteservers prove their answers; `url` is a service with TON Center's API v2, which is believed. One of them is required.
 */
export type ForkOfNetwork = {
  network?: string | undefined;
  url?: string | undefined;
  /** API key for `url`. */
  key?: string | undefined;
  /** Masterchain block at which the fork begins. Default: the newest one. */
  block?: number | undefined;
  /** Whether time goes on from the present or from the block's. Default: `now`. */
  time?: "now" | "block" | undefined;
  /** Addresses of jetton masters whose wallets are looked up for every owner that v3 is asked about. Default: none. */
  jettons?: readonly string[] | undefined;
};

/** Options of a devnet for tests. All are optional. */
export type DevnetOptions = {
  /** Seed of the zero states and of all wallets. Default: `tonwire`. */
  seed?: string | undefined;
  /** Whether the chain begins with sample contracts and transactions. Default: false. */
  story?: boolean | undefined;
  /** When blocks are made: at an interval while messages wait, for every message, or on request. Default: `message`. */
  mining?: "interval" | "message" | "manual" | undefined;
  /** Milliseconds between blocks in mining mode `interval`. Default: 1000. */
  miningIntervalMs?: number | undefined;
  /** The machine's clock, or one second per block: then the same calls make the same blocks. Default: `wall`. */
  clock?: "wall" | "fixed" | undefined;
  /** Whether blocks create rewards for validators. Default: false. */
  rewards?: boolean | undefined;
  /** Elections of validators, with sets that stay for twenty minutes or for hours. Default: none. */
  elections?: "short" | "long" | undefined;
  /** Number of validators. Default: 1, with elections 3. */
  validators?: number | undefined;
  /** The network that the devnet begins with. Default: none, the chain is empty. */
  fork?: ForkOfNetwork | undefined;
  /** Whether there is an index, which API v3 and streaming read. A start without one is faster. Default: true. */
  index?: boolean | undefined;
  /** Folder that keeps the chain and the index. Default: both are in memory. */
  data?: string | undefined;
  /** Port of the service on 127.0.0.1. Default: any free one. */
  port?: number | undefined;
  /** Whether what contracts print (DUMPSTK, STRDUMP) is shown on standard error, with the contract's name and line. Default: false. */
  print?: boolean | undefined;
  /** Folder with the build of your contracts, whose names answers then use; a rebuild is seen. Default: none. */
  artifacts?: string | undefined;
  /** Path of another build of @ton/sandbox's emulator. Default: the one that the package brings. */
  tvmWasm?: string | undefined;
  /**
   * Whether `advanceTime` also moves `Date` of this thread, until `close`: wallets stamp their orders with it. Do not
   * combine with fake timers, which set their own `Date`. Default: false.
   */
  moveDate?: boolean | undefined;
  /** Its API key, without limits. Default: a new one. */
  key?: string | undefined;
  /** Log lines on standard error, from this severity on. Default: `error`. */
  logLevel?: "debug" | "info" | "warn" | "error" | "silent" | undefined;
};

/** Pending work of a devnet. */
export type DevnetSettlement = {
  /** Whether nothing waits. */
  readonly settled: boolean;
  readonly waiting: {
    /** External messages that wait for a block. */
    readonly messages: number;
    /** Messages between contracts that wait for a block. */
    readonly queued: number;
    /** Masterchain blocks that the index lacks. */
    readonly blocks: number;
  };
};

/**
 * What is explained: a hash of a transaction or message, in hex or base64, or a result with one, such as that of `devnet.impersonate`,
 * `sendBocReturnHash`, `v3.messageStatus` and `v3.transactions`, or a transaction of @ton/core.
 */
export type Explained = string | { readonly [member: string]: unknown };

/** A running devnet with its service. */
export interface RunningDevnet {
  /** URL of the service, such as `http://127.0.0.1:40123`; clients take `${url}/jsonRPC` or `${url}/api/v2/jsonRPC`. */
  readonly url: string;
  /** An API key without limits. Callers on the same machine need none. */
  readonly key: string;
  /** The wallet that `devnet.faucet` pays from. */
  readonly faucet: DevnetWallet;
  /** Wallets with 10,000 TON each: two of each version, and one of `tg`. */
  readonly wallets: readonly DevnetWallet[];
  /** Makes blocks immediately, by default one. Returns the seqno of the newest masterchain block. */
  mine(blocks?: number): Promise<number>;
  /** Moves the chain's time forward. Returns the time of the next block, in Unix seconds. */
  advanceTime(seconds: number): Promise<number>;
  /**
   * Resolves when nothing is on its way: no message for a block, and no block for the index and the streams; at the latest after
   * `timeoutMs`, by default 5000. Makes no blocks. Returns what still waits.
   */
  settle(timeoutMs?: number): Promise<DevnetSettlement>;
  /**
   * Explains a transaction, or the first one that failed in the trace of it or of a message: by running it again, as the methods
   * `v3.debug.*` do. Needs the index.
   */
  explain(result: Explained): Promise<DevnetExplanation>;
  /**
   * The whole trace of a transaction or message, given as for `explain`, once it is complete; at the latest after `timeoutMs`, by
   * default 30,000. Needs the index.
   */
  trace(result: Explained, timeoutMs?: number): Promise<DevnetTrace>;
  /** A sender for contracts of @ton/core, by default the first wallet v5r1. Needs @ton/core and the index. */
  sender(options?: DevnetSenderOptions): Promise<DevnetSender>;
  /**
   * Opens a wrapper written for @ton/core: its `get…` methods read the contract, its `send…` methods take `devnet.sender()` and resolve
   * with the trace of what they sent. Needs @ton/core.
   */
  open<T extends Contract>(contract: T): DevnetContract<T>;
  /** Stops the service and drops what is in memory. May be called twice. */
  close(): Promise<void>;
}

/** What a devnet has from its start. */
export type DevnetStart = Pick<RunningDevnet, "url" | "key" | "faucet" | "wallets">;
/** The calls of the thread. */
export type DevnetServiceSide = {
  start(options: Omit<DevnetOptions, "moveDate">): Promise<DevnetStart>;
  mine(params: { blocks: number }): Promise<number>;
  advanceTime(params: { seconds: number }): Promise<number>;
  settle(params: { timeout_ms?: number }): Promise<DevnetSettlement>;
  explain(params: { hash: string }): Promise<Omit<DevnetExplanation, "toString">>;
  trace(params: { hash: string; timeoutMs: number }): Promise<PlainTrace>;
  send(params: { order: SentOrder; timeoutMs: number }): Promise<PlainTrace>;
  sendBoc(params: { boc: string; timeoutMs: number }): Promise<PlainTrace>;
  call(params: { method: string; params: object }): Promise<unknown>;
  /** The thread ends then. */
  close(none: undefined): Promise<void>;
};

/**
 * Starts a devnet with its service on a free port of 127.0.0.1; any number can run at once. Resolves when it answers, also
 * from the index. Rejects if an option is invalid.
 */
export async function startDevnet(options: DevnetOptions = {}): Promise<RunningDevnet> {
  const { moveDate = false, ...settings } = options;
  const thread = new Thread<DevnetServiceSide>({
    ...{ url: import.meta.url, entry: "devnet-service-worker" },
    ended: (failure) => failure ?? new Error("the devnet is closed"),
    errors: { DevnetSendError },
  });
  const date = moveDate ? new ShiftedDate() : undefined;
  const start = await thread.ask("start", settings).catch(async (error) => {
    await thread.stop();
    throw error;
  });
  return {
    ...start,
    mine: (blocks = 1) => thread.ask("mine", { blocks }),
    settle: (timeoutMs) => thread.ask("settle", timeoutMs === undefined ? {} : { timeout_ms: timeoutMs }),
    explain: async (result) => shown(await thread.ask("explain", { hash: hashOf(result) })),
    trace: async (result, timeoutMs = defaultTimeoutMs) =>
      shownTrace(await thread.ask("trace", { hash: hashOf(result), timeoutMs })),
    sender: async ({ from, allowFailure = false, timeoutMs = defaultTimeoutMs } = {}) =>
      makeSender(accountOf(from ?? defaultWallet(start.wallets)), async (order) => {
        const trace = shownTrace(await thread.ask("send", { order, timeoutMs }));
        return allowFailure ? trace : succeeded(trace);
      }),
    open: (contract) =>
      openOnDevnet(contract, {
        call: (method, params) => thread.ask("call", { method, params }),
        sendExternal: async (boc) =>
          succeeded(shownTrace(await thread.ask("sendBoc", { boc, timeoutMs: defaultTimeoutMs }))),
      }),
    async advanceTime(seconds) {
      const now = await thread.ask("advanceTime", { seconds });
      date?.set(1000 * now);
      return now;
    },
    async close() {
      date?.restore();
      thread.tell("close", undefined);
      await thread.exited;
    },
  };
}

const defaultTimeoutMs = 30_000;

/** Functions do not pass between threads. */
function shown<T extends { readonly text: string }>(result: T): T & { toString(): string } {
  return { ...result, toString: () => result.text };
}

function shownTrace(trace: PlainTrace): DevnetTrace {
  return shown({ ...trace, explanation: trace.explanation && shown(trace.explanation) });
}

function succeeded(trace: DevnetTrace): DevnetTrace {
  if (trace.success) return trace;
  const failed = trace.transactions.find(({ success }) => !success);
  const { exitCode = null, exitName = null, actionCode = null } = failed ?? {};
  throw new DevnetSendError(trace.explanation?.text ?? trace.text, {
    trace,
    exitCode: actionCode || exitCode,
    exitName,
  });
}

function defaultWallet(wallets: readonly DevnetWallet[]): DevnetWallet {
  const wallet = wallets.find(({ type }) => type === "v5r1");
  if (wallet) return wallet;
  throw new Error("the devnet has no wallet v5r1: name the sender by `from`");
}

/** The raw address of a sender. */
function accountOf(from: NonNullable<DevnetSenderOptions["from"]>): string {
  const text = typeof from === "string" ? from : "mnemonic" in from ? from.address : from.toRawString();
  const parsed = Address.read(text);
  if (parsed) return parsed.address.toRawUpper();
  throw new TypeError(`from is not an address: ${text.slice(0, 100)}`);
}

/** Members that name a transaction or a message, first those that tell more. */
const hashMembers = [
  "tx_hash",
  "transaction",
  "transaction_hash",
  "hash",
  "message_hash",
  "msg_hash",
] as const;

/** The hash of what is to be explained. @ton/core's transactions have a method for it. */
function hashOf(result: Explained): string {
  if (typeof result === "string") return result;
  for (const member of hashMembers) {
    const value = result[member];
    if (typeof value === "string") return value;
    if (typeof value === "function") return Buffer.from(value.call(result)).toString("base64");
    if (typeof value === "object" && value !== null) return hashOf(value as Explained);
  }
  throw new TypeError("explain takes a hash, or a result that has one");
}
