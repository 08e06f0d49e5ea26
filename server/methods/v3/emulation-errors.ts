import type { Cell } from "../../cells/cell.js";
import { CellError } from "../../cells/cell-error.js";
import type { Refusal } from "../../chain/run/trace-emulator.js";
import { ServiceError } from "../../errors.js";
import { decode, TlbError } from "../../tlb/codec.js";
import { Message } from "../../tlb/message.js";
import { accountOf } from "../../tlb/msg-address.js";

/** Deepest message: it lies two cells deep in its transaction, and a tree of cells is at most 1024 deep. */
const maxDepth = 1020;

/** A bag of cells that cannot be used. TON Center answers 500 to what is base64 but nothing else. */
export function undecodable(text: string): ServiceError {
  return new ServiceError("bad-boc", text, { status: 500 });
}

/** Why a message has no trace. */
export function refusalError(refusal: Refusal | undefined): ServiceError {
  const reason =
    refusal?.outcome === "refused"
      ? `EmulationExternalNotAccepted: ${refusal.exitCode}`
      : bare(refusal?.reason ?? "no transaction");
  return new ServiceError("message-rejected", `failed to emulate shard block: ${reason}`);
}

/** The node's text, which the executor puts in a frame. */
function bare(reason: string): string {
  return /^Emulate transaction failed: \[Error : -?\d+ : (.*)\]$/.exec(reason)?.[1] ?? reason;
}

/** Throws unless an account can receive the message. */
export function checkReceiver(cell: Cell): void {
  const problem = cell.depth() > maxDepth ? `Message is deeper than ${maxDepth} cells` : problemOf(cell);
  if (problem !== undefined) throw undecodable(`in msg found with no destination: ${problem}`);
}

function problemOf(cell: Cell): string | undefined {
  try {
    const { info, init } = decode(Message, cell);
    if (info.kind === "externalOut") return "Ext out message found";
    // Decoded when it is first used.
    void init?.value;
    return accountOf(info.dest) ? undefined : "Can't extract address from external message";
  } catch (error) {
    if (error instanceof TlbError || error instanceof CellError) return "Can't unpack external message";
    throw error;
  }
}
