import SQL from "sql-template-tag";
import type { Database } from "../../../server/store/database.js";
import { migrate } from "../../../server/store/migrate.js";
import { Address } from "../../../shared/values/address.js";
import { bytesOf, hashOf, storeRows } from "../../helpers/store/rows.js";

/** An owner of many tokens of many kinds. */
export const collector = new Address(0, hashOf("collector"));

/** Number of tokens of each kind, and the interval of those of the collector. */
const tokens = 100_000;
const ownedEvery = 100;
const kinds = 500;
const rowsAtOnce = 10_000;

const named = (name: string) => bytesOf(new Address(0, hashOf(name)));
const contract = (address: Uint8Array, i: number) => ({
  address,
  first_seen_lt: BigInt(i),
  last_transaction_lt: BigInt(i),
  timestamp: 1_700_000_000,
  code_hash: hashOf("code"),
  data_hash: hashOf(`data ${i}`),
  destroyed: false,
});
const account = (address: Uint8Array) => ({
  account: address,
  hash: hashOf("state"),
  balance: 5n,
  account_status: 3,
  timestamp: 1_700_000_000,
  code_hash: hashOf("code"),
});
const onChain = (i: number) => ({
  name: `Token ${i}`,
  symbol: `T${i}`,
  description: "Worth what somebody pays for it.",
  decimals: "9",
  image: `https://tokens.example/${i}.png`,
});

/** An index of jetton wallets and NFT items of many owners, as vacuumed as a database that is some time old. */
export async function storeManyTokens(database: Database): Promise<void> {
  const store = database.sql();
  await migrate(store);
  const all = Array.from({ length: kinds }, (_, i) => i);
  await storeRows(database, {
    contractMethods: [{ code_hash: hashOf("code"), methods: [97026, 102351] }],
    jettonMasters: all.map((i) => ({
      ...contract(named(`master ${i}`), i),
      total_supply: 10n ** 15n,
      mintable: true,
      admin_address: named(`admin ${i}`),
      jetton_content: onChain(i),
      jetton_wallet_code_hash: hashOf("code"),
    })),
    nftCollections: all.map((i) => ({
      ...contract(named(`collection ${i}`), i),
      next_item_index: 1000n,
      owner_address: named(`admin ${i}`),
      collection_content: onChain(i),
    })),
    latestAccountStates: [
      bytesOf(collector),
      ...all.flatMap((i) => [named(`master ${i}`), named(`collection ${i}`)]),
    ].map(account),
  });
  for (let first = 0; first < tokens; first += rowsAtOnce) {
    const numbers = Array.from({ length: rowsAtOnce }, (_, i) => first + i);
    const ownerOf = (i: number) => (i % ownedEvery === 0 ? bytesOf(collector) : named(`owner ${i % 999}`));
    // The kinds of an owner's tokens differ.
    const kindOf = (i: number) => Math.floor(i / ownedEvery) % kinds;
    await storeRows(database, {
      jettonWallets: numbers.map((i) => ({
        ...contract(named(`wallet ${i}`), i),
        balance: BigInt((i * 7919) % 1_000_003),
        owner: ownerOf(i),
        jetton: named(`master ${kindOf(i)}`),
        mintless_is_claimed: undefined,
      })),
      nftItems: numbers.map((i) => ({
        ...contract(named(`item ${i}`), i),
        init: true,
        index: BigInt(i),
        collection_address: named(`collection ${kindOf(i)}`),
        owner_address: ownerOf(i),
        real_owner: ownerOf(i),
        content: { uri: `https://tokens.example/items/${i}.json` },
      })),
      latestAccountStates: numbers.flatMap((i) => [named(`wallet ${i}`), named(`item ${i}`)].map(account)),
    });
  }
  await store.query(
    SQL`vacuum (analyze) jetton_masters, jetton_wallets, nft_collections, nft_items, latest_account_states`,
  );
}
