import { type Config, ConfigError } from "../../config/settings.js";
import type { ReadServer } from "../../store/database.js";
import { openReadServers } from "../../store/open.js";
import type { Context } from "../context/context.js";
import type { IndexMode } from "./index-part.js";

/** Whether v3 is answered from a database that another program writes. */
export function hasForeignIndex({ index, databaseLayout }: Config, mode: IndexMode): boolean {
  return index && databaseLayout !== "tonwire" && mode === "read";
}

/** Opens the server with that database. Connects on first use. */
export async function openForeignServer({ config, closers, fallback }: Context): Promise<ReadServer> {
  const { databaseUrl, databaseReadUrls, databaseReadPooled: isPooled } = config;
  if (databaseUrl === undefined)
    throw new ConfigError([
      "--database-layout toncenter needs the database of ton-indexer: set --database-url",
    ]);
  if (databaseReadUrls.length > 0)
    throw new ConfigError([
      "--database-read-urls are standbys of an index of this program: with --database-layout toncenter name one server, " +
        "which may be a standby, in --database-url",
    ]);
  const [server] = await openReadServers([databaseUrl], { isPooled, fallback });
  return closers.add(server!, (each) => each.close());
}
