import type { Config } from "../config/settings.js";
import { divideIndex } from "../store/cluster/divide.js";
import { migrate } from "../store/migrate.js";
import { createContext } from "./context.js";
import type { Environment } from "./environment.js";
import { claimIndex } from "./index-part.js";

/** Creates or migrates the tables of the index. `citus`: and divides them among the nodes of a cluster. */
export async function migrateIndex(
  config: Config,
  { citus }: { citus: boolean },
  environment: Environment = {},
): Promise<Awaited<ReturnType<typeof divideIndex>> | "before"> {
  const context = createContext(config, environment);
  const { signal } = new AbortController();
  try {
    const claim = await claimIndex(context);
    const database = context.closers.add(await claim.open(signal), (each) => each.close());
    await database.confirm({ writes: true }, signal);
    const sql = database.sql({ connections: 1 });
    await migrate(sql, { emptyCommand: database.emptyCommand });
    return citus ? ((await divideIndex(sql)) ?? "before") : undefined;
  } finally {
    await context.closers.close();
  }
}
