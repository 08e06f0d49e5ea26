import { AnsweredCalls } from "../../devnet/thread/answered-calls.js";
import { type DevnetReports, DevnetThread } from "../../devnet/thread/devnet-thread.js";
import { compacted, type DevnetEvent, type FromDevnet, type ToDevnet } from "../../devnet/thread/protocol.js";
import type { BegunDevnet } from "../own-devnet.js";

/** Relays the devnet of a supervisor to a worker. `post` sends to the worker. */
export class DevnetRelay {
  readonly #answering: AnsweredCalls;
  readonly #unsubscribe: (() => void)[];

  constructor(devnet: DevnetThread, post: (messages: FromDevnet[]) => void) {
    this.#answering = new AnsweredCalls(devnet, (message) => post([message]));
    const tell = (event: DevnetEvent) => post([{ type: "event", event: compacted(event) as DevnetEvent }]);
    const reason = devnet.degradedReason();
    if (reason !== undefined) tell({ type: "degraded", reason });
    tell({ type: "setup", setup: devnet.setupView.current });
    this.#unsubscribe = [
      devnet.setupView.onChange((setup) => tell({ type: "setup", setup })),
      devnet.events.onHead((head) => tell({ type: "head", head })),
      devnet.events.onReverted((mcSeqno) => tell({ type: "reverted", mcSeqno })),
      devnet.mempool.onAccepted((message, ignoresSignatures) =>
        tell({ type: "accepted", message, ignoresSignatures }),
      ),
      devnet.mempool.onDropped((message) => tell({ type: "dropped", message })),
      devnet.onDegraded((degraded) => tell({ type: "degraded", reason: degraded })),
    ];
  }

  /** Takes a message of the worker, which cannot close the devnet. */
  take(message: ToDevnet): void {
    if (message.type !== "close") this.#answering.take(message);
  }

  /** The worker has ended. */
  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#answering.cancelAll();
  }
}

/** The devnet of the supervisor, as a worker has it. `post` sends to the supervisor. */
export class RelayedDevnet implements BegunDevnet {
  #reports: DevnetReports | undefined;
  readonly #devnet: DevnetThread;

  constructor(post: (message: ToDevnet) => void) {
    this.#devnet = new DevnetThread(
      { post, ended: Promise.resolve() },
      {
        // The supervisor has logged that the devnet is degraded.
        onError: (error) => {
          if (error.message !== this.#devnet.degradedReason()) this.#reports?.onError(error);
        },
        fallback: (...failure) => this.#reports?.fallback(...failure),
      },
    );
  }

  take(messages: readonly FromDevnet[]): void {
    for (const message of messages) if (message.type !== "ready") this.#devnet.take(message);
  }

  async started(reports: DevnetReports): Promise<DevnetThread> {
    this.#reports = reports;
    return this.#devnet;
  }

  close(): Promise<void> {
    return this.#devnet.close();
  }
}
