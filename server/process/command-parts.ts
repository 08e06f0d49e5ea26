// Programs of the commands; loaded when a command runs.
export { readArtifacts } from "./jobs/artifacts.js";
export { createBackfill } from "./jobs/backfill.js";
export { createBootstrap } from "./jobs/bootstrap.js";
export { openDatabaseKeys } from "./jobs/database-keys.js";
export { emptyStoredIndex } from "./jobs/empty-index.js";
export { createExport } from "./jobs/export-index.js";
export { createImport } from "./jobs/import-index.js";
export { createIndexer } from "./jobs/indexer.js";
export { migrateIndex } from "./jobs/migrate.js";
export { writeProject } from "./jobs/new-project.js";
export { createReclassification } from "./jobs/reclassify.js";
export { recompileProject } from "./jobs/recompile.js";
export { createRedetection } from "./jobs/redetect.js";
export { createTokenReindex } from "./jobs/reindex-tokens.js";
export { readTrace } from "./jobs/trace.js";
export { writeTypes } from "./jobs/types.js";
export { createService } from "./service/service.js";
