import { LRUCache } from "lru-cache";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { receivedSince } from "../../../shared/ton/proofs/read/receiver.js";
import { RunError } from "../../../shared/ton/run/run-error.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { RunCall } from "./method-runner.js";
import type { EmulatedAccount, TraceEmulator } from "./trace-emulator.js";
import { type WaitingMessage, type WaitingMessages, waitingBefore } from "./waiting-messages.js";

/** Limits for the waiting messages that are run before a new one. `messages`: the size of a mempool per account. */
const limits = { messages: 256, cpuMs: 500 } as const;
const keptAccounts = 500;

type AheadParts = {
  waiting: Pick<WaitingMessages, "list">;
  emulator: Pick<TraceEmulator, "emulate">;
  reader: Pick<ChainReader, "account" | "transactions">;
};

/** An external message that is not sent yet or is waiting for a block. */
type ExternalMessage = { address: Address; body: Cell };

/** `changed`: the account after the message; undefined if the account refuses the message. */
type Outcome = { changed: EmulatedAccount | undefined; cpuMs: number };

/** Computes the state of an account after the messages that wait for it. */
export class AccountsAhead {
  readonly #parts: AheadParts;
  /** Cached outcomes. The key consists of block, account state and message. */
  readonly #known = new LRUCache<string, Outcome>({ max: keptAccounts });

  constructor(parts: AheadParts) {
    this.#parts = parts;
  }

  /**
   * The receiver's state after the messages that wait before this one; undefined if it is the same as in the block.
   * `late`: the messages are too many or take too long.
   */
  async before(
    message: ExternalMessage,
    block: BlockIdExt,
    call: RunCall,
  ): Promise<EmulatedAccount | "late" | undefined> {
    const waiting = await this.#waitingBefore(message, block, call);
    if (waiting.length > limits.messages) return "late";
    let account: EmulatedAccount | undefined;
    let cpuMs = 0;
    for (const { external, ignoresSignatures: ignoreSignatures } of waiting.reverse()) {
      if (cpuMs > limits.cpuMs) return "late";
      const key = [bytesToBase64(block.rootHash), account?.cell.hashHex(), external.hashHex()].join(" ");
      const known = this.#known.get(key);
      const emulation = { block, receiver: account, ignoreSignatures };
      const outcome = known ?? (await this.#run(external, emulation, call));
      this.#known.set(key, outcome);
      if (!known) cpuMs += outcome.cpuMs;
      account = outcome.changed ?? account;
    }
    return account;
  }

  /** Newest first. Returns at most one more than the limit, so that the caller sees that it is exceeded. */
  async #waitingBefore(
    { address, body }: ExternalMessage,
    block: BlockIdExt,
    call: RunCall,
  ): Promise<WaitingMessage[]> {
    const receiver = address.toRaw();
    const last = (await this.#parts.waiting.list()).findLast((each) => each.receiver === receiver);
    if (!last || last.wasReceivedBy(block)) return [];
    await this.#markReceived(address, upToLimit({ before: last }, block), block, call);
    const waiting = upToLimit({ before: last }, block);
    const own = waiting.findIndex((each) => each.body.equals(body));
    return waiting.slice(own + 1);
  }

  async #markReceived(
    address: Address,
    waiting: readonly WaitingMessage[],
    block: BlockIdExt,
    call: RunCall,
  ): Promise<void> {
    const { reader } = this.#parts;
    const { lastTransaction } = await reader.account(block, address, call);
    const sinceLt = waiting.map((each) => each.waitsSinceLt).reduce((a, b) => (b < a ? b : a));
    const received = await receivedSince(reader, { block, address, sinceLt }, call);
    for (const message of waiting) {
      if (received.has(message.external.hashHex())) message.markReceived(block);
      else if (message.waitsSinceLt < lastTransaction.lt) message.waitsSinceLt = lastTransaction.lt;
    }
  }

  async #run(
    message: Cell,
    emulation: { block: BlockIdExt; receiver: EmulatedAccount | undefined; ignoreSignatures: boolean },
    call: RunCall,
  ): Promise<Outcome> {
    const { receiver, cpuMs } = await this.#parts.emulator.emulate(
      message,
      { ...emulation, maxDepth: 1 },
      call,
    );
    return { changed: receiver, cpuMs };
  }
}

function upToLimit(message: Pick<WaitingMessage, "before">, block: BlockIdExt): WaitingMessage[] {
  const messages: WaitingMessage[] = [];
  for (const each of waitingBefore(message, block)) {
    if (messages.length > limits.messages) break;
    messages.push(each);
  }
  return messages;
}

/** Throw it if a message was refused and not all messages before it could be run. */
export function notRunInTime(): RunError {
  return new RunError(
    "too-many-waiting",
    "The messages that wait for this account are too many, or take too long, to be run before this one",
  );
}
