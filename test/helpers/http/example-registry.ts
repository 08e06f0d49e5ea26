import { z } from "zod";
import { defineMethod } from "../../../shared/methods/define.js";
import { accountAddress, count } from "../../../shared/schema/v2/params.js";
import { page } from "../../../shared/schema/v3/params.js";

const message = z.object({
  "@type": z.literal("raw.message").describe("Type of the record."),
  value: z.string().describe("Nanotons."),
});

type Node = { value: number; children?: Node[] | undefined };

/** A recursive record. */
export const tree: z.ZodType<Node> = z
  .object({
    value: z.int().describe("What it holds."),
    children: z.lazy(() => z.array(tree).optional()).describe("Nodes below."),
  })
  .meta({ id: "Node" });

const someone = `0:${"3".repeat(64)}`;

/** Made-up methods that combine features which no real method has together. */
export const exampleRegistry = {
  getThings: defineMethod({
    summary: "Things of an `address`.",
    description: "Newest first.",
    group: "Things",
    params: z.object({
      address: accountAddress.describe("Whose things."),
      limit: count({ atLeast: 1, atMost: 100 }).prefault(10).describe("How many."),
    }),
    result: z.array(message.describe("A message.")).describe("The things."),
    verbs: ["GET", "POST"],
    aliases: ["things"],
    freshness: { kind: "head" },
    errors: ["liteserver-error"],
    examples: [{ params: { address: someone, limit: 2 }, result: [{ "@type": "raw.message", value: "1" }] }],
  }),
  sendThing: defineMethod({
    summary: "Sends.",
    group: "Send",
    params: z.object({}),
    result: message,
    verbs: ["POST"],
    freshness: { kind: "effect" },
    examples: [{ params: {}, result: { "@type": "raw.message", value: "1" } }],
  }),
  v3: {
    jetton: {
      burns: defineMethod({
        summary: "Burns.",
        group: "Jettons",
        params: z.object(page({ initial: 10, max: 500 })),
        result: z.object({ tree: tree.describe("All of them.") }),
        verbs: ["GET"],
        freshness: { kind: "index" },
        examples: [{ params: {}, result: { tree: { value: 1, children: [{ value: 2 }] } } }],
      }),
    },
  },
  devnet: {
    mine: defineMethod({
      summary: "Mines.",
      group: "Devnet",
      params: z.object({}),
      result: z.literal(true),
      verbs: [],
      freshness: { kind: "effect" },
      network: "devnet",
      examples: [{ params: {}, result: true }],
    }),
  },
};
