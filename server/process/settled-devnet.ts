import type { LiteApi } from "../chain/lite-api.js";
import type { ChainHead } from "../chain/read/head.js";
import type { Devnet } from "../devnet/devnet.js";
import { type Begin, settlement } from "../methods/devnet/settlement.js";
import type { Hub } from "../stream/hub.js";
import type { Context } from "./context.js";
import type { IndexPart } from "./index-part.js";
import { noReach, StreamReach } from "./index-reach.js";

/** How answers to writes wait until what was written can be read. */
export type SettledDevnet = {
  begin: Begin;
  /** Sends as the devnet does, and waits for what follows where a block is made for every message. */
  lite: Pick<LiteApi, "sendMessage">;
};

const defaultSettleMs = 5000;

type Parts = {
  devnet: Pick<Devnet, "controls" | "events">;
  head: Pick<ChainHead, "last">;
  indexing: Pick<IndexPart, "saw" | "onCaughtUp">;
  /** Absent without an index in this process. */
  streams: Hub | undefined;
};

export function settledDevnet(
  { config: { callTimeoutMs }, settleMs: maxMs = defaultSettleMs }: Pick<Context, "config" | "settleMs">,
  { devnet: { controls, events }, head, indexing, streams }: Parts,
): SettledDevnet {
  // Whoever waits for a block reads it next.
  streams?.onReached(() => indexing.saw());
  const reach = streams ? new StreamReach({ events, head: head.last, indexing, streams }) : noReach;
  const begin = settlement(reach, { maxMs, callTimeoutMs });
  return {
    begin,
    lite: {
      async sendMessage({ body }) {
        const settling = begin();
        await settling.after(await controls.send(body, settling.leftMs));
        return { status: 1 };
      },
    },
  };
}
