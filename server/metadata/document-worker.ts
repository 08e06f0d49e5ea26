// Entry of the thread that parses fetched documents.

import { ownPort } from "../os/own-port.js";
import { readDocument } from "./document.js";
import type { DocumentJob, DocumentResult } from "./document-thread.js";
import { FetchError } from "./fetch-error.js";

const port = ownPort();

port.on("message", ({ id, bytes }: DocumentJob) => {
  port.postMessage({ id, outcome: outcomeOf(bytes) } satisfies DocumentResult);
});

function outcomeOf(bytes: Uint8Array): DocumentResult["outcome"] {
  try {
    return readDocument(bytes);
  } catch (error) {
    return error instanceof FetchError ? error.failure : "json";
  }
}
