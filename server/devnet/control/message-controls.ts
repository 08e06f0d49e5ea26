import { accountIdOf } from "../../../shared/ton/lite/account-id.js";
import type { AccountId } from "../../../shared/ton/lite/lite-api.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { Message, normalizedHash } from "../../../shared/ton/tlb/message.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import type { DevnetChain } from "../chain/devnet-chain.js";
import { DevnetError } from "../devnet-error.js";
import type { ReadyMessage } from "../mempool/mempool.js";

/** An external message that waits for a block. */
export type WaitingInfo = {
  hash: Uint8Array;
  hashNorm: Uint8Array;
  to: AccountId;
  /** Unix time in milliseconds. */
  acceptedMs: number;
  ignoresSignatures: boolean;
  boc: Uint8Array;
};

/** `account`: only messages to it. */
type WaitingPage = { account?: AccountId | undefined; limit: number; offset: number };

/** Controls of the mempool. Arguments and results are plain data, as those of `DevnetControls`. */
export interface MessageControls {
  /** A page of the messages that wait for a block, oldest first, and the number of all of them. */
  waiting(page: WaitingPage): Promise<{ messages: WaitingInfo[]; total: number }>;
  /**
   * Takes a message out of the mempool, by its hash as sent or normalized; it may be sent again. Rejects with
   * "not-found" if it does not wait.
   */
  drop(hash: Uint8Array): Promise<WaitingInfo>;
}

/** Controls of the mempool of a chain in this thread. */
export class ChainMessages implements MessageControls {
  readonly #chain: DevnetChain;

  constructor(chain: DevnetChain) {
    this.#chain = chain;
  }

  async waiting({
    account,
    limit,
    offset,
  }: WaitingPage): Promise<{ messages: WaitingInfo[]; total: number }> {
    const found = this.#chain.mempool.ready().filter(({ message }) => !account || isTo(message, account));
    return { messages: found.slice(offset, offset + limit).map(infoOf), total: found.length };
  }

  async drop(hash: Uint8Array): Promise<WaitingInfo> {
    const dropped = await this.#chain.drop(
      (waiting) =>
        waiting.find(({ message }) => bytesEqual(message.root.hash(), hash)) ??
        waiting.find(({ message }) => bytesEqual(normOf(message), hash)),
    );
    if (!dropped) throw new DevnetError("not-found", "no such message waits for a block");
    return infoOf(dropped);
  }
}

function isTo({ destination }: ReadyMessage["message"], { workchain, id }: AccountId): boolean {
  return destination.workchain === workchain && bytesEqual(destination.hash, id);
}

function normOf({ root }: ReadyMessage["message"]): Uint8Array {
  return normalizedHash(decode(Message, root));
}

function infoOf({ message, acceptedMs }: ReadyMessage): WaitingInfo {
  const { root, destination, ignoresSignatures, boc } = message;
  return {
    hash: root.hash(),
    hashNorm: normOf(message),
    to: accountIdOf(destination),
    acceptedMs,
    ignoresSignatures,
    boc,
  };
}
