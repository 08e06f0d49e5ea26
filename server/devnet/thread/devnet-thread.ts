import { type LiteApi, type LiteCall, LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import type { StateHolder } from "../../../shared/ton/proofs/read/held-states.js";
import type { Unsubscribe } from "../../../shared/values/listeners.js";
import type { ChainEvents, PendingMessages } from "../../chain/chain-events.js";
import type { Channel } from "../../os/channel/channel.js";
import { Thread } from "../../os/channel/thread.js";
import type { DevnetControls } from "../control/controls.js";
import type { ElectionControls } from "../control/election-controls.js";
import type { ForkAccess } from "../control/fork-access.js";
import type { MessageControls } from "../control/message-controls.js";
import type { SetupControls, SetupView } from "../control/setup.js";
import type { Beginning, Devnet, DevnetConfig } from "../devnet.js";
import type { StateFeed } from "../storage/state-feed.js";
import { CopiedStates } from "./copied-states.js";
import { DevnetNews, type DevnetReports } from "./devnet-news.js";
import { compacted, type DevnetCalls, type DevnetSide, errors, type Target } from "./protocol.js";

/** Half of Node's default; a larger young generation does not speed up block production. */
const maxYoungGenerationSizeMb = 24;

type ThreadReports = Omit<DevnetReports, "fallback"> & Partial<Pick<DevnetReports, "fallback">>;

/** The way to a devnet in another thread or process. */
type DevnetPort = {
  readonly channel: Channel<DevnetCalls>;
  /** Resolves once the devnet is gone. */
  close(): Promise<unknown>;
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
  readonly fork: ForkAccess = this.#remote("fork");
  readonly networkApi: LiteApi = this.#remote("networkApi");
  readonly provenApi: LiteApi = this.#remote("provenApi");
  readonly states: StateHolder = new CopiedStates(
    this.feed,
    () => this.#news.newest,
    (...failure) => this.#reports.fallback(...failure),
  );
  readonly events: ChainEvents;
  readonly mempool: PendingMessages;

  readonly #port: DevnetPort;
  readonly #news: DevnetNews;
  readonly #reports: DevnetReports;
  #hasEnded = false;

  /** `news`: its handlers take the events of the port's channel. */
  constructor(port: DevnetPort, news: DevnetNews, reports: DevnetReports) {
    this.#port = port;
    this.#news = news;
    this.#reports = reports;
    const remoteEvents = this.#remote<ChainEvents>("events");
    const remoteMempool = this.#remote<PendingMessages>("mempool");
    this.events = {
      onHead: (listener) => news.heads.add(listener),
      onReverted: (listener) => news.reverts.add(listener),
      edited: (mcSeqno) => remoteEvents.edited(mcSeqno),
    };
    this.setupView = {
      get current() {
        return news.setup;
      },
      onChange: (listener) => news.setups.add(listener),
    };
    this.mempool = {
      pending: () => remoteMempool.pending(),
      onAccepted: (listener) =>
        news.accepted.add(({ message, ignoresSignatures }) => listener(message, ignoresSignatures)),
      onDropped: (listener) => news.dropped.add(listener),
    };
  }

  /**
   * Starts a devnet in its own thread, so that making blocks does not delay requests. `fallback`: by default failures that
   * it goes on without are errors like others.
   */
  static async start(
    config: DevnetConfig,
    { onError, fallback = (_reason, error) => onError(error as Error), onLog }: ThreadReports,
  ): Promise<DevnetThread> {
    const reports = { onError, fallback, onLog };
    const news = new DevnetNews(reports);
    const thread = new Thread<DevnetSide>({
      ...{
        url: import.meta.url,
        entry: "devnet-worker",
        settings: { resourceLimits: { maxYoungGenerationSizeMb } },
      },
      ...{ handlers: news.handlers, errors, prepare: compacted },
      ended: stopped,
    });
    try {
      await thread.ask("open", config);
    } catch (error) {
      await thread.stop();
      throw (await thread.exited) ?? error;
    }
    const close = () => {
      thread.tell("close", undefined);
      return thread.exited;
    };
    const devnet = new DevnetThread({ channel: thread, close }, news, reports);
    void thread.exited.then((failure) => devnet.#end(failure));
    return devnet;
  }

  unavailableReason(): string | undefined {
    return this.#hasEnded ? "the devnet has ended" : undefined;
  }

  degradedReason(): string | undefined {
    return this.#news.degradedReason;
  }

  /** Notifies of each change of `degradedReason`. */
  onDegraded(listener: (reason: string | undefined) => void): Unsubscribe {
    return this.#news.degraded.add(listener);
  }

  async close(): Promise<void> {
    this.#hasEnded = true;
    await this.#port.close();
    this.#port.channel.end(stopped());
  }

  #end(failure = new Error("the devnet's thread has ended")): void {
    if (!this.#hasEnded) this.#reports.onError(failure);
    this.#hasEnded = true;
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
    if (this.#hasEnded) return Promise.reject(stopped());
    const signal = signalOf(args);
    if (signal?.aborted) return Promise.reject(new LiteError(liteErrorCode.cancelled, "cancelled"));
    const plain = signal ? [...args.slice(0, -1), withoutSignal(args.at(-1) as LiteCall)] : args;
    return this.#port.channel.ask("run", { target, method, args: plain }, signal);
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
