import type { Call } from "../../../shared/methods/define.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { libraryHash } from "../../../shared/ton/run/code-libraries.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { externalReceiver, Message } from "../../../shared/ton/tlb/message.js";
import { accountOf } from "../../../shared/ton/tlb/msg-address.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import type { EmulationRequest } from "../../chain/run/emulation-request.js";
import type { ChainReads } from "../../chain/run/supposed-chain.js";
import type { Refusal } from "../../chain/run/trace-emulator.js";
import { ServiceError } from "../../errors.js";
import { explainNotAccepted, isStateOf, type RejectionDeps } from "../v2/rejection.js";

/** Maximum depth of a message: it lies two cells deep in its transaction, and a tree of cells is at most 1024 deep. */
const maxDepth = 1020;

/** Error for a parameter with an unusable bag of cells. TON Center answers 500 to base64 of other content. */
export function undecodable(text: string): ServiceError {
  return new ServiceError("invalid-params", text, { status: 500 });
}

export type RefusalDeps = Pick<RejectionDeps, "artifacts" | "fallback" | "book"> & { reader: ChainReads };

/** The reason why a message has no trace. Why a contract did not accept one from outside is in its data and its words too. */
export async function refusalError(
  refusal: Refusal | undefined,
  request: Pick<EmulationRequest, "message" | "block" | "chain">,
  deps: RefusalDeps,
  call: Call,
): Promise<ServiceError> {
  const reason =
    refusal?.outcome === "refused"
      ? `EmulationExternalNotAccepted: ${refusal.exitCode}`
      : bare(refusal?.reason ?? "no transaction");
  const missing = (error: unknown): undefined => {
    if (!call.signal.aborted) deps.fallback("rejection-details", error);
  };
  const why = await explained(refusal, request, { ...deps, missing }, call).catch(missing);
  return new ServiceError("message-rejected", `failed to emulate shard block: ${reason}`, why);
}

async function explained(
  refusal: Refusal | undefined,
  { message: cell, block, chain }: Pick<EmulationRequest, "message" | "block" | "chain">,
  { artifacts, book, missing, ...deps }: RefusalDeps & { missing: (error: unknown) => undefined },
  call: Call,
) {
  const message = decode(Message, cell);
  const address = externalReceiver(message);
  if (!refusal || !address) return undefined;
  const reader = chain ?? deps.reader;
  const account = await reader.account(block, address, call);
  // Nobody can deploy a contract to a workchain that does not exist.
  if (!account.shardBlock) return undefined;
  const { code } = account;
  const isRun = code !== undefined || (message.init !== undefined && isStateOf(message.init, account));
  const run =
    refusal.outcome === "refused" && isRun
      ? { exitCode: refusal.exitCode, lacksLibrary: await lacks(code, reader, call), log: undefined }
      : undefined;
  return explainNotAccepted(run, account, message, {
    reader,
    blockTime: undefined,
    artifacts,
    book,
    missing,
  });
}

/** Whether a code is a library that the masterchain does not have. */
async function lacks(code: Cell | undefined, reader: ChainReads, call: Call): Promise<boolean> {
  return code?.type === "library" && (await reader.libraries([libraryHash(code)], call)).length === 0;
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
