import { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { WaitingMessages } from "../../chain/run/waiting-messages.js";
import { keepAccepted, SentMessages } from "../../chain/sent-messages.js";
import type { Context } from "../context/context.js";
import { logBlocks } from "./block-log.js";
import type { ChainSource } from "./chain-source.js";

/**
 * How long a message that was sent may wait for a block. Nodes keep external messages for ten minutes, the devnet of this
 * process for one; another minute may pass until the index has the block.
 */
const lifetimeMs = 660_000;
const devnetLifetimeMs = 120_000;

export type ChainReading = Awaited<ReturnType<typeof openReading>>;

/** Reads the chain, and keeps the messages that this process sends to it until a block has them. */
export async function openReading({ config, log, logFormat, now }: Context, source: ChainSource) {
  const { head, events, devnet } = source;
  const sent = new SentMessages(source.api, now);
  if (devnet) await keepAccepted(devnet, sent);
  else events?.onReverted(() => sent.forget());
  const lite = devnet ? source.api : sent.api;
  const reader = new ChainReader({ lite, head, states: source.states, outside: source.outside });
  events?.onReverted(() => reader.forget());
  if (events && logFormat === "pretty") logBlocks(events, reader, log);
  const mempool = config.pending ? sent : undefined;
  return {
    lite,
    reader,
    sent,
    waitMs: devnet ? devnetLifetimeMs : lifetimeMs,
    /** The messages that wait for a block; absent unless they are shown. */
    mempool,
    waiting: mempool && new WaitingMessages(mempool),
  };
}
