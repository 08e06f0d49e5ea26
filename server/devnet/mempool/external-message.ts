import { hash } from "node:crypto";
import { parseBoc } from "../../cells/boc.js";
import type { Cell } from "../../cells/cell.js";
import { ExecutorError } from "../../chain/executor/executor-error.js";
import type { RunEnvironment, TransactionRequest, TransactionResult } from "../../chain/executor/requests.js";
import { maxExternalBytes, refusal, tooLarge, unreadable } from "../../chain/message-rejection.js";
import { decode, encode } from "../../tlb/codec.js";
import { Message } from "../../tlb/message.js";
import { accountOf } from "../../tlb/msg-address.js";
import { ShardAccount } from "../../tlb/shard-account.js";
import type { ExternalMessage } from "./mempool.js";
import type { TriedRuns } from "./tried-runs.js";

const maxDepth = 512;
/** Number of characters of the VM log in the node's error message. */
const shownLog = 256;

/** Parses an external message. Throws the `LiteError` that a liteserver would answer. */
export function readExternal(boc: Uint8Array): ExternalMessage {
  if (boc.length > maxExternalBytes) throw tooLarge();
  const root = onlyRoot(boc);
  if (root.levelMask !== 0) throw unreadable("external message must have zero level");
  if (root.depth() >= maxDepth) throw unreadable("external message is too deep");
  const { info } = parsed(root);
  if (info.kind !== "externalIn") throw unreadable("external message must begin with ext_in_msg_info$10");
  const destination = accountOf(info.dest);
  if (!destination) throw unreadable("Can't parse destination address");
  return { boc, fileHash: hash("sha256", boc, "hex"), root, destination };
}

/** Runs the message on the account's current state. Throws a `LiteError` like a liteserver if it is not accepted. */
export function checkExternal(
  message: ExternalMessage,
  account: ShardAccount | undefined,
  run: { runs: TriedRuns; environment: RunEnvironment; lt: bigint },
): void {
  if (!account) throw refusal("Failed to unpack account state");
  const shardAccount = encode(ShardAccount, account);
  const request = { shardAccount, message: message.root, lt: run.lt, ...run.environment };
  if (tried(run.runs, request).outcome === "done") return;
  // Only the text of a refusal needs the log.
  const result = tried(run.runs, { ...request, log: "steps" });
  if (result.outcome !== "done") throw refusal(refusalText(message, result));
}

function tried(runs: TriedRuns, request: TransactionRequest): TransactionResult {
  try {
    return runs.tryOut(request);
  } catch (error) {
    throw error instanceof ExecutorError ? refusal(error.message) : error;
  }
}

function refusalText(
  { destination }: ExternalMessage,
  result: Exclude<TransactionResult, { outcome: "done" }>,
): string {
  const account = Buffer.from(destination.hash).toString("hex").toUpperCase();
  const start =
    "External message was not accepted\nCannot run message on account: inbound external message rejected by";
  if (result.outcome === "impossible") return `${start} account ${account} before smart-contract execution`;
  const steps = result.vmLog.match(/^execute /gm)?.length ?? 0;
  const log = result.vmLog && `\nVM Log (truncated):\n...${result.vmLog.slice(-shownLog)}`;
  return `${start} transaction ${account}:\nexitcode=${result.exitCode}, steps=${steps}, gas_used=0${log}`;
}

function onlyRoot(boc: Uint8Array): Cell {
  try {
    const [root, ...others] = parseBoc(boc);
    if (root && others.length === 0) return root;
  } catch {
    // DevnetError below.
  }
  throw unreadable("external message is not a valid bag of cells");
}

function parsed(root: Cell): Message {
  try {
    const message = decode(Message, root);
    if (message.init) void message.init.value;
    return message;
  } catch {
    throw unreadable("external message is not a (Message Any) according to automated checks");
  }
}
