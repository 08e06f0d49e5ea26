import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { madeCatalogue } from "../helpers/abi/made-catalogue.js";
import { sized } from "../helpers/effort.js";
import { until } from "../helpers/until.js";
import { columns, median, type Suite } from "./harness.js";
import { isBuilt, ours } from "./peers/ours.js";
import { ask } from "./peers/requests.js";
import { type Ready, Server } from "./peers/server.js";

const starts = sized(1, 5);
/** Contracts of a catalogue, whose reading is not part of a start. */
const catalogued = 1000;
const aims = "aims of a start: v2 after 700 ms, with 150 MB then and 350 MB when v3 answers";

export const suite: Suite = {
  title:
    "From the start of a devnet to its first answers, and its memory then, with the first blocks of the build and without",
  rows: () => [],
  async report() {
    if (!isBuilt()) return "there is nothing to start: run npm run build first";
    const cache = mkdtempSync(join(tmpdir(), "tonwire-bench-"));
    try {
      const usual: number[][] = [];
      while (usual.length < starts) usual.push(await start(["--cache", cache]));
      const made = await start(["--cache", "off"]);
      const catalogue = join(cache, "catalogue.json");
      writeFileSync(catalogue, JSON.stringify(madeCatalogue(catalogued)));
      const withCatalogue: number[][] = [];
      while (withCatalogue.length < starts)
        withCatalogue.push(await start(["--cache", cache, "--abi-catalog", catalogue]));
      const head = ["", "v2 ms", "MB", "v3 ms", "MB", "CPU ms"];
      const medians = (rows: readonly number[][]) =>
        made.map((_, column) => median(rows.map((values) => values[column]!)));
      const lines = [
        lineOf("starts", medians(usual)),
        lineOf("without the build's", made),
        lineOf(`with a catalogue of ${catalogued}`, medians(withCatalogue)),
      ];
      return `${columns([head, ...lines])}\n${aims}`;
    } finally {
      rmSync(cache, { recursive: true, force: true });
    }
  },
};

async function start(flags: readonly string[]): Promise<number[]> {
  const server = await Server.start(ours(...flags));
  try {
    const v2 = server.ready!;
    const look = () => ask(server, { path: "/api/v3/masterchainInfo" }).catch(() => undefined);
    await until("the index has a block", look);
    const v3 = server.state!();
    return [...numbersOf(v2), ...numbersOf(v3), server.spentMicros()! / 1000];
  } finally {
    await server.close();
  }
}

function numbersOf({ ms, megabytes }: Ready): [number, number] {
  return [ms, megabytes];
}

function lineOf(title: string, values: readonly number[]): string[] {
  return [title, ...values.map((value) => value.toFixed(0))];
}
