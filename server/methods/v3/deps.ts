import type { IndexReader } from "../../store/index-reader.js";
import type { Gaps } from "../../store/queries/upkeep/index-gaps.js";
import type { BookSettings } from "./answer-extras.js";

/** Dependencies of the handlers that read the index. */
export type IndexDeps = { index: Pick<IndexReader, "read">; book: BookSettings };

/** The gaps of the index, available without a query. */
export type GapDeps = { indexGaps(): Gaps };
