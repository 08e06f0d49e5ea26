import type { Config } from "../../config/settings.js";
import { divideIndex } from "../../store/cluster/divide.js";
import { migrate } from "../../store/migrate/migrate.js";
import type { Environment } from "../environment.js";
import { onStoredIndex } from "../index/stored-index.js";

/** Creates or migrates the tables of the index. `citus`: and divides them among the nodes of a cluster. */
export function migrateIndex(
  config: Config,
  { citus }: { citus: boolean },
  environment: Environment = {},
): Promise<Awaited<ReturnType<typeof divideIndex>> | "before"> {
  return onStoredIndex(config, environment, async (database) => {
    const sql = database.sql({ connections: 1 });
    await migrate(sql, { emptyCommand: database.emptyCommand, isDividing: citus });
    return citus ? ((await divideIndex(sql)) ?? "before") : undefined;
  });
}
