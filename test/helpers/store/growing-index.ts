import SQL from "sql-template-tag";
import type { Database } from "../../../server/store/database.js";
import { accountStateRow } from "../../../server/store/tables/accounts.js";
import { accountsOfAction, locatorOfAction } from "../../../server/store/tables/actions.js";
import type { MessageRow } from "../../../server/store/tables/messages.js";
import type { TraceRow } from "../../../server/store/tables/traces.js";
import { Address } from "../../../shared/values/address.js";
import type { Content } from "./databases.js";
import { tokenRows } from "./growing-tokens.js";
import { validatorRows } from "./growing-validators.js";
import { adders, type Moment, type Parties, push, shards } from "./party-rows.js";
import { queriesOf } from "./queries-of.js";
import {
  actionRow,
  blockRow,
  bytesOf,
  hashOf,
  messageRow,
  type Rows,
  storeRows,
  traceRow,
  transactionRow,
  wholeShard,
} from "./rows.js";

/** Width of a slot in lt, and of a masterchain block with its shard blocks. */
const slotWidth = 100_000n;
const blockWidth = 2_000n;
const blocksPerSlot = Number(slotWidth / blockWidth);
const tracesPerBlock = 10;
const transactionsPerTrace = 4;

/** Sends or receives in every trace of a slot that is divisible by this. */
const busyEvery = 5;
const secondsPerBlock = 3;

const body = hashOf("the body of every other message");
const opcode = 0x0f8a7ea5;

const accountNamed = (name: string) => new Address(0, hashOf(`account ${name}`));

/** Values for the reads of tests. All of them occur in the first four slots, and some in every slot. */
export const grown = {
  busy: accountNamed("busy"),
  partner: accountNamed("partner"),
  /** Has one transaction, in the first slot. */
  rare: accountNamed("rare"),
  body,
  opcode,
  seqno: 60,
  shard: shards[0],
  rootHash: hashOf(`root 0 ${shards[0]} 60`),
  /** Had transactions in the fourth slot only, as the network was split further. */
  oldShard: 2n ** 61n,
  /** Opcode of messages in the fourth slot only. */
  oldOpcode: 0x01d0,
  oldBody: hashOf("the body of messages of the old shard"),
  times: timesOf(60),
  lts: { start_lt: 60n * blockWidth, end_lt: 61n * blockWidth - 1n },
  /** Of a block of the fourth slot, behind most blocks of it. */
  lateLt: 190n * blockWidth,
  /** The last lt of the second slot. */
  slotEnd: 2n * slotWidth - 1n,
  traceIds: [traceOf(60, 3), traceOf(160, 4)],
  hashes: [hashOf("transaction 60 3 1"), hashOf("transaction 160 4 2"), hashOf("transaction 31 5 2")],
  messages: [hashOf("message 60 3 1"), hashOf("message 160 4 2"), hashOf("message 31 5 3")],
  external: hashOf("norm 60 3"),
  action: hashOf(`action ${Buffer.from(hashOf("transaction 60 3 1")).toString("hex")}`),
  /** Domain of the busy account, which has one per block. */
  domain: "domain60.ton",
} as const;

function timesOf(seqno: number): { start_utime: number; end_utime: number } {
  return { start_utime: timeOf(seqno), end_utime: timeOf(seqno + 5) };
}

function timeOf(seqno: number): number {
  return 1_700_000_000 + seqno * secondsPerBlock;
}

function traceOf(seqno: number, trace: number): Uint8Array {
  return hashOf(`transaction ${seqno} ${trace} 0`);
}

type Growth = Rows & Required<Pick<Rows, "transactions" | "traces">>;

type GrowthOptions = {
  /** Interval, in blocks, of blocks with transactions; requested blocks have them too. Default: 1. */
  every?: number;
  /** How many slots the database has already. Default: none. */
  slots?: number;
};

/** Blocks of which something is in `grown`. */
const namedBlocks: readonly number[] = [7, 31, grown.seqno, 160];

/**
 * An index that grows by slots of 2,000 transactions in traces of four: an external message, and three messages that are
 * passed on. One account takes part in every fifth trace of the chain, often with the same partner.
 */
export class GrowingIndex {
  readonly #database: Database;
  readonly #every: number;
  #slots: number;

  constructor(database: Database, { every = 1, slots = 0 }: GrowthOptions = {}) {
    this.#database = database;
    this.#every = every;
    this.#slots = slots;
  }

  /** Makes slots as narrow as the ones that are stored here, or so many times as wide. */
  async begin({ width = 1 } = {}): Promise<void> {
    await queriesOf(this.#database).query(
      SQL`update index_meta set value = ${String(slotWidth * BigInt(width))} where key = 'lt_grid'`,
    );
  }

