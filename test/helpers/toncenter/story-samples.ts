import SQL, { raw } from "sql-template-tag";
import type { Queries } from "../../../server/store/database.js";
import type { IndexApp } from "../http/index-app.js";
import type { Samples } from "../store/filter-pairs.js";
import { fixedSamples } from "../store/fixed-samples.js";

type Named = Readonly<Record<string, string | null>>;
type Message = { hash: string; source: string | null; destination: string | null; opcode: string | null } & {
  message_content: { hash: string } | null;
};
type Transaction = {
  account: string;
  hash: string;
  lt: string;
  now: number;
  mc_block_seqno: number;
  trace_id: string;
  block_ref: { workchain: number; shard: string; seqno: number };
  in_msg: Message | null;
};

/** The first of the values, each once. */
function firstOf(values: Iterable<string | null | undefined>, count = 3): string[] {
  return [...new Set(values)].filter((value) => typeof value === "string").slice(0, count);
}

/** Values of the parameters of v3, from the answers about sample data. */
export async function storySamples({ result }: Pick<IndexApp, "result">, own: Queries): Promise<Samples> {
  const list = async (path: string, name: string) =>
    (await result<Record<string, Named[]>>(`${path}?limit=1000`))[name]!;
  const { transactions } = await result<{ transactions: Transaction[] }>("transactions?limit=1000");
  const { blocks } = await result<{ blocks: Named[] }>("blocks?limit=5");
  const { actions } = await result<{ actions: { action_id: string; type: string }[] }>("actions?limit=500");
  const wallets = await list("jetton/wallets", "jetton_wallets");
  const masters = await list("jetton/masters", "jetton_masters");
  const items = await list("nft/items", "nft_items");
  const inTable = async (table: string, column: string) =>
    (
      await own.query<{ address: string }>(SQL`
        select distinct wire_address(${raw(column)}) as address from ${raw(table)} order by 1 limit 3`)
    ).map(({ address }) => address);
  const domains = await own.query<{ domain: string }>(SQL`select domain from dns_entries order by 1 limit 2`);
  const named = {
    multisigs: await inTable("multisigs", "address"),
    signers: await inTable("multisigs", "signers[1]"),
    orders: await inTable("multisig_orders", "address"),
    vesting: await inTable("vesting_contracts", "address"),
    vestingOwners: await inTable("vesting_contracts", "owner_address"),
    whitelisted: await inTable("vesting_contracts", "whitelist[1]"),
    sales: await inTable("nft_sales", "address"),
    auctions: await inTable("nft_auctions", "address"),
    wallets: await inTable("dns_entries", "dns_wallet"),
  };
  const of = (rows: readonly Named[], name: string) => firstOf(rows.map((row) => row[name]));
  const received = transactions.flatMap(({ in_msg }) => in_msg ?? []);
  const internal = received.filter(({ source }) => source !== null);
  const [middle, late] = [transactions[Math.floor(transactions.length / 2)]!, transactions[5]!];
  const owners = firstOf([...of(wallets, "owner"), ...of(items, "owner_address")], 4);
  const hashes = firstOf([middle, late, ...transactions].map(({ hash }) => hash));
  return {
    ...fixedSamples,
    account: firstOf([...owners, middle.account, late.account], 4),
    exclude_account: firstOf([middle.account, late.account]),
    owner_address: owners,
    admin_address: of(masters, "admin_address"),
    source: firstOf(internal.map(({ source }) => source)),
    destination: firstOf(internal.map(({ destination }) => destination)),
    jetton_master: of(masters, "address"),
    jetton_address: of(masters, "address"),
    jetton: of(masters, "address"),
    jetton_wallet: of(wallets, "address"),
    collection_address: of(items, "collection_address"),
    item_address: of(items, "address"),
    multisig_address: named.multisigs,
    wallet_address: firstOf([...named.signers, ...named.vestingOwners, ...named.whitelisted, ...owners], 6),
    contract_address: named.vesting,
    wallet: firstOf([...named.wallets, ...owners]),
    domain: domains.map(({ domain }) => domain),
    address: firstOf(
      [
        ...named.multisigs,
        ...of(items, "address"),
        ...of(wallets, "address"),
        ...of(masters, "address"),
        ...named.orders,
        ...named.sales,
        ...named.auctions,
        ...owners,
      ],
      16,
    ),
    code_hash: of(wallets, "code_hash"),
    hash: hashes,
    tx_hash: hashes,
    trace_id: firstOf([middle, late].map(({ trace_id }) => trace_id)),
    msg_hash: firstOf(received.map(({ hash }) => hash)),
    action_id: firstOf(actions.map(({ action_id }) => action_id)),
    root_hash: of(blocks, "root_hash").slice(0, 1),
    file_hash: of(blocks, "file_hash").slice(0, 1),
    body_hash: firstOf(received.map(({ message_content: content }) => content?.hash)).slice(0, 1),
    opcode: firstOf(received.map(({ opcode }) => opcode)).slice(0, 2),
    lt: [middle.lt],
    mc_seqno: [String(middle.mc_block_seqno)],
    seqno: [String(middle.block_ref.seqno)],
    workchain: [String(middle.block_ref.workchain)],
    shard: [middle.block_ref.shard],
    start_utime: [String(middle.now)],
    end_utime: [String(late.now)],
    start_lt: [middle.lt],
    end_lt: [late.lt],
    index: firstOf(items.map(({ index }) => index)),
    action_type: firstOf(actions.map(({ type }) => type)),
    exclude_action_type: ["call_contract"],
  };
}
