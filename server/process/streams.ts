import { Address } from "../../shared/values/address.js";
import { bytesToHex } from "../../shared/values/bytes.js";
import type { ChainEvents } from "../chain/chain-events.js";
import type { AccountId } from "../chain/lite-api.js";
import type { ChainHead } from "../chain/read/head.js";
import type { ChainReader } from "../chain/read/reader.js";
import type { SentMessages } from "../chain/sent-messages.js";
import { snapshotEnd } from "../indexer/decode/account.js";
import type { ReadEdits } from "../stream/account-edits.js";
import { Hub, type HubOptions } from "../stream/hub.js";
import type { Context } from "./context.js";
import type { IndexPart } from "./index-part.js";

type Parts = Pick<HubOptions, "index" | "book" | "pending"> & {
  indexing: Pick<IndexPart, "onNews">;
  head: Pick<ChainHead, "onMoved" | "zeroState">;
  /** A chain whose accounts can change without a transaction. */
  editable: { events: Pick<ChainEvents, "edited">; reader: ChainReader } | undefined;
  /** Absent if messages are not emulated. */
  sent: Pick<SentMessages, "onKept"> | undefined;
};

function editsIn({ events, reader }: NonNullable<Parts["editable"]>): ReadEdits {
  return async (seqno) => {
    const edited = await events.edited(seqno);
    if (edited.length === 0) return [];
    const block = await reader.blockAt(seqno);
    const stateOf = async ({ workchain, id }: AccountId) =>
      snapshotEnd(await reader.account(block, new Address(workchain, id))).state;
    return Promise.all(edited.map(stateOf));
  };
}

/** Starts to tell subscribers what happens. */
export function openStreams({ config, closers, log, now }: Context, parts: Parts): Hub {
  const { index, book, pending, indexing, head, sent, editable } = parts;
  const hub = new Hub({
    index,
    book,
    pending,
    isDevnet: config.network === "devnet",
    readEdits: editable && editsIn(editable),
    // Enough of the hash to tell one chain from another.
    chain: bytesToHex(head.zeroState.rootHash.subarray(0, 4)),
    now,
    onError: (error) => log.error({ err: error }, "events could not be told"),
  });
  indexing.onNews(() => hub.indexChanged());
  head.onMoved(() => hub.chainChanged());
  sent?.onKept(() => hub.chainChanged());
  closers.add(hub, (each) => each.close());
  hub.start();
  return hub;
}
