import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Row } from "../harness.js";
import { ours } from "./ours.js";
import { Pair } from "./pair.js";
import { callV2 } from "./requests.js";
import { rowsOfStart } from "./rows-of-start.js";
import { rowsOfV2 } from "./rows-of-v2.js";
import { type Closable, isUrl, type Program, Server } from "./server.js";

/** A contract that mainnet and testnet have. */
const elector = { address: `-1:${"3".repeat(64)}`, method: "active_election_id" };

/**
 * Both read the same liteserver, that of one of our devnets. A running ton-http-api is compared with the service at
 * `ourUrl`, which must serve the same network and not limit its callers; undefined without that.
 */
export async function tonHttpApiRows(
  given: string,
  ourUrl: string | undefined,
  opened: Closable[],
): Promise<Row[] | undefined> {
  const name = "ton-http-api";
  if (isUrl(given)) {
    if (ourUrl === undefined) return undefined;
    const theirs = Server.running(given, { v2: new URL(given).pathname.replace(/\/$/, "") });
    return rowsOfV2(new Pair(name, { ours: Server.running(ourUrl), theirs }), elector);
  }
  const start = async (program: Program) => {
    const server = await Server.start(program);
    opened.push(server);
    return server;
  };
  const folder = mkdtempSync(join(tmpdir(), "tonwire-peers-"));
  opened.push({ close: () => rmSync(folder, { recursive: true }) });
  const config = join(folder, "devnet.json");
  const chain = await start(
    ours("--index", "false", "--mining", "manual", "--liteserver-port", "0", "--liteserver-config", config),
  );
  const info = (await callV2(chain, "devnet.info", {})) as { wallets: readonly { address: string }[] };
  const programs = {
    ours: ours("--index", "false", "--global-config", config),
    theirs: tonHttpApi(given, config),
  };
  const pair = new Pair(name, { ours: await start(programs.ours), theirs: await start(programs.theirs) });
  return [
    ...rowsOfV2(pair, { address: info.wallets[0]!.address, method: "seqno" }),
    ...rowsOfStart(name, programs),
  ];
}

/** With its defaults, which are no cache and a folder for keys below the working directory. */
function tonHttpApi(command: string, config: string): Program {
  return {
    command,
    args: (port) => ["--host", "127.0.0.1", "--port", `${port}`, "--liteserver-config", config],
    v2: "",
  };
}
