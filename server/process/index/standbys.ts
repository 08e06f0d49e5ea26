import { readSeenVersion } from "../../store/cluster/seen-version.js";
import type { Database } from "../../store/database.js";
import { openReadServers } from "../../store/open.js";
import type { SnapshotSource } from "../../store/reads/index-reader.js";
import type { IndexVersions } from "../../store/reads/index-versions.js";
import { Primary } from "../../store/reads/primary.js";
import { Replicas } from "../../store/reads/replicas.js";
import type { Context } from "../context/context.js";

/** Share of the time of an answer's statements, so that callers learn that the database hangs before these time out. */
const lookShare = 2 / 3;

/** The servers that answers are read from: standbys, and the database. `begin` of the result finds out whether they can be. */
export async function openStandbys(
  context: Context,
  database: Database,
  { versions, statementTimeoutMs }: { versions: IndexVersions; statementTimeoutMs: number },
): Promise<Replicas> {
  const { config, fallback, log } = context;
  const {
    databaseReadUrls,
    databaseReadPooled,
    databaseReadConnections,
    databaseReadHedgeMs,
    databaseMaxReplayLagMs,
  } = config;
  const { commits } = database;
  const servers = await openReadServers(databaseReadUrls, {
    isPooled: databaseReadPooled,
    fallback,
    commits,
  });
  const looks = database.sql({ statementTimeoutMs, connections: 1 });
  const primary = openPrimary(context, {
    sql: database.sql({ statementTimeoutMs }),
    look: () => readSeenVersion(looks),
    statementTimeoutMs,
  });
  return new Replicas(primary, servers, {
    versions,
    maxLagMs: databaseMaxReplayLagMs,
    hedgeMs: databaseReadHedgeMs,
    statementTimeoutMs,
    atOnce: databaseReadConnections,
    readId: async () => (await primary.look()).id,
    onState: ({ name, state, refusal }) => {
      if (state === "used") return log.info(`answers are read from the standby ${name} again`);
      log.warn(`no answers are read from the standby ${name}: ${refusal?.message ?? reasons[state]}`);
    },
  });
}

type PrimaryParts<Look> = { sql: SnapshotSource; look(): Promise<Look>; statementTimeoutMs: number };

/** The database as the last server, or the only one, that answers are read from. */
export function openPrimary<Look>(
  { config, log }: Pick<Context, "config" | "log">,
  { statementTimeoutMs, ...parts }: PrimaryParts<Look>,
): Primary<Look> {
  return new Primary({
    ...parts,
    hedgeMs: config.databaseReadHedgeMs,
    lookMs: lookShare * statementTimeoutMs,
    onSilent: (isSilent) => {
      if (isSilent) log.warn("no answers are read from the database, which does not answer");
      else log.info("answers are read from the database again");
    },
  });
}

const reasons: Readonly<Record<string, string>> = {
  behind: "it lags behind the database for longer than --database-max-replay-lag-ms",
  unreachable: "it cannot be reached, does not answer, or has no index yet",
};
