import { addressFromBytes } from "../../../server/store/address-bytes.js";
import type { MessageRow } from "../../../server/store/tables/messages.js";
import type { TransactionRow } from "../../../server/store/tables/transactions.js";
import {
  accountOf,
  blockRow,
  bytesOf,
  hashOf,
  messageRow,
  type Rows,
  transactionRow,
  wholeShard,
} from "./rows.js";

const letters = ["a", "b", "c", "d", "e"];
export const sampleAccounts = letters.map(accountOf);
export const sampleOpcodes = [undefined, 0, 0x0f8a7ea5, 0xd53276db];
export const sampleBodies = ["one", "two", "three"].map((name) => hashOf(`body ${name}`));

/**
 * A small index in which much is equal: 180 transactions of five accounts, three at most at one logical time, in six
 * masterchain blocks, with messages between them, from outside and to the outside.
 */
export function sampleIndex(): Rows & { transactions: TransactionRow[]; messages: MessageRow[] } {
  const transactions = Array.from({ length: 180 }, (_, i) => {
    const lt = BigInt(Math.floor(i / 3)) + 1n;
    return transactionRow({
      account: bytesOf(accountOf(letters[(i * 7 + Math.floor(i / 3)) % 5]!)),
      lt,
      // Not in step with lt, as the clocks of shards are not.
      now: 100 + Math.floor((i * 5) % 31),
      block_workchain: i % 22 === 0 ? -1 : 0,
      block_shard: i % 2 === 0 ? wholeShard : 2n ** 62n,
      block_seqno: 1 + Math.floor(i / 30),
      mc_block_seqno: 1 + Math.floor(i / 30),
      trace_id: hashOf(`trace ${Math.floor(i / 4)}`),
    });
  });
  const messages = transactions.flatMap((transaction, i) => messagesOf(transaction, transactions[i + 3], i));
  const blocks = Array.from({ length: 6 }, (_, i) => {
    const span = { seqno: i + 1, start_lt: 10n * BigInt(i), end_lt: 10n * BigInt(i + 1) };
    const ofShard = { ...span, workchain: 0, mc_block_seqno: i + 1 };
    return [
      blockRow({ ...span, gen_utime: 100 + 5 * i }),
      blockRow({ ...ofShard, gen_utime: 100 + 5 * i }),
      blockRow({ ...ofShard, shard: 2n ** 62n, gen_utime: 99 + 5 * i }),
    ];
  }).flat();
  return { transactions, messages, blocks };
}

/** Messages that a transaction sends; another one receives some of them. */
export function messagesOf(from: TransactionRow, to: TransactionRow | undefined, i: number): MessageRow[] {
  const shared = {
    body_hash: sampleBodies[i % 3]!,
    opcode: sampleOpcodes[i % 4] === undefined ? undefined : sampleOpcodes[i % 4]! | 0,
    mc_seqno: from.mc_block_seqno,
  };
  const sent = { ...shared, created_lt: from.lt, created_at: from.now, source: from.account };
  const out = { tx_hash: from.hash, tx_lt: from.lt, direction: 1 };
  const msg_hash = hashOf(`message ${i}`);
  if (i % 13 === 0) {
    const external = { ...shared, msg_hash: hashOf(`external ${i}`), msg_hash_norm: hashOf(`norm ${i}`) };
    return [
      messageRow({
        ...external,
        ...out,
        direction: 0,
        is_first: true,
        destination: from.account,
        import_fee: 0n,
      }),
    ];
  }
  // A transaction with a message from outside has no other incoming message.
  if (i % 5 === 0 || (i + 3) % 13 === 0 || !to) return [messageRow({ ...sent, ...out, msg_hash })];
  const internal = { ...sent, msg_hash, destination: to.account, value: 5n, bounce: true };
  const received = messageRow({ ...internal, tx_hash: to.hash, tx_lt: to.lt, direction: 0 });
  // Some messages are seen on the receiver's side alone.
  return i % 7 === 0 ? [{ ...received, is_first: true }] : [messageRow({ ...internal, ...out }), received];
}

export const rawOf = (bytes: Uint8Array) => addressFromBytes(bytes).toRawUpper();
