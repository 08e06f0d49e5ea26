// Values of the parameters of v3, out of an index: each call of a measurement has another one.
import SQL, { raw } from "sql-template-tag";
import { rawAddressFromBytes } from "../../../server/store/address-bytes.js";
import type { Queries } from "../../../server/store/database.js";

type Source = { table: string; column: string };

const at = (table: string, column: string): Source => ({ table, column });
const account = at("transactions", "account");
const transaction = at("transactions", "hash");
const time = at("transactions", "now");
const lt = at("transactions", "lt");
const message = at("messages", "msg_hash");
const block = at("blocks", "mc_block_seqno");
const owner = at("jetton_wallets", "owner");
const master = at("jetton_wallets", "jetton");
const wallet = at("jetton_wallets", "address");
const collection = at("nft_items", "collection_address");
const multisig = at("multisigs", "address");
const pool = at("nominator_pools", "address");

/** Sources of a parameter's values; for methods in which it means something else, by both names. */
const sources: Readonly<Record<string, Source>> = {
  account,
  exclude_account: account,
  address: account,
  hash: transaction,
  tx_hash: transaction,
  trace_id: at("traces", "trace_id"),
  action_id: at("actions", "action_id"),
  action_type: at("actions", "type"),
  exclude_action_type: at("actions", "type"),
  msg_hash: message,
  "messages hash": message,
  body_hash: at("messages", "body_hash"),
  opcode: at("messages", "opcode"),
  source: at("messages", "source"),
  destination: at("messages", "destination"),
  workchain: at("blocks", "workchain"),
  shard: at("blocks", "shard"),
  seqno: block,
  mc_seqno: block,
  "blocks seqno": at("blocks", "seqno"),
  "transactions seqno": at("transactions", "block_seqno"),
  root_hash: at("blocks", "root_hash"),
  file_hash: at("blocks", "file_hash"),
  lt,
  start_lt: lt,
  end_lt: lt,
  start_utime: time,
  end_utime: time,
  code_hash: at("latest_account_states", "code_hash"),
  owner_address: owner,
  jetton: master,
  jetton_address: master,
  jetton_master: master,
  jetton_wallet: wallet,
  "jetton.masters address": at("jetton_masters", "address"),
  "jetton.masters admin_address": at("jetton_masters", "admin_address"),
  "jetton.wallets address": wallet,
  collection_address: collection,
  item_address: at("nft_items", "address"),
  index: at("nft_items", "index"),
  "nft.items address": at("nft_items", "address"),
  "nft.items owner_address": at("nft_items", "owner_address"),
  "nft.transfers owner_address": at("nft_items", "owner_address"),
  "nft.collections owner_address": at("nft_collections", "owner_address"),
  "nft.sales address": at("nft_sales", "address"),
  wallet: at("dns_entries", "dns_wallet"),
  domain: at("dns_entries", "domain"),
  q: at("dns_entries", "domain"),
  bidder: at("dns_entries", "max_bid_address"),
  "multisig.wallets address": multisig,
  "multisig.orders address": at("multisig_orders", "address"),
  multisig_address: multisig,
  wallet_address: account,
  contract_address: at("vesting_contracts", "address"),
  pool,
  nominator: account,
  validator: at("nominator_pools", "validator_address"),
  stake_holder_address: at("validator_events", "stake_holder"),
  adnl_address: at("validator_events", "adnl_addr"),
  validator_pubkey: at("validator_events", "validator_pubkey"),
  election_id: at("validator_elections", "election_id"),
  cycle_start: at("validator_cycles", "utime_since"),
};

/** Parameters that choose a page, or what an answer has beside its records, and those that only narrow another one. */
const notFilters: readonly string[] = [
  ...["limit", "offset", "after", "sort", "direction", "type", "state", "finished", "check_whitelist"],
  ...["cursor", "interval", "hours", "boc"],
  ...["supported_action_types", "parse_actions", "exclude_externals", "only_externals"],
  ...["exclude_zero_balance", "initiated_by_account", "sort_by_last_transaction_lt"],
];

const isFilter = (name: string) => !notFilters.includes(name) && !/^(include|return)_/.test(name);

/** Source of the values of a method's filter; `undefined` if the parameter is no filter. */
function sourceOf(method: string, parameter: string): Source | undefined {
  if (!isFilter(parameter)) return undefined;
  const source = sources[`${method} ${parameter}`] ?? sources[parameter];
  if (!source) throw new Error(`the parameter ${parameter} of ${method} has no values to be measured with`);
  return source;
}

/** Reads values of filters, once per column. */
export class Samples {
  readonly #queries: Queries;
  readonly #amount: number;
  readonly #read = new Map<string, Promise<string[]>>();

  constructor(queries: Queries, amount: number) {
    this.#queries = queries;
    this.#amount = amount;
  }

  /** Values of a filter, as callers write them; none if the index has none, `undefined` if it is no filter. */
  async of(method: string, parameter: string): Promise<string[] | undefined> {
    const source = sourceOf(method, parameter);
    if (!source) return undefined;
    const key = `${source.table} ${source.column}`;
    const reading = this.#read.get(key) ?? this.#values(source);
    this.#read.set(key, reading);
    return reading;
  }

  async #values({ table, column }: Source): Promise<string[]> {
    const name = raw(`"${column}"`);
    const rows = await this.#queries.query<{ value: unknown }>(SQL`
      select ${name} as value from (select distinct ${name} from ${raw(table)} where ${name} is not null) d
      order by random() limit ${this.#amount}`);
    return rows.map(({ value }) => textOf(column, value));
  }
}

function textOf(column: string, value: unknown): string {
  if (column === "shard") return BigInt.asUintN(64, value as bigint).toString(16);
  if (!(value instanceof Uint8Array)) return String(value);
  return value.length === 33 ? rawAddressFromBytes(value) : Buffer.from(value).toString("hex");
}
