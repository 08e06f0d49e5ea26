import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { ifReadable } from "../../../../shared/ton/tlb/readable.js";
import { commentOf } from "../basic-blocks.js";
import type { Block } from "../block.js";
import { opcodeOf } from "../body.js";
import { anyCall, type BlockPattern, hex, made, transfer } from "../pattern.js";
import { jettonTransferKind } from "./jettons.js";

// Shared by the requests to EVAA: its master calls the user's contract, and pays out or returns the input.

const words: ReadonlySet<string | undefined> = new Set([
  "EVAA supply.",
  "EVAA withdraw.",
  "EVAA liquidation.",
]);

/** Unused TON of a request, returned by the master. */
export const remainder = transfer()
  .where("with words of EVAA", ({ node }) => words.has(commentOf(node).text))
  .optional();

/** A call of a user's contract. */
export function userCall(opcode: number): BlockPattern {
  return anyCall().where(
    `that asks a user's contract for ${hex(opcode)}`,
    (block) => asksFor(block) === opcode,
  );
}

function asksFor({ body }: Block): number | undefined {
  return ifReadable(() => opcodeOf(behindHeader(body)));
}

/** The body of such a call after its header (the user's contract version and new code). */
export function behindHeader(body: Cell): Cell {
  const from = body.parse();
  from.loadCoins();
  from.loadMaybeRef();
  return from.skip(2).toCell();
}

/** Jettons with a payload of this opcode. */
export function jettonsThatAskFor(opcode: number): BlockPattern {
  return made(jettonTransferKind).where(
    `that asks for ${hex(opcode)}`,
    (block) => jettonTransferKind.dataOf(block).payloadOpcode === opcode,
  );
}
