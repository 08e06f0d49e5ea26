import type { Cell } from "../../../shared/ton/cells/cell.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { Message } from "../../../shared/ton/tlb/message.js";
import { accountOf } from "../../../shared/ton/tlb/msg-address.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import type { Refusal } from "../../chain/run/trace-emulator.js";
import { ServiceError } from "../../errors.js";

/** Maximum depth of a message: it lies two cells deep in its transaction, and a tree of cells is at most 1024 deep. */
const maxDepth = 1020;

/** Error for a parameter with an unusable bag of cells. TON Center answers 500 to base64 of other content. */
export function undecodable(text: string): ServiceError {
  return new ServiceError("invalid-params", text, { status: 500 });
}

/** The reason why a message has no trace. */
export function refusalError(refusal: Refusal | undefined): ServiceError {
  const reason =
    refusal?.outcome === "refused"
      ? `EmulationExternalNotAccepted: ${refusal.exitCode}`
      : bare(refusal?.reason ?? "no transaction");
  return new ServiceError("message-rejected", `failed to emulate shard block: ${reason}`);
}

/** Error for a message of a bundle that none of the shared limits is left for. */
export function unreached(): ServiceError {
  return new ServiceError("too-large", "the messages before it have used the limits of an emulation");
}

/** An error of a further message of a bundle, with its place. */
export function inBundle(index: number, error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code === "internal") return error;
  return new ServiceError(error.code, `bundle[${index}]: ${error.textIn("v3")}`, {
    status: error.statusIn("v3"),
    data: { ...error.data, bundle_index: index },
    words: error.words,
    cause: error,
  });
}

/** The node's text without the executor's frame. */
function bare(reason: string): string {
  return /^Emulate transaction failed: \[Error : -?\d+ : (.*)\]$/.exec(reason)?.[1] ?? reason;
}

/** Throws unless the message has an account as its receiver. */
export function checkReceiver(cell: Cell): void {
  const problem = cell.depth() > maxDepth ? `Message is deeper than ${maxDepth} cells` : problemOf(cell);
  if (problem !== undefined) throw undecodable(`in msg found with no destination: ${problem}`);
}

/** The emulator's text for an unusable header. It determines the message kind by the first two bits. */
function problemOf(cell: Cell): string | undefined {
  const kind = kindOf(cell);
  if (kind === undefined) return "Ext out message found";
  const message = ifReadable(() => {
    const { info, init } = decode(Message, cell);
    // Forces lazy decoding.
    void init?.value;
    return info;
  });
  if (message === undefined) return `Can't unpack ${kind} message`;
  const isForAccount = message.kind !== "externalOut" && accountOf(message.dest);
  return isForAccount ? undefined : `Can't extract address from ${kind} message`;
}

function kindOf(cell: Cell): "internal" | "external" | undefined {
  if (cell.exotic || cell.bits < 2) return undefined;
  const tag = cell.parse().loadUint(2);
  if (tag === 3) return undefined;
  return tag === 2 ? "external" : "internal";
}
