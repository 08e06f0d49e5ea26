import { rawAddressToBytes } from "../../server/store/address-bytes.js";
import { accountStatuses, classificationStates, codeOf, traceStates } from "../../server/store/codes.js";
import type { Queries, Statement } from "../../server/store/database.js";
import { rawAddress } from "../../server/store/declare/wire-forms.js";
import type { UnitName } from "../../server/store/queries/blocks/units.js";
import type { AccountState } from "../../server/store/tables/accounts.js";
import type { ActionRow } from "../../server/store/tables/actions.js";
import { hashPrefix } from "../../server/store/tables/directories.js";
import type { StoredTraceRow } from "../../server/store/tables/traces.js";
import { bytesOfBase64, bytesToBase64 } from "../../shared/values/bytes.js";

/** A hash, named by a number. */
export const hashOf = (number: number): Uint8Array => new Uint8Array(32).fill(number);
export const nameOfHash = (number: number): string => bytesToBase64(hashOf(number));
/** A raw address, named by a number. */
export const rawOf = (number: number, workchain = 0): string =>
  `${workchain}:${number.toString(16).padStart(2, "0").repeat(32).toUpperCase()}`;

/** A masterchain block. Blocks of another fork have another mark. */
export const unitAt = (seqno: number, mark = 1): UnitName => ({
  seqno,
  rootHash: hashOf(mark),
  genUtime: BigInt(1_700_000_000 + seqno),
  endLt: BigInt(seqno * 1000 + 999),
});

/** A transaction in the block `seqno`. */
type MadeTransaction = {
  seqno: number;
  lt: bigint;
  account: string;
  hash: number;
  trace: number;
  /** The hash of the received message. */
  received?: number;
  sent?: number[];
  opcode?: string;
};

/** A trace that ended in the block `seqno`. */
export type MadeTrace = Partial<StoredTraceRow> & { id: number; seqno: number; accounts?: string[] };
/** A trace whose events are sent with the block `told`, or wait. */
type LateTrace = { id: number; told: number | null };
export type MadeAction = Partial<ActionRow> & { trace: number; id: number };
type MadeWallet = { address: string; owner: string; jetton: string; lt: bigint };
type LateWallet = { account: string; lt: bigint; told: number | null };
type MadeBlock = { seqno: number; workchain: number; number: number };

/** Complete, and classified. */
const [complete, classified] = [codeOf(traceStates, "complete"), codeOf(classificationStates, "ok")];

const traceRow = ({ id, seqno, accounts: _, ...more }: MadeTrace): StoredTraceRow => ({
  trace_id: hashOf(id),
  external_hash: undefined,
  external_hash_norm: undefined,
  mc_seqno_start: seqno,
  mc_seqno_end: seqno,
  start_lt: BigInt(seqno * 1000),
  start_utime: 1,
  end_lt: BigInt(seqno * 1000 + 5),
  end_utime: 2,
  state: complete,
  pending_edges_: 0,
  edges_: 1,
  nodes_: 1,
  classification_state: classified,
  sort_lt: BigInt(seqno * 1000 + 5),
  ...more,
});

export const actionRow = ({ trace, id, ...more }: MadeAction): ActionRow => ({
  trace_id: hashOf(trace),
  action_id: hashOf(id),
  parent_action_id: undefined,
  type: "contract_deploy",
  ancestor_type: [],
  start_lt: 1n,
  end_lt: 2n,
  start_utime: 1,
  end_utime: 2,
  mc_seqno_end: 1,
  trace_end_lt: 5n,
  trace_end_utime: 2,
  trace_mc_seqno_end: 1,
  trace_external_hash: undefined,
  trace_external_hash_norm: undefined,
  tx_hashes: [],
  accounts: [],
  success: true,
  opcode: undefined,
  source: undefined,
  source_secondary: undefined,
  destination: undefined,
  destination_secondary: undefined,
  asset: undefined,
  asset_secondary: undefined,
  asset2: undefined,
  asset2_secondary: undefined,
  amount: undefined,
  value: undefined,
  value_extra_currencies: undefined,
  data: undefined,
  ...more,
});

