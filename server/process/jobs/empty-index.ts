import type { Config } from "../../config/settings.js";
import { SetupError } from "../../errors.js";
import { emptyIndex } from "../../store/migrate/empty-index.js";
import type { Environment } from "../environment.js";
import { onStoredIndex } from "../index/stored-index.js";

/**
 * Removes the index from its database, so that the next start builds it anew. Webhooks and other data of users stay.
 */
export async function emptyStoredIndex(config: Config, environment: Environment = {}): Promise<void> {
  await onStoredIndex(config, environment, async (database) => {
    if (!(await emptyIndex(database.sql({ connections: 1 }))))
      throw new SetupError("another process writes the index: stop it first");
  });
}
