import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Address } from "../../shared/values/address.js";
import { indexOfSuite } from "../helpers/http/index-of-suite.js";
import { databaseKinds } from "../helpers/store/databases.js";
import {
  addressesOf,
  alive,
  byAddress,
  byAge,
  expectWholeLists,
  filterRuns,
  is,
  isIn,
  list,
  oneOf,
  optional,
  pageSize,
  queryOf,
  several,
  someOf,
  sorting,
} from "../helpers/store/filtered-lists.js";
import { difference, inOrder } from "../helpers/store/naive-lists.js";
import { accountOf } from "../helpers/store/rows.js";
import {
  sampleContracts,
  sampleDomains,
  sampleMultisigs,
  sampleNow,
  storeSampleContracts,
} from "../helpers/store/sample-contracts.js";
import { sampleOwners } from "../helpers/store/sample-tokens.js";

const { nftSales, nftAuctions, telemintItems, dnsEntries, multisigs, multisigOrders, vestingContracts } =
  sampleContracts;
const someRows = ["!", "#", "5", "A", "Q"].map(accountOf);

type Changed = { address: Uint8Array; last_transaction_lt: bigint };
/** In the order of the last transactions, then always by address. */
const byChange = <Row extends Changed>(rows: readonly Row[], sort: "asc" | "desc" = "desc") =>
  rows.toSorted(
    (a, b) => inOrder(sort, difference(a.last_transaction_lt, b.last_transaction_lt)) || byAddress(a, b),
  );
/** Whether a list has one of the accounts; without accounts it always has. */
const hasOneOf = (accounts: readonly Address[] | undefined, keys: readonly Uint8Array[]) =>
  accounts === undefined || keys.some((key) => isIn(accounts, key));

const lists = [
  list(
    "dns/records",
    fc
      .record({
        wallet: optional(oneOf(sampleOwners)),
        domain: optional(fc.constantFrom(...sampleDomains, "nobody.ton")),
        ...pageSize,
      })
      .filter(({ wallet, domain }) => (wallet === undefined) !== (domain === undefined)),
    ({ wallet, domain }) =>
      addressesOf(
        alive(dnsEntries)
          .filter((row) => is(wallet, row.dns_wallet) && (domain === undefined || row.domain === domain))
          .sort((a, b) =>
            inOrder(
              "asc",
              difference(a.domain.length, b.domain.length),
              difference(a.domain, b.domain),
              byAddress(a, b),
            ),
          ),
      ),
  ),
  list(
    "multisig/wallets",
    fc
      .record({
        address: someOf([...someRows, ...sampleMultisigs.slice(0, 4)]),
        wallet_address: someOf(sampleOwners),
        include_orders: optional(fc.boolean()),
        sort: sorting,
        ...pageSize,
      })
      .filter(({ address, wallet_address }) => (address ?? wallet_address) !== undefined),
    ({ address, wallet_address, sort }) =>
      addressesOf(
        byChange(
          alive(multisigs).filter(
            (row) =>
              isIn(address, row.address) &&
              (hasOneOf(wallet_address, row.signers) || hasOneOf(wallet_address, row.proposers)),
          ),
          sort,
        ),
      ),
  ),
  list(
    "multisig/orders",
    fc
      .record({
        address: someOf(someRows),
        multisig_address: someOf(sampleMultisigs),
        sort: sorting,
        ...pageSize,
      })
      .filter(({ address, multisig_address }) => (address ?? multisig_address) !== undefined),
    ({ address, multisig_address, sort }) =>
      addressesOf(
        byChange(
          alive(multisigOrders).filter(
            (row) => isIn(address, row.address) && isIn(multisig_address, row.multisig_address),
          ),
          sort,
        ),
      ),
  ),
  list(
    "vesting",
    fc
      .record({
        contract_address: someOf(someRows),
        wallet_address: someOf(sampleOwners),
        check_whitelist: optional(fc.boolean()),
        ...pageSize,
      })
      .filter(
        ({ contract_address, wallet_address }) =>
          (contract_address === undefined) !== (wallet_address === undefined),
      ),
    ({ contract_address, wallet_address, check_whitelist = false }) =>
      addressesOf(
        byAge(alive(vestingContracts)).filter(
          (row) =>
            isIn(contract_address, row.address) &&
            (isIn(wallet_address, row.owner_address) ||
              isIn(wallet_address, row.vesting_sender_address) ||
              (check_whitelist && hasOneOf(wallet_address, row.whitelist))),
        ),
      ),
  ),
];