/** The state of an account that was edited without a transaction. */
export const editOf = (account: string, lt: bigint, balance: bigint): AccountState => ({
  account: rawAddressToBytes(account),
  lt,
  hash: hashOf(99),
  balance,
  balance_extra_currencies: undefined,
  account_status: codeOf(accountStatuses, "active"),
  frozen_hash: undefined,
  data_hash: undefined,
  code_hash: undefined,
});

/**
 * As much of an index as streams read, in memory. It knows the statements of `server/store/queries` by a part of their text, and
 * fails with any other.
 */
export class MemoryIndex implements Queries {
  units: UnitName[] = [];
  /** The indexed range, if it is not that of the blocks. */
  range: { first: number; last: number } | undefined;
  /** Blocks of the masterchain and of shards that a masterchain block registers. */
  blocks: MadeBlock[] = [];
  transactions: MadeTransaction[] = [];
  traces: MadeTrace[] = [];
  lateTraces: LateTrace[] = [];
  actions: MadeAction[] = [];
  wallets: MadeWallet[] = [];
  lateWallets: LateWallet[] = [];
  /** Received messages, and whether their traces are complete. */
  readonly received = new Map<string, boolean>();
  /** Called before each statement, with its name. */
  onStatement: (name: string) => void | Promise<void> = () => {};
  /** Names of the statements. */
  readonly asked: string[] = [];
  /** The number of rows that each statement with keys asked for. */
  readonly keys: [name: string, count: number][] = [];

  /** Blocks with these seqnos, of which each has itself alone. */
  add(...seqnos: number[]): void {
    for (const seqno of seqnos) {
      this.units.push(unitAt(seqno));
      this.blocks.push({ seqno, workchain: -1, number: seqno });
    }
  }

  count(name: string): number {
    return this.asked.filter((each) => each === name).length;
  }

  async isDivided(): Promise<boolean> {
    return false;
  }

  async query<Row>(statement: Statement): Promise<Row[]> {
    const rule = rules.find(([part]) => statement.text.includes(part));
    if (!rule) throw new Error(`the index in memory has no answer to: ${statement.text}`);
    const [, name, answer] = rule;
    this.asked.push(name);
    await this.onStatement(name);
    const rows = answer(this, statement.values);
    const { fromBytes } = statement;
    return (fromBytes ? rows.map((row) => fromBytes(bytesOf(row) as never)) : rows) as Row[];
  }

  textOf({ account, lt, hash, trace, received, sent = [], opcode }: MadeTransaction): string {
    const message = (number: number) => ({ hash: nameOfHash(number), opcode: opcode ?? null });
    return JSON.stringify({
      account,
      hash: nameOfHash(hash),
      lt: String(lt),
      trace_id: nameOfHash(trace),
      in_msg: received === undefined ? null : message(received),
      out_msgs: sent.map(message),
      account_state_after: { hash: nameOfHash(hash), balance: String(lt) },
    });
  }

  ofBlock(seqno: unknown): MadeTransaction[] {
    return this.transactions.filter((each) => each.seqno === seqno).sort(byLt);
  }

  tracesOf(ids: ReadonlySet<string>): MadeTrace[] {
    return this.traces.filter(({ id }) => ids.has(nameOfHash(id)));
  }
}

const byLt = (a: { lt: bigint }, b: { lt: bigint }) => (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : 0);
const toBytes = rawAddressToBytes;

/** The lists of bytes among the values of a statement. */
function keysOf(values: readonly unknown[]): Uint8Array[][] {
  return values.filter(
    (value): value is Uint8Array[] =>
      Array.isArray(value) && value.every((each) => each instanceof Uint8Array),
  );
}

const namesIn = (keys: readonly Uint8Array[] = []) => new Set(keys.map(bytesToBase64));
const addressesIn = (keys: readonly Uint8Array[] = []) => new Set(keys.map((key) => rawAddress.present(key)));

/** Rows of a directory. */
function located(hashes: readonly Uint8Array[]): object[] {
  return hashes.map((hash) => ({ hash_prefix: hashPrefix(hash), lt: 1n, slot: 0n }));
}

function bytesOf(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value === null ? null : Buffer.from(String(value))]),
  );
}

/** A row as `selectRows` reads it. */
function aliased(alias: string, row: object): object {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [`${alias}_${name}`, value ?? null]));
}

