import { describe, expect, test } from "vitest";
import type { DecodedTransaction } from "../../../server/indexer/decode/decode-block.js";
import { readValidatorEvent } from "../../../server/indexer/validators/validator-events.js";
import { validatorEventTypes } from "../../../server/store/codes.js";
import { type Builder, beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { ton } from "../../helpers/chain/devnet.js";
import { recoverBody, stakeBody } from "../../helpers/elections/election-bodies.js";
import { stakeHolder, testKey } from "../../helpers/elections/elections.js";
import { bytesOf, hashOf, messageRow, transactionRow } from "../../helpers/store/rows.js";

const elector = bytesOf(stakeHolder(99));
const holder = stakeHolder(1);
const other = bytesOf(stakeHolder(2));
const key = testKey(3);
const adnl = new Uint8Array(32).fill(5);
const stakeAt = 1_800_001_200;

const stake = (queryId = 7n) => stakeBody({ key, source: holder, stakeAt, adnl, queryId });
const answer = (op: number, queryId = 7n, rest: (builder: Builder) => Builder = (builder) => builder) =>
  rest(beginCell().storeUint(op, 32).storeUint(queryId, 64)).endCell();
const accepted = answer(0xf374484c);
const rejection = (reason: number) => answer(0xee6f454c, 7n, (builder) => builder.storeInt(reason, 32));

type Made = {
  on?: Uint8Array;
  from?: Uint8Array | undefined;
  body: Cell;
  value?: bigint;
  sent?: readonly [body: Cell, value: bigint][];
  row?: object;
};

/** A transaction of the elector that succeeded. */
function made({ on = elector, from = bytesOf(holder), body, value = 100n * ton, sent = [], row }: Made) {
  const transaction = transactionRow({
    account: on,
    lt: 50n,
    now: 1_800_000_000,
    mc_block_seqno: 9,
    compute_success: true,
    aborted: false,
    ...row,
  });
  const message = { tx_hash: transaction.hash, tx_lt: 50n, msg_hash: hashOf("message") };
  return {
    row: transaction,
    inMessage: messageRow({ ...message, direction: 0, source: from, value }),
    inBody: body,
    outMessages: sent.map(([, amount]) => messageRow({ ...message, direction: 1, value: amount })),
    outBodies: sent.map(([sentBody]) => sentBody),
  } satisfies DecodedTransaction;
}

/** The event in words. */
function read(given: Made) {
  const event = readValidatorEvent(made(given), elector);
  if (!event) return undefined;
  const { type, stake_holder, query_id, amount, validator_pubkey, adnl_addr, election_id, reason } = event;
  return {
    type: validatorEventTypes[type],
    holder: bytesToHex(stake_holder),
    ...{ query_id, amount },
    ...(validator_pubkey && { key: bytesToHex(validator_pubkey) }),
    ...(adnl_addr && { adnl: bytesToHex(adnl_addr) }),
    ...(election_id !== undefined && { election_id }),
    ...(reason !== undefined && { reason }),
  };
}

const ofStake = {
  ...{ holder: bytesToHex(bytesOf(holder)), query_id: 7n, election_id: stakeAt },
  ...{ key: bytesToHex(key.publicKey), adnl: bytesToHex(adnl) },
};

describe("A stake", () => {
  test("is accepted with all but one TON of its value", () => {
    const event = { ...ofStake, type: "stake_accepted", amount: 99n * ton };
    expect(read({ body: stake(), sent: [[accepted, ton]] })).toEqual(event);
    expect(read({ body: stake(), value: 5n, sent: [[accepted, ton]] })).toEqual({ ...event, amount: 0n });
  });

  test("without a query id is accepted without an answer", () => {
    const event = { ...ofStake, query_id: 0n, type: "stake_accepted", amount: 99n * ton };
    expect(read({ body: stake(0n) })).toEqual(event);
    expect(read({ body: stake(7n) })).toBeUndefined();
  });

  test("is rejected with the returned amount and the reason", () => {
    const event = { ...ofStake, type: "stake_rejected", amount: 98n * ton };
    expect(read({ body: stake(), sent: [[rejection(5), 98n * ton]] })).toEqual({ ...event, reason: 5 });
    expect(read({ body: stake(), sent: [[rejection(-3), 98n * ton]] })).toEqual({ ...event, reason: -3 });
    expect(read({ body: stake(), sent: [[answer(0xee6f454c), 98n * ton]] })).toEqual(event);
  });

  test("is decided by the first answer to its query", () => {
    const sent = [
      [answer(0xee6f454c, 8n), 1n],
      [accepted, ton],
      [rejection(1), 3n],
    ] as const satisfies Made["sent"];
    expect(read({ body: stake(), sent })).toMatchObject({ type: "stake_accepted" });
    expect(read({ body: stake(), sent: [[answer(0x11111111), ton]] })).toBeUndefined();
  });

  test("that is too short, or without a signature, is no event", () => {
    const slice = stake().parse();
    const cut = beginCell()
      .storeSlice(slice.loadBits(32 + 64 + 256))
      .endCell();
    const unsigned = beginCell().storeSlice(stake().parse().loadBits(stake().bits)).endCell();
    for (const body of [cut, unsigned]) expect(read({ body, sent: [[accepted, ton]] })).toBeUndefined();
  });
});

describe("A recovery", () => {
  const own = { holder: bytesToHex(other), query_id: 3n };

  test("is requested from the elector", () => {
    const event = { ...own, holder: ofStake.holder, type: "recover_requested", amount: ton };
    expect(read({ body: recoverBody(3n), value: ton })).toEqual(event);
  });

  test("succeeds or fails at the stake holder, if the elector answers", () => {
    const on = { on: other, from: elector, value: 500n * ton };
    const amount = 500n * ton;
    const recovered = answer(0xf96f7324, 3n);
    expect(read({ ...on, body: recovered })).toEqual({ ...own, type: "stake_recovered", amount });
    const failed = answer(0xfffffffe, 3n);
    expect(read({ ...on, body: failed })).toEqual({ ...own, type: "recover_failed", amount });
    expect(read({ ...on, from: bytesOf(holder), body: recovered })).toBeUndefined();
    expect(read({ ...on, body: answer(0x22222222) })).toBeUndefined();
  });
});

test("A transaction that failed, had no sender or a short body is no event", () => {
  const sent = [[accepted, ton]] as const satisfies Made["sent"];
  const good = { body: stake(), sent };
  expect(read(good)).toBeDefined();
  expect(read({ ...good, row: { compute_success: false } })).toBeUndefined();
  expect(read({ ...good, row: { compute_success: undefined } })).toBeUndefined();
  expect(read({ ...good, row: { aborted: true } })).toBeUndefined();
  expect(
    readValidatorEvent({ ...made(good), inMessage: undefined, inBody: undefined }, elector),
  ).toBeUndefined();
  const fromOutside = made(good);
  expect(
    readValidatorEvent(
      { ...fromOutside, inMessage: { ...fromOutside.inMessage, source: undefined } },
      elector,
    ),
  ).toBeUndefined();
  expect(read({ body: beginCell().storeUint(0x47657424, 32).storeUint(0, 63).endCell() })).toBeUndefined();
});

test("An event has the place and the time of its transaction", () => {
  const transaction = made({ body: recoverBody(3n) });
  expect(readValidatorEvent(transaction, elector)).toMatchObject({
    ...{ tx_hash: transaction.row.hash, tx_lt: 50n, utime: 1_800_000_000, mc_seqno: 9 },
  });
});
