import type { Config } from "../config/settings.js";
import { SetupError } from "../errors.js";
import { emptyIndex } from "../store/queries/upkeep/empty-index.js";
import { createContext } from "./context.js";
import type { Environment } from "./environment.js";
import { claimIndex } from "./index-part.js";

/**
 * Removes the index from its database, so that the next start builds it anew. Webhooks and other data of users stay.
 */
export async function emptyStoredIndex(config: Config, environment: Environment = {}): Promise<void> {
  const context = createContext(config, environment);
  const { signal } = new AbortController();
  try {
    const claim = await claimIndex(context);
    const database = context.closers.add(await claim.open(signal), (each) => each.close());
    await database.confirm({ writes: true }, signal);
    if (!(await emptyIndex(database.sql({ connections: 1 }))))
      throw new SetupError("another process writes the index: stop it first");
  } finally {
    await context.closers.close();
  }
}
