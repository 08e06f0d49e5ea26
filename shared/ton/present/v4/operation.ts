import type { z } from "zod";
import type { v4Transaction } from "../../../schema/v4/records.js";
import type { Address } from "../../../values/address.js";
import { decimalAmount } from "../../../values/decimal-amount.js";
import { anyPayloadIn } from "../../bodies/payload.js";
import type { Cell } from "../../cells/cell.js";
import type { Slice } from "../../cells/slice.js";
import { readSnake } from "../../cells/snake.js";
import { accountOf, MsgAddress } from "../../tlb/msg-address.js";
import { ifReadable } from "../../tlb/readable.js";
import { presentBoc } from "../records.js";

type Shown = z.output<typeof v4Transaction>;
type Operation = Shown["operation"];
/** The parts of an operation that a body adds to an amount of TON. */
type Part = Partial<Omit<Operation, "items">> & { token?: string };

/** A comment, or a body with another opcode; null for an empty one. */
export function v4Body(cell: Cell): Shown["parsed"]["body"] {
  if (cell.exotic || cell.bits < 32) return null;
  const slice = cell.parse();
  if (slice.loadUint(32) !== 0) return { type: "payload", cell: presentBoc(cell) };
  const comment = new TextDecoder("utf-8", { ignoreBOM: true }).decode(readSnake(slice));
  return comment === "" ? null : { type: "comment", comment };
}

/** The operation that a body asks for; only the amount if the body is none that the reference knows. */
export function v4Operation(account: Address, amount: string, body: Cell | undefined): Operation {
  const { address, token, comment, op } = (body && partOf(body)) ?? {};
  return {
    address: address ?? account.toFriendly(),
    items: [
      ...(token === undefined ? [] : [{ kind: "token" as const, amount: token }]),
      { kind: "ton", amount },
    ],
    ...(comment !== undefined && { comment }),
    ...(op && { op }),
  };
}

function partOf(body: Cell): Part | undefined {
  const shown = v4Body(body);
  if (shown?.type === "comment") return { comment: shown.comment };
  if (shown === null) return undefined;
  return ifReadable(() => {
    const slice = body.parse();
    return readers.get(slice.loadUint(32))?.(slice);
  });
}

const readers: ReadonlyMap<number, (slice: Slice) => Part> = new Map<number, (slice: Slice) => Part>([
  [0x0f8a7ea5, jettonTransfer],
  [0x7362d09c, jettonNotification],
  [0xda803efd, withdrawal],
  // The other operations of Whales' pools, which have no details here, and of jettons.
  [0xd53276db, () => ({ op: { type: "jetton::excesses" } })],
  [0x7bcd1fef, () => ({ op: { type: "deposit" } })],
  [0xc641e932, () => ({ op: { type: "deposit::ok" } })],
  [0x74bb3427, () => ({ op: { type: "withdraw::delayed" } })],
  [0x23d421e1, () => ({ op: { type: "withdraw::ok" } })],
]);

/** `query_id:uint64 amount:Coins destination:MsgAddress response_destination:MsgAddress custom_payload:(Maybe ^Cell) forward_ton_amount:Coins forward_payload:(Either Cell ^Cell)` */
function jettonTransfer(slice: Slice): Part {
  const token = slice.skip(64).loadCoins().toString();
  const destination = accountOf(MsgAddress.load(slice));
  MsgAddress.load(slice);
  slice.loadMaybeRef();
  slice.loadCoins();
  return {
    token,
    op: { type: "jetton::transfer" },
    ...(destination && { address: destination.toFriendly() }),
    ...forwardedComment(slice),
  };
}

/** `query_id:uint64 amount:Coins sender:MsgAddress forward_payload:(Either Cell ^Cell)`; without a sender it is an airdrop. */
function jettonNotification(slice: Slice): Part {
  const token = slice.skip(64).loadCoins().toString();
  const sender = accountOf(MsgAddress.load(slice));
  return {
    token,
    op: { type: sender ? "jetton::transfer_notification" : "airdrop" },
    ...(sender && { address: sender.toFriendly() }),
    ...forwardedComment(slice),
  };
}

/** `query_id:uint64 gas:Coins amount:Coins`; an amount of zero stands for all. */
function withdrawal(slice: Slice): Part {
  slice.skip(64).loadCoins();
  const stake = slice.loadCoins();
  if (stake === 0n) return { op: { type: "withdraw::all" } };
  return { op: { type: "withdraw", options: { coins: decimalAmount(`${stake}`, 9) } } };
}

/** The payload is optional, as contracts leave it out. */
function forwardedComment(slice: Slice): Pick<Part, "comment"> {
  const payload = anyPayloadIn(slice.toCell());
  const body = payload && v4Body(payload);
  return body?.type === "comment" ? { comment: body.comment } : {};
}
