import { type LiteApi, type LiteCall, LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import type { StateHolder } from "../../../shared/ton/proofs/read/held-states.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { InFlight } from "../../../shared/values/in-flight.js";
import { Listeners, type Unsubscribe } from "../../../shared/values/listeners.js";
import type { ChainEvents, PendingMessages } from "../../chain/chain-events.js";
import type { Fallback } from "../../observe/fallback.js";
import { startWorker } from "../../os/worker.js";
import type { DevnetControls } from "../control/controls.js";
import type { MessageControls } from "../control/message-controls.js";
import type { DevnetSetup, SetupControls, SetupView } from "../control/setup.js";
import type { Beginning, Devnet, DevnetConfig } from "../devnet.js";
import type { ElectionControls } from "../elections/election-controls.js";
import type { ForkReads } from "../fork/fork-reads.js";
import type { StateFeed } from "../storage/state-feed.js";
import { CopiedStates } from "./copied-states.js";
import { errorOf } from "./failure.js";
import {
  compacted,
  type DevnetEvent,
  type FromDevnet,
  type LogLine,
  type Target,
  type ToDevnet,
} from "./protocol.js";

/** Half of Node's default; a larger young generation does not speed up block production. */
const maxYoungGenerationSizeMb = 24;

type Pending = { resolve(value: unknown): void; reject(error: Error): void };

/**
 * Starts a devnet in its own thread, so that making blocks does not delay requests. `fallback`: by default failures that
 * it goes on without are errors like others.
 */
export function startDevnet(
  config: DevnetConfig,
  onError: (error: Error) => void,
  fallback: Fallback = (_reason, error) => onError(error as Error),
  onLog?: (line: LogLine) => void,
): Promise<DevnetThread> {
  return DevnetThread.start(config, { onError, fallback, onLog });
}

/** The way to a devnet in another thread or process. */
type DevnetPort = {
  post(message: ToDevnet): void;
  /** Resolves once the devnet is gone. */
  readonly ended: Promise<unknown>;
};

/** Receives the failures of a devnet. */
export type DevnetReports = {
  onError: (error: Error) => void;
  fallback: Fallback;
  onLog?: ((line: LogLine) => void) | undefined;
};

/** Proxy of a devnet in another thread, or in another process that relays its messages. */
export class DevnetThread implements Devnet {
  readonly api: LiteApi = this.#remote("api");
  readonly controls: DevnetControls = this.#remote("controls");
  readonly elections: ElectionControls = this.#remote("elections");
  readonly messages: MessageControls = this.#remote("messages");
  readonly setup: SetupControls = this.#remote("setup");
  readonly setupView: SetupView;
  readonly feed: StateFeed = this.#remote("feed");
  readonly beginning: Beginning = this.#remote("beginning");
  readonly fork: ForkReads = this.#remote("fork");
  readonly provenApi: LiteApi = this.#remote("provenApi");
  readonly states: StateHolder = new CopiedStates(
    this.feed,
    () => this.#newest,
    (...failure) => this.#fallback(...failure),
  );
  readonly events: ChainEvents;
  readonly mempool: PendingMessages;

  readonly #port: DevnetPort;
  readonly #onError: (error: Error) => void;
  readonly #fallback: Fallback;
  readonly #onLog: DevnetReports["onLog"];
  readonly #pending = new InFlight<number, Pending>();
  readonly #heads = new Listeners<BlockIdExt>();
  readonly #reverts = new Listeners<number>();
  readonly #accepted = new Listeners<{ message: Uint8Array; ignoresSignatures: boolean }>();
  readonly #dropped = new Listeners<Uint8Array>();
  readonly #setups = new Listeners<DevnetSetup>();
  readonly #degraded = new Listeners<string | undefined>();
  #lastId = 0;
  #newest = 0;
  #ended: Error | undefined;
  #degradedReason: string | undefined;

  constructor(port: DevnetPort, { onError, fallback, onLog }: DevnetReports) {
    this.#port = port;
    this.#onError = onError;
    this.#fallback = fallback;
    this.#onLog = onLog;
    const remoteEvents = this.#remote<ChainEvents>("events");
    const remoteMempool = this.#remote<PendingMessages>("mempool");
    this.events = {
      onHead: (listener) => this.#heads.add(listener),
      onReverted: (listener) => this.#reverts.add(listener),
      edited: (mcSeqno) => remoteEvents.edited(mcSeqno),
    };
    let current: DevnetSetup = { conditions: { latencyMs: 0, failRate: 0 }, names: {} };
    this.#setups.add((setup) => {
      current = setup;
    });
    this.setupView = {
      get current() {
        return current;
      },
      onChange: (listener) => this.#setups.add(listener),
    };
    this.mempool = {
      pending: () => remoteMempool.pending(),
      onAccepted: (listener) =>
        this.#accepted.add(({ message, ignoresSignatures }) => listener(message, ignoresSignatures)),
      onDropped: (listener) => this.#dropped.add(listener),
    };
  }

  static start(config: DevnetConfig, reports: DevnetReports): Promise<DevnetThread> {
    const worker = startWorker(import.meta.url, "devnet-worker", {
      workerData: config,
      resourceLimits: { maxYoungGenerationSizeMb },
    });
    const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    const port = { post: (message: ToDevnet) => worker.postMessage(message), ended };
    const thread = new DevnetThread(port, reports);
    return new Promise((resolve, reject) => {
      let ready = false;
      worker.on("message", (messages: FromDevnet[]) => {
        for (const message of messages) {
          if (message.type === "ready") {
            ready = true;
            resolve(thread);
          } else thread.take(message);
        }
      });
      worker.on("error", (error) => {
        // Before "ready" the error only rejects the start.
        if (!ready) thread.#ended ??= error;
        thread.end(error);
        reject(error);
      });
      worker.on("exit", () => thread.end(new Error("the devnet's thread has ended")));
    });
  }

  unavailableReason(): string | undefined {
    return this.#ended && "the devnet has ended";
  }

  degradedReason(): string | undefined {
    return this.#degradedReason;
  }

  /** Notifies of each change of `degradedReason`. */
  onDegraded(listener: (reason: string | undefined) => void): Unsubscribe {
    return this.#degraded.add(listener);
  }

  async close(): Promise<void> {
    if (!this.#ended) this.#port.post({ type: "close" });
    this.#ended ??= new Error("the devnet is closed");
    await this.#port.ended;
    this.#rejectAll();
  }

  /** Proxies the methods of one target. `then` is undefined, so that the proxy can be awaited. */
  #remote<T extends object>(target: Target): T {
    return new Proxy({} as T, {
      get: (_object, method) =>
        typeof method !== "string" || method === "then"
          ? undefined
          : (...args: unknown[]) => this.#call(target, method, args),
    });
  }

  #call(target: Target, method: string, args: unknown[]): Promise<unknown> {
    if (this.#ended) return Promise.reject(stopped());
    const id = ++this.#lastId;
    const signal = signalOf(args);
    if (signal?.aborted) return Promise.reject(new LiteError(liteErrorCode.cancelled, "cancelled"));
    const plain = signal ? [...args.slice(0, -1), withoutSignal(args.at(-1) as LiteCall)] : args;
    const cancel = () => this.#port.post({ type: "cancel", id });
    signal?.addEventListener("abort", cancel);
    const answer = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#port.post({
      type: "call",
      id,
      target,
      method,
      args: compacted(plain) as unknown[],
      cancellable: !!signal,
    });
    return answer.finally(() => signal?.removeEventListener("abort", cancel));
  }

  /** Takes a message of the devnet. */
  take(message: Exclude<FromDevnet, { type: "ready" }>): void {
    if (message.type === "event") {
      this.#onEvent(message.event);
      return;
    }
    const pending = this.#pending.take(message.id);
    if (message.type === "answer") pending?.resolve(message.value);
    else pending?.reject(errorOf(message.failure));
  }

  #onEvent(event: DevnetEvent): void {
    switch (event.type) {
      case "head":
        this.#newest = event.head.seqno;
        this.#heads.notify(event.head);
        return;
      case "reverted":
        this.#reverts.notify(event.mcSeqno);
        return;
      case "accepted":
        this.#accepted.notify(event);
        return;
      case "setup":
        this.#setups.notify(event.setup);
        return;
      case "dropped":
        this.#dropped.notify(event.message);
        return;
      case "degraded":
        this.#degradedReason = event.reason;
        this.#degraded.notify(event.reason);
        if (event.reason !== undefined) this.#onError(new Error(event.reason));
        return;
      case "fallback":
        this.#fallback(event.reason, errorOf(event.failure));
        return;
      case "log":
        this.#onLog?.(event.line);
        return;
      case "error":
        this.#onError(errorOf(event.failure));
    }
  }

  /** Call when the devnet has ended: calls in flight and later ones fail. */
  end(error: Error): void {
    if (!this.#ended) this.#onError(error);
    this.#ended ??= error;
    this.#rejectAll();
  }

  #rejectAll(): void {
    for (const { reject } of this.#pending.takeAll()) reject(stopped());
  }
}

function signalOf(args: readonly unknown[]): AbortSignal | undefined {
  const last = args.at(-1);
  return typeof last === "object" && last !== null && "signal" in last
    ? (last as LiteCall).signal
    : undefined;
}

/** Copies only the fields of a LiteCall: callers may pass objects with others, which may not be cloneable. */
function withoutSignal({ deadline, waitSeqno }: LiteCall): LiteCall {
  return { deadline, waitSeqno };
}

function stopped(): LiteError {
  return new LiteError(liteErrorCode.notReady, "node not synced");
}
