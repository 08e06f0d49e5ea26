import type { Worker } from "node:worker_threads";
import { InFlight } from "../../shared/values/in-flight.js";
import { startWorker } from "../os/worker.js";
import type { FetchedMetadata } from "../store/queries/tokens/metadata.js";
import { FetchError, type FetchFailure } from "./fetch-error.js";

export type DocumentJob = { id: number; bytes: Uint8Array };
export type DocumentResult = { id: number; outcome: FetchedMetadata | FetchFailure };

type Outcome = DocumentResult["outcome"];

/** Memory limit of the thread: many times the longest document. */
const resourceLimits = { maxOldGenerationSizeMb: 256 };

/** A worker thread that parses documents, so that long ones do not delay answers. Started on the first document. */
export class DocumentThread {
  #worker: Worker | undefined;
  #lastId = 0;
  readonly #pending = new InFlight<number, (outcome: Outcome) => void>();

  /** Rejects with a FetchError; a document that crashes the thread counts as invalid JSON. */
  async read(bytes: Uint8Array): Promise<FetchedMetadata> {
    this.#worker ??= this.#start();
    const id = ++this.#lastId;
    const outcome = await new Promise<Outcome>((resolve) => {
      this.#pending.set(id, resolve);
      this.#worker!.postMessage({ id, bytes } satisfies DocumentJob);
    });
    if (typeof outcome === "string") throw new FetchError(outcome);
    return outcome;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = startWorker(import.meta.url, "document-worker", { resourceLimits });
    worker.on("message", ({ id, outcome }: DocumentResult) => {
      this.#pending.take(id)?.(outcome);
    });
    // The exit event follows.
    worker.on("error", () => {});
    worker.on("exit", () => {
      this.#worker = undefined;
      for (const resolve of this.#pending.takeAll()) resolve("json");
    });
    return worker;
  }
}
