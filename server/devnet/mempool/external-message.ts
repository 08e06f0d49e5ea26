import { hash } from "node:crypto";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { TransactionResult } from "../../../shared/ton/run/account-request.js";
import type { LogDetail } from "../../../shared/ton/run/method-request.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { Message } from "../../../shared/ton/tlb/message.js";
import { accountOf } from "../../../shared/ton/tlb/msg-address.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import { ExecutorError } from "../../chain/executor/executor-error.js";
import { maxExternalBytes, refusal, tooLarge, unreadable } from "../../chain/message-rejection.js";
import type { AccountRuns, ExpectedAccounts, ReadyAccount } from "./expected-accounts.js";
import type { ExternalMessage } from "./mempool.js";

const maxDepth = 512;
/** Number of characters of the VM log in the node's error message. */
const shownLog = 256;

/** Parses an external message. Throws the `LiteError` with which a liteserver would answer. */
export function readExternal(boc: Uint8Array, ignoresSignatures = false): ExternalMessage {
  if (boc.length > maxExternalBytes) throw tooLarge();
  const root = onlyRoot(boc);
  if (root.levelMask !== 0) throw unreadable("external message must have zero level");
  if (root.depth() >= maxDepth) throw unreadable("external message is too deep");
  const { info } = parsed(root);
  if (info.kind !== "externalIn") throw unreadable("external message must begin with ext_in_msg_info$10");
  const destination = accountOf(info.dest);
  if (!destination) throw unreadable("Can't parse destination address");
  return { boc, fileHash: hash("sha256", boc, "hex"), root, destination, ignoresSignatures };
}

/** The receiver of a message before the coming block, and the messages waiting for it. */
type Receiver = {
  /** Undefined if the account does not exist. */
  account: ShardAccount | undefined;
  /** Logical time of a transaction in the coming block. */
  lt: bigint;
  /** Oldest first. */
  waiting: readonly ExternalMessage[];
};

/**
 * Runs the message on the account after those waiting for it, so that wallets can send orders in sequence, or on the
 * account's current state. Throws a `LiteError` like a liteserver's if neither run accepts it.
 */
export function checkExternal(
  message: ExternalMessage,
  { account, lt, waiting }: Receiver,
  runs: AccountRuns,
  expected: ExpectedAccounts,
): void {
  if (!account) throw refusal("Failed to unpack account state");
  const committed = { shardAccount: encode(ShardAccount, account), lt };
  const result = refusingUnrunnable(() => {
    const after = waiting.length > 0 && expected.after(message.destination, committed, waiting, runs);
    if (after && tryOn(after, message, runs).outcome === "done") return undefined;
    if (tryOn(committed, message, runs).outcome === "done") return undefined;
    // Only the refusal text needs the log.
    return tryOn(committed, message, runs, "steps");
  });
  if (result && result.outcome !== "done") throw refusal(refusalText(message, result));
}

function tryOn(
  { shardAccount, lt }: ReadyAccount,
  message: ExternalMessage,
  { runs, environment }: AccountRuns,
  log?: LogDetail,
): TransactionResult {
  const ignoreSignatures = message.ignoresSignatures || undefined;
  return runs.tryOut({ shardAccount, message: message.root, lt, ...environment, ignoreSignatures, log });
}

function refusingUnrunnable<T>(run: () => T): T {
  try {
    return run();
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
  const root = ifReadable(() => parseBocRoot(boc));
  if (root) return root;
  throw unreadable("external message is not a valid bag of cells");
}

function parsed(root: Cell): Message {
  const message = ifReadable(() => {
    const read = decode(Message, root);
    if (read.init) void read.init.value;
    return read;
  });
  if (message) return message;
  throw unreadable("external message is not a (Message Any) according to automated checks");
}
