import fc from "fast-check";
import { describe, it } from "vitest";
import type { Address } from "../../shared/values/address.js";
import { compareBytes } from "../../shared/values/bytes.js";
import { indexOfSuite } from "../helpers/http/index-of-suite.js";
import { databaseKinds } from "../helpers/store/databases.js";
import {
  addressesOf,
  alive,
  byAddress,
  byAge,
  expectWholeLists,
  is,
  isIn,
  list,
  oneOf,
  optional,
  pageSize,
  someOf,
  sorting,
} from "../helpers/store/filtered-lists.js";
import { between, difference, inOrder } from "../helpers/store/naive-lists.js";
import { accountOf } from "../helpers/store/rows.js";
import {
  lastTokenLt,
  sampleCollections,
  sampleItems,
  sampleMasters,
  sampleOwners,
  sampleTokens,
  sampleWallets,
  storeSampleTokens,
} from "../helpers/store/sample-tokens.js";

const time = fc.integer({ min: 95, max: 135 });
const lt = fc.bigInt(0n, BigInt(lastTokenLt + 3));
const events = {
  owner_address: someOf(sampleOwners, 4),
  start_utime: optional(time),
  end_utime: optional(time),
  start_lt: optional(lt),
  end_lt: optional(lt),
  sort: sorting,
  ...pageSize,
};
const direction = optional(fc.constantFrom("in", "out", "both"));

type Sorting = { sort?: "asc" | "desc" | undefined };
const direct = ({ sort: given }: Sorting) => given ?? "desc";
const upward = (order: "asc" | "desc", value: number) => inOrder(order, value);

type EventFilter = Sorting & {
  owner_address?: Address[] | undefined;
  direction?: string | undefined;
  start_utime?: number | undefined;
  end_utime?: number | undefined;
  start_lt?: bigint | undefined;
  end_lt?: bigint | undefined;
};
type Event = { tx_hash: Uint8Array; tx_lt: bigint; tx_now: number };

/** The events that match and have an owner on the side asked for, in order. */
function naiveEvents<Row extends Event>(
  rows: readonly Row[],
  filter: EventFilter,
  {
    out,
    in: receiver,
  }: { out: (row: Row) => Uint8Array | undefined; in?: (row: Row) => Uint8Array | undefined },
  matches: (row: Row) => boolean,
): string[] {
  const { owner_address: owners, direction: side } = filter;
  const isOwned = (row: Row) =>
    owners === undefined ||
    (side !== "in" && isIn(owners, out(row))) ||
    (side !== "out" && receiver !== undefined && isIn(owners, receiver(row)));
  const byTime = filter.start_utime !== undefined || filter.end_utime !== undefined;
  return rows
    .filter(
      (row) =>
        isOwned(row) &&
        matches(row) &&
        between(row.tx_now, filter.start_utime, filter.end_utime) &&
        between(row.tx_lt, filter.start_lt, filter.end_lt),
    )
    .sort((a, b) =>
      inOrder(
        direct(filter),
        byTime ? difference(a.tx_now, b.tx_now) : 0,
        difference(a.tx_lt, b.tx_lt),
        compareBytes(a.tx_hash, b.tx_hash),
      ),
    )
    .map(({ tx_hash }) => Buffer.from(tx_hash).toString("base64"));
}

const { jettonMasters, jettonWallets, nftCollections, nftItems } = sampleTokens;
const someMasters = [...sampleMasters, accountOf("A"), accountOf("C")];
const someCollections = [...sampleCollections, accountOf("A"), accountOf("C")];
const someRows = ["!", "#", "5", "A", "Q"].map(accountOf);

