import { z } from "zod";
import { blockId } from "../schema/v2/records.js";

const group = "Devnet";
const network = "devnet";
const verbs = [] as const;

/** Common to all methods of the devnet: JSON-RPC only, and no answer may be cached. */
export const effect = { freshness: { kind: "effect" }, group, network, verbs } as const;

// Example values: a fixed account, and the first blocks of a devnet with the default seed.
export const someone = "0:3333333333333333333333333333333333333333333333333333333333333333";
export const exampleBlock = {
  "@type": "ton.blockIdExt",
  workchain: -1,
  shard: "-9223372036854775808",
  seqno: 2,
  root_hash: "s3UP8tujO7m/KuBgnebocNItLAkICWdZyhsujt7jZ18=",
  file_hash: "GVHCEH1PPu9J4eYTCUJoNxIc2Qp5r9CCh1Au/1b22Bs=",
} as const;

export const settled = z.boolean().meta({
  id: "Settled",
  description:
    "Whether the index of this process has the block, and its streams have sent it, before the answer; in mining mode `message` " +
    "also all transactions that follow from the message. False: it did not come in time (5 seconds at most), or the chain was reverted meanwhile.",
});

export const atBlock = z.object({
  block: blockId.describe("The masterchain block with the change."),
  settled,
});

export const exampleAtBlock = { block: exampleBlock, settled: true };
