import { parentPort, type Worker, type WorkerOptions } from "node:worker_threads";
import { startWorker } from "../worker.js";
import { Channel, type ChannelMessage, type ChannelOptions, type Handlers } from "./channel.js";

type ThreadOptions = Omit<ChannelOptions, "send" | "onBusy"> & {
  /** `import.meta.url` of a file in the folder of the entry. */
  url: string;
  /** Name of the entry, without extension. */
  entry: string;
  settings?: WorkerOptions;
  /** Called once, when the thread has ended: what calls reject with. `failure`: what ended it, unless it was stopped. */
  ended(failure: Error | undefined): Error;
  /** Whether only its calls keep the process alive. Default: it does itself. */
  isBackground?: boolean;
};

/** A thread and the way to it. `Remote`: the methods and events that its `OwnThread` takes. */
export class Thread<Remote extends Handlers> extends Channel<Remote> {
  /** Resolves when the thread has ended: with what ended it, unless it was stopped. */
  readonly exited: Promise<Error | undefined>;
  readonly #worker: Worker;

  constructor({ url, entry, settings, ended, isBackground = false, ...options }: ThreadOptions) {
    const worker = startWorker(url, entry, settings);
    super({
      ...options,
      send: (messages, moved) => worker.postMessage(messages, moved),
      ...(isBackground && { onBusy: (isBusy) => (isBusy ? worker.ref() : worker.unref()) }),
    });
    this.#worker = worker;
    if (isBackground) worker.unref();
    worker.on("message", (messages: ChannelMessage[]) => this.take(messages));
    let failure: Error | undefined;
    // The exit event follows, after the last messages.
    worker.on("error", (error) => {
      failure = error;
    });
    this.exited = new Promise((resolve) => {
      worker.once("exit", () => {
        resolve(failure);
        this.end(ended(failure));
      });
    });
  }

  /** Ends the thread, whatever it does. Resolves when it has ended. */
  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** The way from a thread to its owner. `Owner`: the methods and events that the owner's `Thread` takes. */
export class OwnThread<Owner extends Handlers = Record<never, never>> extends Channel<Owner> {
  readonly #port: NonNullable<typeof parentPort>;

  constructor(options: Pick<ThreadOptions, "handlers" | "errors" | "prepare">) {
    const port = parentPort;
    if (!port) throw new Error("this is no worker thread");
    super({
      ...options,
      send: (messages, moved) => port.postMessage(messages, moved),
    });
    this.#port = port;
    port.on("message", (messages: ChannelMessage[]) => this.take(messages));
  }

  /** Takes no more messages, so that the thread ends when it has nothing left to do. */
  close(): void {
    this.#port.close();
  }
}