const rules: [
  part: string,
  name: string,
  answer: (index: MemoryIndex, values: readonly unknown[]) => object[],
][] = [
  [
    'b.root_hash as "rootHash"',
    "units",
    (index, [seqnos]) => index.units.filter(({ seqno }) => (seqnos as number[]).includes(seqno)),
  ],
  [
    "from indexed_range",
    "range",
    (index) => {
      const seqnos = index.units.map(({ seqno }) => seqno);
      if (seqnos.length === 0 && !index.range) return [];
      return [index.range ?? { first: Math.min(...seqnos), last: Math.max(...seqnos) }];
    },
  ],
  [
    "select workchain, shard, seqno, start_lt, end_lt from blocks",
    "spans",
    (index, [seqno]) =>
      index.blocks
        .filter((each) => each.seqno === seqno)
        .map(({ workchain, number }) => ({ workchain, shard: 0n, seqno: number, start_lt: 0n, end_lt: 9n })),
  ],
  [
    "page(workchain, shard, seqno, start_lt, place)",
    "blocks",
    (_, [workchains, , seqnos]) =>
      (workchains as number[]).map((workchain, at) => ({
        text: JSON.stringify({ workchain, seqno: (seqnos as number[])[at] }),
      })),
  ],
  [
    "where t.mc_seqno_end =",
    "ended",
    (index, [seqno]) =>
      index.traces.filter((each) => each.seqno === seqno).map((each) => aliased("t", traceRow(each))),
  ],
  [
    "select trace_id from late_traces where mc_seqno_end",
    "delayed",
    (index, [seqno]) => {
      const own = index.traces.filter((each) => each.seqno === seqno);
      return index.lateTraces
        .filter(({ id }) => own.some((each) => each.id === id))
        .map(({ id }) => ({ trace_id: hashOf(id) }));
    },
  ],
  [
    "late_traces l join traces t",
    "late",
    (index, [seqno]) => {
      const ids = index.lateTraces.filter(({ told }) => told === seqno).map(({ id }) => nameOfHash(id));
      return index.tracesOf(new Set(ids)).map((each) => aliased("t", traceRow(each)));
    },
  ],
  [
    "select told_seqno from late_traces where trace_id",
    "told",
    (index, [id]) =>
      index.lateTraces
        .filter((each) => nameOfHash(each.id) === bytesToBase64(id as Uint8Array))
        .map(({ told }) => ({ told_seqno: told })),
  ],
  [
    "select trace_id, account from account_traces",
    "participants",
    (index, values) =>
      index
        .tracesOf(namesIn(keysOf(values)[0]))
        .flatMap(({ id, accounts = [] }) =>
          accounts.map((account) => ({ trace_id: hashOf(id), account: toBytes(account) })),
        ),
  ],
  [
    "select account, max(lt) as lt from transactions",
    "last",
    (index, [seqno]) => {
      const last = new Map(index.ofBlock(seqno).map(({ account, lt }) => [account, lt]));
      return Array.from(last, ([account, lt]) => ({ account: toBytes(account), lt })).sort(byLt);
    },
  ],
  [
    "select account, code_hash, data_hash, last_trans_lt",
    "stored",
    (index, values) => {
      const wanted = addressesIn(keysOf(values)[0]);
      const own = [...index.transactions].sort(byLt).filter(({ account }) => wanted.has(account));
      const last = new Map(own.map(({ account, lt }) => [account, lt]));
      return Array.from(last, ([account, lt]) => ({ account: toBytes(account), last_trans_lt: lt }));
    },
  ],
  [
    "select account, lt from transactions where",
    "within",
    (index, [seqno]) => index.ofBlock(seqno).map(({ account, lt }) => ({ account: toBytes(account), lt })),
  ],
  [
    "page(account, lt, from_lt, place)",
    "transactions",
    (index, values) => {
      const [accounts = []] = keysOf(values);
      const lts = values.find((each): each is bigint[] => Array.isArray(each) && typeof each[0] === "bigint");
      index.keys.push(["transactions", accounts.length]);
      return accounts.flatMap((key, at) => {
        const account = rawAddress.present(key);
        const found = index.transactions.find((each) => each.account === account && each.lt === lts![at]);
        return found ? [{ text: index.textOf(found), addresses: account }] : [];
      });
    },
  ],
  [
    "wanted(id, from_lt, to_lt, slot)",
    "transactionsOfTraces",
    (index, values) => {
      const [ids, accounts] = keysOf(values);
      const [names, wanted] = [namesIn(ids), accounts && addressesIn(accounts)];
      index.keys.push(["accounts", accounts?.length ?? 0]);
      return index.transactions
        .filter(({ trace, account }) => names.has(nameOfHash(trace)) && (wanted?.has(account) ?? true))
        .sort(byLt)
        .map((each) => ({
          text: index.textOf(each),
          addresses: each.account,
          trace_id: nameOfHash(each.trace),
          hash: nameOfHash(each.hash),
          in_hash: null,
          out_hashes: null,
        }));
    },
  ],
  [
    "wanted(id, end_lt)",
    "actions",
    (index, values) => {
      const [ids] = keysOf(values);
      const types = values.find(
        (each): each is string[] => Array.isArray(each) && typeof each[0] === "string",
      );
      const names = namesIn(ids);
      return index.actions
        .filter(({ trace }) => names.has(nameOfHash(trace)))
        .map(actionRow)
        .filter(({ type }) => types?.includes(type))
        .map((row) => aliased("a", row));
    },
  ],
  [
    "join late_wallets l using",
    "walletsDelayed",
    (index, values) => {
      const accounts = addressesIn(keysOf(values)[0]);
      return index.lateWallets
        .filter(({ account }) => accounts.has(account))
        .map(({ account, lt }) => ({ account: toBytes(account), lt }));
    },
  ],
  [
    "from late_wallets where told_seqno",
    "lateWallets",
    (index, [seqno]) =>
      index.lateWallets
        .filter(({ told }) => told === seqno)
        .map(({ account, lt }) => ({ account: toBytes(account), lt })),
  ],
  [
    "jetton_wallets",
    "wallets",
    (index, values) => {
      const [keys = []] = keysOf(values);
      // A list of one account is a value of its own.
      const only = values.find((each): each is Uint8Array => each instanceof Uint8Array);
      const accounts = addressesIn(keys.length > 0 || !only ? keys : [only]);
      index.keys.push(["wallets", accounts.size]);
      return index.wallets
        .filter(({ address }) => accounts.has(address))
        .map(({ lt, ...wallet }) => ({
          text: JSON.stringify({ ...wallet, last_transaction_lt: String(lt) }),
        }));
    },
  ],
  [
    "found where seqno <=",
    "unitsOfAccounts",
    (index, values) => {
      const accounts = addressesIn(keysOf(values)[0]);
      return index.transactions
        .filter(({ account }) => accounts.has(account))
        .map(({ account, seqno }) => ({ account: toBytes(account), seqno }));
    },
  ],
  [
    "wire_hash(m.msg_hash) as hash",
    "received",
    (index, values) => {
      const hashes = namesIn(keysOf(values)[0]);
      return Array.from(index.received, ([hash, is_complete]) => ({ hash, is_complete })).filter(({ hash }) =>
        hashes.has(hash),
      );
    },
  ],
  [
    "from msg_locator",
    "locateMessages",
    (index) => {
      const hashes = index.traces.flatMap((each) => traceRow(each).external_hash_norm ?? []);
      return located([...hashes, ...Array.from(index.received.keys(), bytesOfBase64)]);
    },
  ],
  ["from tx_locator", "locateTransactions", (index) => located(index.traces.map(({ id }) => hashOf(id)))],
  [
    "select distinct trace_id, sort_lt from (",
    "places",
    (index, values) => {
      const names = namesIn(keysOf(values)[0]);
      return index.traces
        .map(traceRow)
        .filter((row) =>
          [row.trace_id, row.external_hash_norm].some((each) => each && names.has(bytesToBase64(each))),
        );
    },
  ],
  [
    "page(trace_id, sort_lt)",
    "traces",
    (index, values) =>
      index.tracesOf(namesIn(keysOf(values)[0])).map((each) => aliased("traces", traceRow(each))),
  ],
  ["from_lt, to_lt from slots", "slots", () => [{ from_lt: 0n, to_lt: 1n << 62n }]],
  [
    "from slots s",
    "slots",
    () => [
      {
        from_lt: 0n,
        to_lt: 1n << 62n,
        first_lt: 0n,
        last_lt: 1n << 62n,
        first_utime: 0n,
        last_utime: 1n << 62n,
        first_mc_seqno: 0,
        last_mc_seqno: 1 << 30,
      },
    ],
  ],
];