  async growTo(slots: number): Promise<void> {
    for (; this.#slots < slots; this.#slots++) {
      const rows = slotRows(this.#slots, this.#every);
      await storeRows(this.#database, {
        ...rows,
        ...tokenRows(rows.transactions, this.#slots, grown),
        ...validatorRows(this.#slots, timeOf(this.#slots * blocksPerSlot)),
      });
    }
    const last = slots * blocksPerSlot;
    const sql = queriesOf(this.#database);
    // The trace is complete; no read of its edges uses that.
    await sql.query(SQL`
      insert into open_edges (msg_hash, trace_id, left_tx, mc_seqno)
      values (${hashOf("edge")}, ${grown.traceIds[0]}, ${grown.hashes[0]}, ${grown.seqno}) on conflict do nothing`);
    await sql.query(SQL`
      insert into index_ranges (from_seqno, to_seqno, done_to, state) values (1, 2147483647, ${last}, 1)
      on conflict (from_seqno) do update set done_to = ${last}`);
  }
}

/** An index of some slots, as content of databases. */
export const grownContent = (slots: number, every: number): Content => ({
  name: `grown-${slots}-${every}`,
  async fill(database) {
    const index = new GrowingIndex(database, { every });
    await index.begin();
    await index.growTo(slots);
  },
});

/** A moment at a place, from 0 to 1, in the time of an index of some slots. Blocks with even numbers have none. */
export function momentIn(slots: number, place: number): Moment {
  const pairs = (place * slots * blocksPerSlot) / 2;
  const seqno = 1 + 2 * Math.floor(pairs);
  // Transactions of the index have other ones.
  const within = (BigInt(Math.floor((pairs % 1) * Number(blockWidth))) / 10n) * 10n + 5n;
  return { lt: BigInt(seqno - 1) * blockWidth + within, now: timeOf(seqno), seqno };
}

function slotRows(slot: number, every: number): Growth {
  const rows: Growth = { transactions: [], traces: [] };
  const first = slot * blocksPerSlot + 1;
  for (let seqno = first; seqno < first + blocksPerSlot; seqno++) {
    const isFull = seqno % every === 0 || namedBlocks.includes(seqno);
    addBlocks(rows, seqno, isFull);
    if (isFull) addTransactions(rows, seqno);
  }
  return rows;
}

function addBlocks(rows: Growth, seqno: number, isFull: boolean): void {
  const start_lt = BigInt(seqno) * blockWidth - blockWidth;
  const ids = [
    { workchain: -1, shard: wholeShard },
    ...shards.map((shard) => ({ workchain: 0, shard })),
    ...(isOldBlock(seqno) ? [{ workchain: 0, shard: grown.oldShard }] : []),
  ];
  const tx_count = isFull ? (tracesPerBlock * transactionsPerTrace) / shards.length : 0;
  for (const { workchain, shard } of ids) {
    push(rows, "shardState", { mc_seqno: seqno, workchain, shard, seqno, start_lt });
    const block = blockRow({
      ...{ workchain, shard, seqno, gen_utime: timeOf(seqno), start_lt, end_lt: start_lt + blockWidth - 1n },
      tx_count: workchain === -1 ? 0 : tx_count,
    });
    push(rows, "blocks", block);
  }
}

function addTransactions(rows: Growth, seqno: number): void {
  rows.transactions.push(
    transactionRow({
      account: bytesOf(new Address(-1, hashOf("elector"))),
      lt: BigInt(seqno) * blockWidth - 100n,
      now: timeOf(seqno),
      block_workchain: -1,
      block_seqno: seqno,
      mc_block_seqno: seqno,
    }),
  );
  for (let trace = 0; trace < tracesPerBlock; trace++) addTrace(rows, seqno, trace);
  addDomains(rows, seqno);
}

/** A domain of the busy account, which it also bids for; and one in which another account names the partner. */
function addDomains(rows: Growth, seqno: number): void {
  const moment = { lt: BigInt(seqno) * blockWidth, now: timeOf(seqno), seqno };
  const owner = bytesOf(grown.busy);
  for (const name of ["domain", "foreign"])
    adders.domains(rows, { owner, name: `${name}${seqno}` } as Parties, moment);
  rows.dnsEntries!.at(-1)!.dns_wallet = bytesOf(grown.partner);
}

/** The lt of a transaction of a trace; traces of a block run beside each other. */
function ltOf(seqno: number, trace: number, step: number): bigint {
  return BigInt(seqno) * blockWidth - blockWidth + BigInt(step * 400 + trace * 10 + 1);
}

function addTrace(rows: Growth, seqno: number, trace: number): void {
  const name = `${seqno} ${trace}`;
  const trace_id = traceOf(seqno, trace);
  const isBusy = (seqno * tracesPerBlock + trace) % busyEvery === 0;
  const isRare = seqno === 7 && trace === 1;
  const accounts = [
    accountNamed(`own ${name}`),
    isBusy ? grown.busy : isRare ? grown.rare : accountNamed(`second ${name}`),
    isBusy && trace === 0 ? grown.partner : accountNamed(`third ${seqno % 97}`),
    accountNamed(`fourth ${name}`),
  ].map(bytesOf);
  const facts = { now: timeOf(seqno), mc_block_seqno: seqno, block_seqno: seqno, trace_id };
  for (const [step, account] of accounts.entries()) {
    const lt = ltOf(seqno, trace, step);
    const hash = hashOf(`transaction ${name} ${step}`);
    const [before, after] = [hashOf(`state ${name} ${step} before`), hashOf(`state ${name} ${step}`)];
    const block_shard = isOld(seqno, trace) ? grown.oldShard : shards[trace % shards.length]!;
    rows.transactions.push(
      transactionRow({
        ...facts,
        account,
        lt,
        hash,
        prev_trans_lt: lt - 1n,
        block_shard,
        account_state_hash_before: before,
        account_state_hash_after: after,
      }),
    );
    for (const [state, at] of [
      [before, lt - 1n],
      [after, lt],
    ] as const)
      push(rows, "accountStates", accountStateRow({ account, lt: at, ...ofState(state) }));
    const last = { timestamp: 100, last_trans_hash: hash, last_trans_lt: lt };
    if (account !== accounts[2] && !isBusy)
      push(rows, "latestAccountStates", { account, ...ofState(after), ...last });
    addMessages(rows, { seqno, trace, step }, accounts, { hash, lt });
  }
  const whole = traceRow({
    ...{ trace_id, external_hash: hashOf(`message ${name} 0`), external_hash_norm: hashOf(`norm ${name}`) },
    ...{ mc_seqno_start: seqno, start_lt: ltOf(seqno, trace, 0), start_utime: timeOf(seqno) },
    end_lt: ltOf(seqno, trace, transactionsPerTrace - 1),
    ...{ edges_: transactionsPerTrace, nodes_: transactionsPerTrace, classification_state: 2 },
  });
  rows.traces.push(whole);
  addActions(rows, whole, accounts);
}

/** A transfer from each account of a trace to the next one. Every fourth is one of jettons. */
function addActions(rows: Growth, trace: TraceRow, accounts: readonly Uint8Array[]): void {
  const { trace_id, end_lt, mc_seqno_end } = trace;
  for (const [step, source] of accounts.slice(0, -1).entries()) {
    const own = rows.transactions.slice(-transactionsPerTrace)[step]!;
    const destination = accounts[step + 1]!;
    const action = actionRow(
      { lt: own.lt, now: own.now, seqno: mc_seqno_end },
      {
        ...{ trace_id, trace_end_lt: end_lt, tx_hashes: [own.hash] },
        action_id: hashOf(`action ${Buffer.from(own.hash).toString("hex")}`),
        type: mc_seqno_end % 4 === 0 ? "jetton_transfer" : "ton_transfer",
        ...{
          accounts: [source, destination],
          ...(step === 0 && { initiator: 1 }),
          source,
          destination,
          value: 5n,
        },
        data: { ton_transfer_data: { encrypted: false }, jetton_transfer_data: {} },
      },
    );
    push(rows, "actions", action);
    push(rows, "actionLocator", locatorOfAction(action));
    for (const row of accountsOfAction(action)) push(rows, "actionAccounts", row);
  }
}

/** In the fourth slot. */
function isOldBlock(seqno: number): boolean {
  return seqno > 3 * blocksPerSlot && seqno <= 3 * blocksPerSlot + 20;
}

function isOld(seqno: number, trace: number): boolean {
  return trace === 3 && isOldBlock(seqno);
}

type Place = { seqno: number; trace: number; step: number };

/** The message that a transaction received, and the one it sent. */
function addMessages(
  rows: Growth,
  { seqno, trace, step }: Place,
  accounts: readonly Uint8Array[],
  { hash, lt }: { hash: Uint8Array; lt: bigint },
): void {
  const messageOf = (number: number): Omit<MessageRow, "direction" | "is_first"> => {
    const name = `${seqno} ${trace} ${number}`;
    const isCommon = trace % 2 === 0;
    const own = hashOf(`body ${name}`);
    const internal = number > 0 && {
      source: accounts[number - 1],
      created_lt: ltOf(seqno, trace, number - 1) + 1n,
      created_at: timeOf(seqno),
      value: 5n,
    };
    return {
      tx_hash: hash,
      tx_lt: lt,
      mc_seqno: seqno,
      msg_hash: hashOf(`message ${name}`),
      msg_hash_norm: number === 0 ? hashOf(`norm ${seqno} ${trace}`) : undefined,
      destination: accounts[number],
      opcode: isOld(seqno, trace) ? grown.oldOpcode : isCommon ? opcode : number,
      body_hash: isOld(seqno, trace) ? grown.oldBody : isCommon ? body : own,
      ...internal,
    };
  };
  const received = messageOf(step);
  push(rows, "messages", messageRow({ ...received, direction: 0, is_first: step === 0 }));
  if (step < accounts.length - 1)
    push(rows, "messages", messageRow({ ...messageOf(step + 1), direction: 1 }));
  rows.messageContents ??= [];
  if (received.body_hash !== body || step === 0)
    rows.messageContents.push({ hash: received.body_hash, body: received.body_hash });
}

const ofState = (hash: Uint8Array) => ({
  hash,
  balance: 10n,
  account_status: 3,
  code_hash: hashOf("code"),
  data_hash: hash,
});
