import type { Cell } from "../../../shared/ton/cells/cell.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { codeOf, validatorEventTypes } from "../../store/codes.js";
import type { ValidatorEventRow } from "../../store/tables/validators.js";
import type { DecodedTransaction } from "../decode/decode-block.js";

/** Opcodes of the elector, unsigned. */
export const electorOps = {
  newStake: 0x4e73744b,
  stakeAccepted: 0xf374484c,
  stakeRejected: 0xee6f454c,
  recover: 0x47657424,
  recovered: 0xf96f7324,
  unsupported: 0xfffffffe,
  setAccepted: 0xee764f4b,
  setRefused: 0xee764f6f,
  complain: 0x52674370,
  vote: 0x56744370,
} as const;

/** Part of a request's value that pays for its execution; the rest of a stake's value is staked. */
const electorFee = 1_000_000_000n;

type EventType = (typeof validatorEventTypes)[number];
type Own = Omit<ValidatorEventRow, "tx_hash" | "tx_lt" | "utime" | "mc_seqno" | "type" | "query_id">;

/**
 * The stake event of a transaction of the elector, or of an account answered by it. None if the transaction failed or
 * the message has another layout.
 */
export function readValidatorEvent(
  transaction: DecodedTransaction,
  elector: Uint8Array,
): ValidatorEventRow | undefined {
  const { row, inMessage, inBody } = transaction;
  if (!inMessage?.source || !inBody || !row.compute_success || row.aborted) return undefined;
  const isOfElector = bytesEqual(row.account, elector);
  if (!isOfElector && !bytesEqual(inMessage.source, elector)) return undefined;
  const request = headOf(inBody);
  if (!request) return undefined;
  const { opcode, queryId } = request;
  const event = (type: EventType, own: Own): ValidatorEventRow => ({
    tx_hash: row.hash,
    tx_lt: row.lt,
    utime: row.now,
    mc_seqno: row.mc_block_seqno,
    type: codeOf(validatorEventTypes, type),
    query_id: queryId,
    ...own,
  });
  const value = inMessage.value ?? 0n;
  if (!isOfElector) {
    const type = answerTypes.get(opcode);
    return type && event(type, { stake_holder: row.account, amount: value });
  }
  const stake_holder = inMessage.source;
  if (opcode === electorOps.recover) return event("recover_requested", { stake_holder, amount: value });
  if (opcode !== electorOps.newStake) return undefined;
  const stake = stakeOf(inBody);
  const answer = answerTo(queryId, transaction);
  if (!stake || (!answer && queryId !== 0n)) return undefined;
  if (answer?.opcode === electorOps.stakeRejected)
    return event("stake_rejected", {
      ...stake,
      stake_holder,
      amount: answer.value,
      reason: answer.reason,
    });
  return event("stake_accepted", {
    ...stake,
    stake_holder,
    amount: value > electorFee ? value - electorFee : 0n,
  });
}

const answerTypes: ReadonlyMap<number, EventType> = new Map([
  [electorOps.recovered, "stake_recovered"],
  [electorOps.unsupported, "recover_failed"],
]);

/** The opcode and query id of a body; `undefined` if it is too short. */
export function headOf(body: Cell): { opcode: number; queryId: bigint } | undefined {
  if (body.exotic || body.bits < 32 + 64) return undefined;
  const slice = body.parse();
  return { opcode: slice.loadUint(32), queryId: slice.loadBigUint(64) };
}

type Stake = Pick<ValidatorEventRow, "validator_pubkey" | "election_id" | "adnl_addr">;

/** After the head: `pubkey:bits256 stake_at:uint32 max_factor:uint32 adnl_addr:bits256 signature:^bits512`. */
function stakeOf(body: Cell): Stake | undefined {
  return ifReadable(() => {
    const slice = body.parse().skip(32 + 64);
    const validator_pubkey = slice.loadBytes(32);
    const election_id = slice.loadUint(32);
    const adnl_addr = slice.skip(32).loadBytes(32);
    slice.loadRef();
    return { validator_pubkey, election_id, adnl_addr };
  });
}

/** The first message that answers a stake. */
function answerTo(queryId: bigint, { outMessages, outBodies }: DecodedTransaction) {
  for (const [place, body] of outBodies.entries()) {
    const head = headOf(body);
    if (!head || head.queryId !== queryId) continue;
    if (head.opcode !== electorOps.stakeAccepted && head.opcode !== electorOps.stakeRejected) continue;
    const rest = body.parse().skip(32 + 64);
    const reason = body.bits < 32 + 64 + 32 ? undefined : rest.loadInt(32);
    return { opcode: head.opcode, value: itemAt(outMessages, place).value ?? 0n, reason };
  }
  return undefined;
}
