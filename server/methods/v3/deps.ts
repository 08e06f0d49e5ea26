import type { IndexReader } from "../../store/index-reader.js";
import type { BookSettings } from "./answer-extras.js";

/** What answers from the index are made with. */
export type IndexDeps = { index: Pick<IndexReader, "read">; book: BookSettings };
