import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import type { ChainHead } from "../../../shared/ton/proofs/read/head.js";
import type { Devnet } from "../../devnet/devnet.js";
import { type Begin, type IndexReach, settlement } from "../../methods/devnet/settlement.js";
import type { Hub } from "../../stream/hub.js";
import type { Context } from "../context/context.js";
import type { Siblings } from "../context/siblings.js";
import type { IndexPart } from "../index/index-part.js";
import { noReach, StreamReach } from "../index/index-reach.js";
import type { PrintWatch } from "../network/prints.js";

/** How answers to writes wait until what was written can be read. */
type SettledDevnet = {
  begin: Begin;
  /** Sends as the devnet does, and waits for what follows where a block is made for every message. */
  lite: Pick<LiteApi, "sendMessage">;
  /** Sends a message, and waits as `lite` does. Returns whether everything waited for was reached. */
  send(boc: Uint8Array, ignoresSignatures: boolean): Promise<boolean>;
};

const defaultSettleMs = 5000;

type Parts = {
  devnet: Pick<Devnet, "controls" | "events">;
  head: Pick<ChainHead, "last">;
  indexing: Pick<IndexPart, "saw" | "onCaughtUp">;
  /** Absent without an index in this process. */
  streams: Hub | undefined;
  /** Absent unless what contracts print is shown. */
  prints: Pick<PrintWatch, "shown" | "refused"> | undefined;
};

/** Waits for all processes of the service: the caller's next request may come to another one. */
function sharedReach(own: IndexReach, siblings: Siblings): IndexReach {
  return {
    get behind() {
      return own.behind;
    },
    async reaches(block, maxMs) {
      const [holds] = await Promise.all([own.reaches(block, maxMs), siblings.reached(block, maxMs)]);
      return holds;
    },
  };
}

/** Waits until what the blocks print is shown, too. */
function shownReach(own: IndexReach, prints: Pick<PrintWatch, "shown">): IndexReach {
  return {
    get behind() {
      return own.behind;
    },
    async reaches(block, maxMs) {
      const [holds] = await Promise.all([own.reaches(block, maxMs), prints.shown(maxMs)]);
      return holds;
    },
  };
}

export function settledDevnet(
  {
    config: { callTimeoutMs },
    settleMs: maxMs = defaultSettleMs,
    siblings,
  }: Pick<Context, "config" | "settleMs" | "siblings">,
  { devnet: { controls, events }, head, indexing, streams, prints }: Parts,
): SettledDevnet {
  // A caller that waits for a block reads it next.
  streams?.onReached(() => indexing.saw());
  const indexed = streams ? new StreamReach({ events, head: head.last, indexing, streams }) : noReach;
  const reach = prints ? shownReach(indexed, prints) : indexed;
  siblings?.onReach((block, ms) => reach.reaches(block, ms));
  const begin = settlement(siblings ? sharedReach(reach, siblings) : reach, { maxMs, callTimeoutMs });
  const send: SettledDevnet["send"] = async (boc, ignoresSignatures) => {
    const settling = begin();
    const sent = await controls.send(boc, settling.leftMs, ignoresSignatures).catch(async (error) => {
      await prints?.refused(boc);
      throw error;
    });
    const isSettled = await settling.after(sent);
    // Whatever is waited for, the message is pending in every process.
    await siblings?.reached(head.last, 0);
    return isSettled;
  };
  return {
    begin,
    send,
    lite: {
      async sendMessage({ body }) {
        await send(body, false);
        return { status: 1 };
      },
    },
  };
}
