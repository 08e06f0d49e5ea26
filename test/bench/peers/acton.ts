import type { Row } from "../harness.js";
import { ours } from "./ours.js";
import { Pair } from "./pair.js";
import { ask, callV2 } from "./requests.js";
import { rowsOfStart } from "./rows-of-start.js";
import { rowsOfV2 } from "./rows-of-v2.js";
import { type Closable, isUrl, type Program, Server } from "./server.js";
import { type Devnet, fundWallets, transfersRow, wallet } from "./transfers.js";

/**
 * Our devnet beside `acton localnet`, given by the path of Acton's program or by the URL of a localnet. Both make blocks on
 * request, so that a measurement meets none but its own.
 */
export async function actonRows(given: string, opened: Closable[]): Promise<Row[]> {
  const programs = { ours: ours("--mining", "manual"), theirs: localnet(given) };
  const start = async (program: Program) => {
    const server =
      program === programs.theirs && isUrl(given) ? Server.running(given) : await Server.start(program);
    opened.push(server);
    return server;
  };
  const devnets = {
    ours: ourDevnet(await start(programs.ours)),
    theirs: actonDevnet(await start(programs.theirs)),
  };
  for (const devnet of Object.values(devnets)) await fundWallets(devnet);
  const pair = new Pair("Acton", { ours: devnets.ours.server, theirs: devnets.theirs.server });
  return [
    // Deploys the wallet that the others read.
    transfersRow(pair, devnets),
    ...rowsOfV2(pair, { address: wallet, method: "seqno" }),
    ...(isUrl(given) ? [] : rowsOfStart(pair.name, programs)),
  ];
}

function localnet(command: string): Program {
  return { command, args: (port) => ["localnet", "start", "--port", `${port}`, "--no-mining"] };
}

function ourDevnet(server: Server): Devnet {
  return {
    server,
    fund: (address, nanotons) => callV2(server, "devnet.faucet", { address, amount: `${nanotons}` }),
    mine: () => callV2(server, "devnet.mine", { blocks: 1 }),
  };
}

function actonDevnet(server: Server): Devnet {
  return {
    server,
    fund: (address, amount) => ask(server, { path: "/acton_fundAccount", body: { address, amount } }),
    mine: () => ask(server, { path: "/acton_mine", body: { blocks: 1 } }),
  };
}
