import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { decode } from "../../../../shared/ton/tlb/codec.js";
import { externalReceiver, Message, normalizedHash } from "../../../../shared/ton/tlb/message.js";
import { ifReadable } from "../../../../shared/ton/tlb/readable.js";
import type { Address } from "../../../../shared/values/address.js";
import { bytesEqual } from "../../../../shared/values/bytes.js";

/** Time when a message was sent through this service or another process of its index. */
export type Sending = {
  /** Unix time, ms. */
  readonly at: number;
  /** Whether it no longer waits because its chain was reverted. */
  readonly isVoid: boolean;
};

/** A message with known content. */
export type KnownMessage = {
  readonly hash: Uint8Array;
  /** Only for external messages to accounts. */
  readonly hashNorm: Uint8Array | undefined;
  readonly message: Message;
  /** The receiving account of an external message. */
  readonly to: Address | undefined;
  readonly sending: Sending | undefined;
};

/** Reads a message; `undefined` if the cell is none. */
export function readKnownMessage(root: Cell, sending?: Sending): KnownMessage | undefined {
  return ifReadable(() => {
    const message = decode(Message, root);
    const isExternal = message.info.kind === "externalIn";
    return {
      hash: root.hash(),
      hashNorm: isExternal ? normalizedHash(message) : undefined,
      message,
      to: externalReceiver(message),
      sending,
    };
  });
}

/** The hashes by which a message is found. */
export function hashesOf({ hash, hashNorm }: Pick<KnownMessage, "hash" | "hashNorm">): Uint8Array[] {
  return hashNorm && !bytesEqual(hash, hashNorm) ? [hash, hashNorm] : [hash];
}
