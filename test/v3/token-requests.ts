import type { Transaction } from "../helpers/stories/describe-story.js";

/** A transaction that received a body of this kind, as its message has it decoded. */
type Request = { transaction: Transaction; sender: string; body: Record<string, unknown> };

/** The transactions that received a request with this body name, newest first. */
export function requestsOf(all: readonly Transaction[], name: string): Request[] {
  const requests = all.flatMap((transaction) => {
    const { source, message_content } = transaction.in_msg ?? {};
    const body = message_content?.decoded;
    return source && body?.["@type"] === name ? [{ transaction, sender: source, body }] : [];
  });
  return requests.sort(({ transaction: a }, { transaction: b }) =>
    a.lt === b.lt ? bytesOf(b).compare(bytesOf(a)) : Number(BigInt(b.lt) - BigInt(a.lt)),
  );
}

const bytesOf = ({ hash }: Transaction) => Buffer.from(hash, "base64");

/** The members of a transaction that every token event repeats. */
export function transactionMembers({ hash, lt, now, description, trace_id }: Transaction) {
  return {
    transaction_hash: hash,
    transaction_lt: lt,
    transaction_now: now,
    transaction_aborted: description.aborted,
    trace_id,
  };
}
