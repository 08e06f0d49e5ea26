import type { Cell } from "../../../cells/cell.js";
import { ifReadable } from "../../../tlb/readable.js";
import { commentOf } from "../basic-blocks.js";
import type { Block } from "../block.js";
import { opcodeOf } from "../body.js";
import { anyCall, type BlockPattern, hex, made, transfer } from "../pattern.js";
import { jettonTransferKind } from "./jettons.js";

// What the requests to EVAA have in common: its master asks the contract of the user, and pays or returns what came.

const words: ReadonlySet<string | undefined> = new Set([
  "EVAA supply.",
  "EVAA withdraw.",
  "EVAA liquidation.",
]);

/** What the master returns of the TON that came with a request. */
export const remainder = transfer()
  .where("with words of EVAA", ({ node }) => words.has(commentOf(node).text))
  .optional();

/** A call of the contract of a user. */
export function userCall(opcode: number): BlockPattern {
  return anyCall().where(
    `that asks a user's contract for ${hex(opcode)}`,
    (block) => asksFor(block) === opcode,
  );
}

function asksFor({ body }: Block): number | undefined {
  return ifReadable(() => opcodeOf(behindHeader(body)));
}

/** The body of such a call without its header: the user's version of the contract, and new code. */
export function behindHeader(body: Cell): Cell {
  const from = body.parse();
  from.loadCoins();
  from.loadMaybeRef();
  return from.skip(2).toCell();
}

/** Jettons with a payload that asks for something. */
export function jettonsThatAskFor(opcode: number): BlockPattern {
  return made(jettonTransferKind).where(
    `that asks for ${hex(opcode)}`,
    (block) => jettonTransferKind.of(block)!.payloadOpcode === opcode,
  );
}
