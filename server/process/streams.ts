import { bytesToHex } from "../../shared/values/bytes.js";
import type { ChainHead } from "../chain/read/head.js";
import type { SentMessages } from "../chain/sent-messages.js";
import { Hub, type HubOptions } from "../stream/hub.js";
import type { Context } from "./context.js";
import type { IndexPart } from "./index-part.js";

type Parts = Pick<HubOptions, "index" | "book" | "pending"> & {
  indexing: Pick<IndexPart, "onNews">;
  head: Pick<ChainHead, "onMoved" | "zeroState">;
  /** Absent if messages are not emulated. */
  sent: Pick<SentMessages, "onKept"> | undefined;
};

/** Starts to tell subscribers what happens. */
export function openStreams({ config, closers, log, now }: Context, parts: Parts): Hub {
  const { index, book, pending, indexing, head, sent } = parts;
  const hub = new Hub({
    index,
    book,
    pending,
    isDevnet: config.network === "devnet",
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
