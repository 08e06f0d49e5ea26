// value_flow#b8e48dfb ^[ from_prev_blk:CurrencyCollection to_next_blk:CurrencyCollection
//   imported:CurrencyCollection exported:CurrencyCollection ]
//   fees_collected:CurrencyCollection
//   ^[ fees_imported:CurrencyCollection recovered:CurrencyCollection
//   created:CurrencyCollection minted:CurrencyCollection ] = ValueFlow;
// value_flow_v2#3ebf98b7 ^[ from_prev_blk:CurrencyCollection to_next_blk:CurrencyCollection
//   imported:CurrencyCollection exported:CurrencyCollection ]
//   fees_collected:CurrencyCollection burned:CurrencyCollection
//   ^[ fees_imported:CurrencyCollection recovered:CurrencyCollection
//   created:CurrencyCollection minted:CurrencyCollection ] = ValueFlow;
import { codec, type Decoded, decode, encode } from "./codec.js";
import { addCurrencies, CurrencyCollection, sameCurrencies } from "./currency-collection.js";
import { record } from "./record.js";
import { loadTag, startsWith, storeTag, tagOf } from "./tag.js";

const through = record("value_flow ^[]", {
  fromPrevBlk: CurrencyCollection,
  toNextBlk: CurrencyCollection,
  imported: CurrencyCollection,
  exported: CurrencyCollection,
});
const sources = record("value_flow ^[]", {
  feesImported: CurrencyCollection,
  recovered: CurrencyCollection,
  created: CurrencyCollection,
  minted: CurrencyCollection,
});

/** How a block changed the funds of its shard. Only the second version has `burned`. */
export type ValueFlow = Decoded<typeof through> &
  Decoded<typeof sources> & { feesCollected: CurrencyCollection; burned: CurrencyCollection | undefined };

const v1 = tagOf("value_flow#b8e48dfb");
const v2 = tagOf("value_flow_v2#3ebf98b7");

export const ValueFlow = codec<ValueFlow>(
  "ValueFlow",
  (slice) => {
    const burns = startsWith(slice, v2);
    loadTag(slice, burns ? v2 : v1, "ValueFlow");
    return {
      ...decode(through, slice.loadRef()),
      feesCollected: CurrencyCollection.load(slice),
      burned: burns ? CurrencyCollection.load(slice) : undefined,
      ...decode(sources, slice.loadRef()),
    };
  },
  (flow, builder) => {
    storeTag(flow.burned ? v2 : v1, builder);
    builder.storeRef(encode(through, flow));
    CurrencyCollection.store(flow.feesCollected, builder);
    if (flow.burned) CurrencyCollection.store(flow.burned, builder);
    builder.storeRef(encode(sources, flow));
  },
);

/** Whether inflow equals outflow. True for every valid block. */
export function isBalanced(flow: ValueFlow): boolean {
  const { fromPrevBlk, imported, feesImported, created, minted, recovered } = flow;
  const { toNextBlk, exported, feesCollected, burned } = flow;
  const incoming = [fromPrevBlk, imported, feesImported, created, minted, recovered].reduce(addCurrencies);
  const outgoing = [toNextBlk, exported, feesCollected, ...(burned ? [burned] : [])].reduce(addCurrencies);
  return sameCurrencies(incoming, outgoing);
}
