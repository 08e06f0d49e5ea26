// Entry of the thread that parses fetched documents.

import { OwnThread } from "../os/channel/thread.js";
import { readDocument } from "./document.js";
import type { DocumentSide } from "./document-thread.js";
import { FetchError } from "./fetch-error.js";

const handlers: DocumentSide = {
  read(bytes) {
    try {
      return readDocument(bytes);
    } catch (error) {
      throw error instanceof FetchError ? error : new FetchError("json");
    }
  },
};

new OwnThread({ handlers, errors: { FetchError } });
