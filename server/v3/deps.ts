import type { BookSettings } from "./companions.js";
import type { IndexReader } from "./index-reader.js";

/** What answers from the index are made with. */
export type IndexDeps = { index: Pick<IndexReader, "read">; book: BookSettings };