/** The auctions that a bidder leads, in order. */
function naiveAuctions({ bidder, state = "all" }: { bidder: Address; state?: string | undefined }): string[] {
  const isOver = (end: bigint) => end <= BigInt(sampleNow);
  const found = alive(dnsEntries).filter(
    (row) =>
      is(bidder, row.max_bid_address) &&
      row.auction_end_time !== undefined &&
      (state === "all" || isOver(row.auction_end_time) === (state === "won")),
  );
  return addressesOf(
    found.sort((a, b) =>
      inOrder("asc", difference(a.auction_end_time!, b.auction_end_time!), byAddress(a, b)),
    ),
  );
}

type Named = { address?: string; nft_item_address?: string };
type Auctions = { auctions: { nft_item_address: string }[]; next_cursor: string | null };

describe.each(databaseKinds)("any filter of contracts on %s", (_, open) => {
  const suite = indexOfSuite(open, (database) => storeSampleContracts(database));

  it.each(lists)("pages through $path, each row once and in order", async (of) => {
    await expectWholeLists<Record<string, unknown>>(suite.app, of, (answer) => {
      const rows = Object.values(answer).find(Array.isArray) as Named[];
      return rows.map(({ address, nft_item_address }) => (address ?? nft_item_address)!);
    });
  });

  const auctionFilters = fc.record({
    bidder: oneOf(sampleOwners),
    state: optional(fc.constantFrom("all", "won", "bidding")),
    ...pageSize,
  });

  it("pages through dns/activeAuctions by offset, each row once and in order", async () => {
    await expectWholeLists<Auctions>(
      suite.app,
      list("dns/activeAuctions", auctionFilters, naiveAuctions),
      ({ auctions }) => auctions.map(({ nft_item_address }) => nft_item_address),
    );
  });

  it("pages through dns/activeAuctions by cursor, each row once and in order", async () => {
    await fc.assert(
      fc.asyncProperty(auctionFilters, async (filter) => {
        const found: string[] = [];
        for (let after: string | null | undefined; after !== null; ) {
          const page = await suite.app.result<Auctions>(
            `dns/activeAuctions?${queryOf({ ...filter, after })}`,
          );
          found.push(...page.auctions.map(({ nft_item_address }) => nft_item_address));
          after = page.next_cursor;
        }
        expect(found).toEqual(naiveAuctions(filter));
      }),
      { numRuns: filterRuns },
    );
  });

  it("lists in nft/sales the selling contracts, in the order of the request and once", async () => {
    const all = [...nftSales, ...nftAuctions, ...telemintItems.filter(({ has_auction }) => has_auction)];
    const selling = new Set(addressesOf(alive(all)));
    const accounts = [...nftSales, ...nftAuctions, ...telemintItems].map(({ address }) =>
      accountOf(String.fromCharCode(address[1]!)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(oneOf(accounts), { minLength: 1, maxLength: 30 }), async (address) => {
        const { nft_sales } = await suite.app.result<{ nft_sales: { address: string }[] }>(
          `nft/sales?${queryOf({ address })}`,
        );
        const asked = new Set(address.map((each) => each.toRawUpper()));
        expect(nft_sales.map((each) => each.address)).toEqual([...asked].filter((each) => selling.has(each)));
      }),
      { numRuns: filterRuns },
    );
  });

  it("adds to multisig/wallets the orders of each, in the order in which they appeared", async () => {
    await fc.assert(
      fc.asyncProperty(several(sampleMultisigs), async (address) => {
        type Wallet = { address: string; orders: { address: string }[] };
        const { multisigs: found } = await suite.app.result<{ multisigs: Wallet[] }>(
          `multisig/wallets?${queryOf({ address, limit: 100 })}`,
        );
        const ordersOf = (wallet: string) =>
          addressesOf(
            byAge(alive(multisigOrders)).filter((row) =>
              sampleMultisigs.some((each) => each.toRawUpper() === wallet && is(each, row.multisig_address)),
            ),
          );
        expect(found.map((each) => each.orders.map((order) => order.address))).toEqual(
          found.map((each) => ordersOf(each.address)),
        );
      }),
      { numRuns: filterRuns },
    );
  });
});
