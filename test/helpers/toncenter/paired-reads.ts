import type { Queries } from "../../../server/store/database.js";
import { flatten } from "../../../shared/methods/define.js";
import { everyRead } from "../http/every-read.js";
import { indexRegistry } from "../http/index-app.js";
import { filterPairs } from "../store/filter-pairs.js";
import { indexSamples } from "../store/index-samples.js";

/** Methods whose data a database of TON Center does not have. */
export const lackingMethods = flatten(indexRegistry.v3)
  .map(([name]) => name)
  .filter((name) => /^(staking|validators|account)\.|^(dns\.activeAuctions|search|hourlyTotals)$/.test(name));

/** Methods without filters: `everyRead` reads them, or they are no lists. */
const unfiltered = ["masterchainInfo", "topAccountsByBalance"];

type ReadsOptions = {
  /** With each two filters of a method too, and with lists of values. */
  withPairs: boolean;
  /** One of so many reads of a method. Default: all. */
  every?: number;
};

/** Reads of each kind, by each filter. */
export async function readsOf(own: Queries, { withPairs, every = 1 }: ReadsOptions): Promise<string[]> {
  const alone = (await everyRead(own)).flatMap(({ paths }) => paths.filter((_, at) => at % every === 0));
  const all = withPairs ? [...alone, ...(await pairedReads(own))] : alone;
  return all.filter((path) => !lackingMethods.some((name) => path.startsWith(name.replaceAll(".", "/"))));
}

async function pairedReads(own: Queries): Promise<string[]> {
  const samples = await indexSamples(own);
  return flatten(indexRegistry.v3)
    .filter(([, { freshness }]) => freshness.kind === "index")
    .filter(([name]) => !lackingMethods.includes(name) && !unfiltered.includes(name))
    .flatMap(([name, { params }]) =>
      filterPairs(params, samples, { limit: 7, withLists: true }).map(
        (query) => `${name.replaceAll(".", "/")}?${query}`,
      ),
    );
}
