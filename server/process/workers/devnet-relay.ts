import { DevnetNews, type DevnetReports } from "../../devnet/thread/devnet-news.js";
import { DevnetThread } from "../../devnet/thread/devnet-thread.js";
import { compacted, type DevnetCalls, type DevnetEvents, errors } from "../../devnet/thread/protocol.js";
import { runCall, tellEvents } from "../../devnet/thread/serve-devnet.js";
import { Channel, type ChannelMessage } from "../../os/channel/channel.js";
import type { BegunDevnet } from "../environment.js";

type Post = (messages: ChannelMessage[]) => void;

/** Relays the devnet of a supervisor to a worker, which cannot close it. `post` sends to the worker. */
export class DevnetRelay {
  readonly #channel: Channel<DevnetEvents>;
  readonly #unsubscribe: (() => void)[];

  constructor(devnet: DevnetThread, post: Post) {
    const handlers: DevnetCalls = { run: (call, signal) => runCall(devnet, call, signal) };
    const channel = new Channel<DevnetEvents>({ send: post, prepare: compacted, handlers, errors });
    this.#channel = channel;
    const reason = devnet.degradedReason();
    if (reason !== undefined) channel.tell("degraded", reason);
    this.#unsubscribe = [
      ...tellEvents(devnet, channel),
      devnet.onDegraded((degraded) => channel.tell("degraded", degraded)),
    ];
  }

  take(messages: readonly ChannelMessage[]): void {
    this.#channel.take(messages);
  }

  /** The worker has ended. */
  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#channel.end(new Error("the worker has ended"));
  }
}

/** The devnet of the supervisor, as a worker has it. `post` sends to the supervisor. */
export class RelayedDevnet implements BegunDevnet {
  #reports: DevnetReports | undefined;
  readonly #channel: Channel<DevnetCalls>;
  readonly #devnet: DevnetThread;

  constructor(post: Post) {
    const reports: DevnetReports = {
      // The supervisor has logged that the devnet is degraded.
      onError: (error) => {
        if (error.message !== news.degradedReason) this.#reports?.onError(error);
      },
      fallback: (...failure) => this.#reports?.fallback(...failure),
    };
    const news = new DevnetNews(reports);
    this.#channel = new Channel({ send: post, prepare: compacted, handlers: news.handlers, errors });
    this.#devnet = new DevnetThread({ channel: this.#channel, close: async () => {} }, news, reports);
  }

  take(messages: readonly ChannelMessage[]): void {
    this.#channel.take(messages);
  }

  async started(reports: DevnetReports): Promise<DevnetThread> {
    this.#reports = reports;
    return this.#devnet;
  }

  close(): Promise<void> {
    return this.#devnet.close();
  }
}
