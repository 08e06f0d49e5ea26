import type { IndexReader } from "../../store/index-reader.js";
import type { BookSettings } from "./answer-extras.js";

/** Dependencies of code that reads records of the index and presents them. */
export type IndexDeps = { index: Pick<IndexReader, "read">; book: BookSettings };