const lists = [
  list(
    "jetton/masters",
    fc.record({ address: someOf(someMasters), admin_address: someOf(sampleOwners), ...pageSize }),
    ({ address, admin_address }) =>
      addressesOf(
        byAge(alive(jettonMasters)).filter(
          (row) => isIn(address, row.address) && isIn(admin_address, row.admin_address),
        ),
      ),
  ),
  list(
    "jetton/wallets",
    fc
      .record({
        address: someOf(someRows),
        owner_address: someOf(sampleOwners),
        jetton_address: someOf(sampleMasters),
        exclude_zero_balance: optional(fc.boolean()),
        sort: sorting,
        ...pageSize,
      })
      .filter(
        ({ jetton_address = [], owner_address = [] }) =>
          jetton_address.length < 2 || owner_address.length === 1,
      ),
    (filter) =>
      addressesOf(
        alive(jettonWallets)
          .filter(
            (row) =>
              isIn(filter.address, row.address) &&
              isIn(filter.owner_address, row.owner) &&
              isIn(filter.jetton_address, row.jetton) &&
              (!filter.exclude_zero_balance || row.balance > 0n),
          )
          // Wallets of equal balance in the opposite order.
          .sort((a, b) => inOrder(direct(filter), difference(a.balance, b.balance), byAddress(b, a))),
      ),
  ),
  list(
    "nft/collections",
    fc.record({
      collection_address: someOf(someCollections),
      owner_address: someOf(sampleOwners),
      ...pageSize,
    }),
    ({ collection_address, owner_address }) =>
      addressesOf(
        byAge(alive(nftCollections)).filter(
          (row) => isIn(collection_address, row.address) && isIn(owner_address, row.owner_address),
        ),
      ),
  ),
  list(
    "nft/items",
    fc
      .record({
        address: someOf(someRows),
        owner_address: someOf(sampleOwners),
        include_on_sale: optional(fc.boolean()),
        collection_address: someOf(sampleCollections),
        index: optional(fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 1, maxLength: 3 })),
        sort_by_last_transaction_lt: optional(fc.boolean()),
        sort: sorting,
        ...pageSize,
      })
      .filter(({ collection_address = [], owner_address = [], index }) => {
        const isSingle = collection_address.length < 2 || owner_address.length === 1;
        return isSingle && (index === undefined || collection_address.length > 0);
      }),
    (filter) => {
      const order = filter.sort_by_last_transaction_lt ? "desc" : direct(filter);
      const compared = (a: (typeof nftItems)[number], b: (typeof nftItems)[number]) =>
        upward(order, difference(a.last_transaction_lt, b.last_transaction_lt)) || byAddress(a, b);
      return addressesOf(
        alive(nftItems)
          .filter(
            (row) =>
              isIn(filter.address, row.address) &&
              isIn(filter.owner_address, filter.include_on_sale ? row.real_owner : row.owner_address) &&
              isIn(filter.collection_address, row.collection_address) &&
              (!filter.index || filter.index.includes(Number(row.index))),
          )
          .sort(compared),
      );
    },
  ),
  list(
    "jetton/transfers",
    fc.record({
      ...events,
      direction,
      jetton_wallet: someOf(sampleWallets),
      jetton_master: optional(oneOf(sampleMasters)),
    }),
    (filter) =>
      naiveEvents(
        sampleTokens.jettonTransfers,
        filter,
        { out: (row) => row.source, in: (row) => row.destination },
        (row) =>
          !row.tx_aborted &&
          isIn(filter.jetton_wallet, row.jetton_wallet_address) &&
          is(filter.jetton_master, row.jetton_master_address),
      ),
  ),
  list(
    "jetton/burns",
    fc.record({
      ...events,
      jetton_wallet: someOf(sampleWallets),
      jetton_master: optional(oneOf(sampleMasters)),
    }),
    (filter) =>
      naiveEvents(
        sampleTokens.jettonBurns,
        filter,
        { out: (row) => row.owner },
        (row) =>
          isIn(filter.jetton_wallet, row.jetton_wallet_address) &&
          is(filter.jetton_master, row.jetton_master_address),
      ),
  ),
  list(
    "nft/transfers",
    fc.record({
      ...events,
      direction,
      item_address: someOf(sampleItems),
      collection_address: optional(oneOf(sampleCollections)),
    }),
    (filter) =>
      naiveEvents(
        sampleTokens.nftTransfers,
        filter,
        { out: (row) => row.old_owner, in: (row) => row.new_owner },
        (row) =>
          isIn(filter.item_address, row.nft_item_address) &&
          is(filter.collection_address, row.nft_collection_address),
      ),
  ),
];

type Row = { address?: string; transaction_hash?: string };

describe.each(databaseKinds)("any filter of tokens on %s", (_, open) => {
  const suite = indexOfSuite(open, (database) => storeSampleTokens(database));

  it.each(lists)("pages through $path, each row once and in order", async (of) => {
    const member = of.path.replace("/", "_");
    await expectWholeLists<Record<string, Row[]>>(suite.app, of, (answer) =>
      answer[member]!.map(({ address, transaction_hash }) => (address ?? transaction_hash)!),
    );
  });
});
