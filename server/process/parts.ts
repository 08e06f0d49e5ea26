// What commands run, loaded when one does.
export { createBackfill } from "./backfill.js";
export { emptyStoredIndex } from "./empty-index.js";
export { createIndexer } from "./indexer.js";
export { createReclassification } from "./reclassify.js";
export { createRedetection } from "./redetect.js";
export { createTokenReindex } from "./reindex-tokens.js";
export { createService } from "./service.js";
export { readTrace } from "./trace.js";
