import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { columns, median, type Suite } from "./harness.js";
import { isBuilt, ours } from "./peers/ours.js";
import { ask, callV2 } from "./peers/requests.js";
import { Server } from "./peers/server.js";

const starts = 5;
const empty = ["--story", "false", "--cache", "off", "--index", "false"];

export const suite: Suite = {
  title:
    "From the start of a fork to the first answer about an account of the network, beside an empty devnet's start",
  rows: () => [],
  async report() {
    if (!isBuilt()) return "there is nothing to start: run npm run build first";
    const folder = mkdtempSync(join(tmpdir(), "tonwire-bench-"));
    const config = join(folder, "network.json");
    const network = await Server.start(
      ours(...empty, "--liteserver-port", "0", "--liteserver-config", config),
    );
    try {
      const info = (await callV2(network, "devnet.info", {})) as { wallets: { address: string }[] };
      const account = info.wallets[0]!.address;
      const measured = { devnet: [] as number[], liteserver: [] as number[], service: [] as number[] };
      for (let turn = 0; turn < starts; turn++) {
        measured.devnet.push(await firstAnswer(account, []));
        measured.liteserver.push(await firstAnswer(account, ["--fork", config, "--devnet-seed", "fork"]));
        measured.service.push(
          await firstAnswer(account, ["--fork-url", network.origin, "--devnet-seed", "fork"]),
        );
      }
      const base = median(measured.devnet);
      const lines = Object.entries(measured).map(([title, values]) => {
        const middle = median(values);
        return [title, middle.toFixed(0), (middle / base).toFixed(2)];
      });
      return columns([["", "ms", "times a devnet"], ...lines]);
    } finally {
      await network.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Milliseconds from the start to the balance of an account. */
async function firstAnswer(account: string, flags: readonly string[]): Promise<number> {
  const server = await Server.start(ours(...empty, ...flags));
  try {
    await ask(server, { path: `${server.v2}/getAddressBalance?address=${account}` });
    return server.state!().ms;
  } finally {
    await server.close();
  }
}
