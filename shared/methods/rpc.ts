import { z } from "zod";
import { defineMethod } from "./define.js";

/** Methods of the JSON-RPC service itself. */
export const rpcMethods = {
  ping: defineMethod({
    summary: "Returns `pong`: a heartbeat for clients that cannot send WebSocket pings.",
    group: "RPC",
    params: z.object({}),
    result: z.literal("pong").describe("Always `pong`."),
    verbs: [],
    freshness: { kind: "none" },
    free: true,
    examples: [{ params: {}, result: "pong" }],
  }),

  discover: defineMethod({
    summary: "The OpenRPC document of this service.",
    group: "RPC",
    params: z.object({}),
    result: z.looseObject({
      openrpc: z.string().describe("Version of the OpenRPC standard."),
      info: z.looseObject({}).describe("Title and version of the service."),
      methods: z.array(z.looseObject({})).describe("All methods with their parameters and results."),
    }),
    verbs: [],
    // The examples of a devnet change with its chain and its index.
    freshness: { kind: "both" },
    examples: [
      {
        params: {},
        result: { openrpc: "1.2.6", info: { title: "tonwire", version: "0.1.0" }, methods: [] },
      },
    ],
  }),
};
