// Programs of the commands; loaded when a command runs.
export { createBackfill } from "./backfill.js";
export { createBootstrap } from "./bootstrap.js";
export { openDatabaseKeys } from "./database-keys.js";
export { emptyStoredIndex } from "./empty-index.js";
export { createIndexer } from "./indexer.js";
export { migrateIndex } from "./migrate.js";
export { createReclassification } from "./reclassify.js";
export { createRedetection } from "./redetect.js";
export { createTokenReindex } from "./reindex-tokens.js";
export { createService } from "./service.js";
export { readTrace } from "./trace.js";
