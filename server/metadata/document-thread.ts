import { Thread } from "../os/channel/thread.js";
import type { FetchedMetadata } from "../store/queries/tokens/metadata.js";
import { FetchError } from "./fetch-error.js";

/** The calls of the thread. They reject with a FetchError. */
export type DocumentSide = { read(bytes: Uint8Array): FetchedMetadata };

/** Memory limit of the thread: many times the longest document. */
const resourceLimits = { maxOldGenerationSizeMb: 256 };

/** A worker thread that parses documents, so that long ones do not delay answers. Started on the first document. */
export class DocumentThread {
  #thread: Thread<DocumentSide> | undefined;

  /** Rejects with a FetchError; a document that crashes the thread counts as invalid JSON. */
  async read(bytes: Uint8Array): Promise<FetchedMetadata> {
    if (!this.#thread || this.#thread.hasEnded) this.#thread = startThread();
    return this.#thread.ask("read", bytes);
  }

  async close(): Promise<void> {
    await this.#thread?.stop();
  }
}

function startThread(): Thread<DocumentSide> {
  return new Thread({
    ...{ url: import.meta.url, entry: "document-worker", settings: { resourceLimits } },
    errors: { FetchError },
    ended: () => new FetchError("json"),
  });
}
