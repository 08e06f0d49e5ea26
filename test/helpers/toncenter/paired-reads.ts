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
const unfiltered = ["masterchainInfo", "decode", "topAccountsByBalance"];

/** Reads of each kind, by each filter. `withPairs`: with each two filters of a method too, and with lists of values. */
export async function readsOf(own: Queries, { withPairs }: { withPairs: boolean }): Promise<string[]> {
  const alone = (await everyRead(own)).flatMap(({ paths }) => paths);
  const all = withPairs ? [...alone, ...(await pairedReads(own))] : alone;
  return all.filter((path) => !lackingMethods.some((name) => path.startsWith(name.replaceAll(".", "/"))));
}

async function pairedReads(own: Queries): Promise<string[]> {
  const samples = await indexSamples(own);
  return flatten(indexRegistry.v3)
    .filter(([name]) => !lackingMethods.includes(name) && !unfiltered.includes(name))
    .flatMap(([name, { params }]) =>
      filterPairs(params, samples, { limit: 7, withLists: true }).map(
        (query) => `${name.replaceAll(".", "/")}?${query}`,
      ),
    );
}
