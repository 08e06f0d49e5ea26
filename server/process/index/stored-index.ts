import type { Config } from "../../config/settings.js";
import type { Database } from "../../store/database.js";
import { createContext } from "../context/context.js";
import type { Environment } from "../environment.js";
import { claimIndex } from "./index-part.js";

/** Runs work of a command that changes the database of an index, without a chain. */
export async function onStoredIndex<T>(
  config: Config,
  environment: Environment,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const context = createContext(config, environment);
  const { signal } = new AbortController();
  try {
    const claim = await claimIndex(context);
    const database = context.closers.add(await claim.open(signal), (each) => each.close());
    await database.confirm({ writes: true }, signal);
    return await work(database);
  } finally {
    await context.closers.close();
  }
}
