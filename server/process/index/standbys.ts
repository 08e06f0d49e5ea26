import type { Database } from "../../store/database.js";
import { openReadServers } from "../../store/open.js";
import { readIndexVersion } from "../../store/queries/upkeep/index-version.js";
import type { IndexVersions } from "../../store/reads/index-versions.js";
import { Replicas } from "../../store/reads/replicas.js";
import type { Context } from "../service/context.js";

/** The standbys that answers are read from. `begin` of the result finds out whether they can be. */
export async function openStandbys(
  { config, fallback, log }: Context,
  database: Database,
  { versions, statementTimeoutMs }: { versions: IndexVersions; statementTimeoutMs: number },
): Promise<Replicas> {
  const {
    databaseReadUrls,
    databaseReadPooled,
    databaseReadConnections,
    databaseReadHedgeMs,
    databaseMaxReplayLagMs,
  } = config;
  const servers = await openReadServers(databaseReadUrls, { isPooled: databaseReadPooled, fallback });
  const primary = database.sql({ statementTimeoutMs });
  return new Replicas(primary, servers, {
    versions,
    maxLagMs: databaseMaxReplayLagMs,
    hedgeMs: databaseReadHedgeMs,
    statementTimeoutMs,
    atOnce: databaseReadConnections,
    readId: async () => (await readIndexVersion(primary)).id,
    onState: ({ name, state, refusal }) => {
      if (state === "used") return log.info(`answers are read from the standby ${name} again`);
      log.warn(`no answers are read from the standby ${name}: ${refusal?.message ?? reasons[state]}`);
    },
  });
}

const reasons: Readonly<Record<string, string>> = {
  behind: "it lags behind the database for longer than --database-max-replay-lag-ms",
  unreachable: "it cannot be reached, does not answer, or has no index yet",
};
