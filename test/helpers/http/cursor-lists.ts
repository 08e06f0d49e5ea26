import { flatten } from "../../../shared/methods/define.js";
import { filtersOf, type Samples } from "../store/filter-pairs.js";
import { indexRegistry } from "./index-app.js";

/** Every list method of an index. */
export const cursorLists = flatten(indexRegistry.v3).filter(
  ([, { params, runsTransactions }]) => "cursor" in params.shape && !runsTransactions,
);

/** Parameters that lists cannot do without. */
const required: Readonly<Record<string, readonly string[]>> = {
  masterchainBlockShards: ["seqno"],
  transactionsByMasterchainBlock: ["seqno"],
  transactionsByMessage: ["opcode"],
  "dns.records": ["wallet"],
  "dns.activeAuctions": ["bidder"],
  "multisig.wallets": ["wallet_address"],
  "multisig.orders": ["multisig_address"],
  vesting: ["wallet_address"],
  "jetton.holders": ["jetton"],
  "staking.nominatorPools.nominatorEvents": ["pool"],
  "staking.nominatorPools.nominatorRewards": ["pool", "nominator"],
  "staking.nominatorPools.validatorEvents": ["pool"],
  "staking.nominatorPools.validatorRewards": ["pool", "validator"],
};

/** Parameters that show more or less of each row. */
const shownMore = /^(include|parse|return|supported)_/;

/** Queries of a list: without filters, with each of them, and every other one turned round. */
export function cursorQueries([name, { params }]: (typeof cursorLists)[number], samples: Samples): string[] {
  const filters = filtersOf(params, samples).filter((filter) => filter.name !== "sort");
  const needed = filters
    .filter((filter) => required[name]?.includes(filter.name))
    .map(({ variants }) => (variants.find(({ isList }) => isList) ?? variants[0]!).text);
  const own = filters.filter(
    (filter) => !shownMore.test(filter.name) && !required[name]?.includes(filter.name),
  );
  const queries = ["", ...own.flatMap(({ variants }) => variants.map(({ text }) => text))];
  const turned = (at: number) => ("sort" in params.shape && at % 2 === 1 ? ["sort=asc"] : []);
  return [...queries, ...("sort" in params.shape ? [""] : [])].map((query, at) =>
    [...needed, query, ...turned(at)].filter((part) => part !== "").join("&"),
  );
}
