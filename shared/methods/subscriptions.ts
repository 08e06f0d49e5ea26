import { z } from "zod";
import { cursor, streamHead } from "../schema/streams/subscription-events.js";
import {
  ackParams,
  subscribeParams,
  tonSubscribeParams,
  unsubscribeParams,
  updateParams,
} from "../schema/streams/subscription-params.js";
import { defineMethod } from "./define.js";

const common = {
  group: "Subscriptions",
  verbs: [],
  freshness: { kind: "effect" },
} as const;

const exampleCursor = "YzEuMTI4LjkuMC4uM2Y5YTBjMTIuNjg1MmFiOTE";
const exampleAccount = "0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8";

/** Methods that exist on WebSockets only: they are about the connection. */
export const subscriptionMethods = {
  subscribe: defineMethod({
    ...common,
    summary: "Sends events, as notifications `subscription`, until the subscription ends.",
    description:
      "Exists on WebSockets. Events come in one order in every process. A cursor goes on where another connection stopped, so that nothing is lost and nothing comes twice.",
    params: subscribeParams,
    result: z.object({
      subscription: z.string().describe("Id of the subscription, unique within the connection."),
      cursor,
      head: streamHead,
    }),
    errors: ["cursor-too-old"],
    examples: [
      {
        params: { kind: "transactions", accounts: [exampleAccount] },
        result: { subscription: "1", cursor: exampleCursor, head: { seqno: 128, gen_utime: 1_735_689_728 } },
      },
    ],
  }),

  unsubscribe: defineMethod({
    ...common,
    summary: "Ends a subscription.",
    params: unsubscribeParams,
    result: z.boolean().describe("Whether there was such a subscription."),
    examples: [{ params: { subscription: "1" }, result: true }],
  }),

  ton_subscribe: defineMethod({
    ...common,
    summary: "As `subscribe`, in the form that libraries for JSON-RPC know.",
    description:
      "Parameters by position are the kind and an object with the others. The result is the id alone, and events come as notifications `ton_subscription` with `result`: `rpc.Client.Subscribe` of go-ethereum with the namespace `ton`, and `subscribe` of jsonrpsee, read them. Each subscription has one of both forms; they share ids and limits.",
    params: tonSubscribeParams,
    result: z.string().describe("Id of the subscription, unique within the connection."),
    errors: ["cursor-too-old"],
    examples: [{ params: { kind: "transactions", filter: { accounts: [exampleAccount] } }, result: "1" }],
  }),

  ton_unsubscribe: defineMethod({
    ...common,
    summary: "Ends a subscription, as `unsubscribe`.",
    params: unsubscribeParams,
    result: z.boolean().describe("Whether there was such a subscription."),
    examples: [{ params: { subscription: "1" }, result: true }],
  }),

  subscription: {
    update: defineMethod({
      ...common,
      summary: "Changes the lists of a subscription.",
      description: "The change applies from the masterchain block after the cursor on.",
      params: updateParams,
      result: z.object({ cursor }),
      errors: ["absent"],
      examples: [
        {
          params: { subscription: "1", add: { accounts: [exampleAccount] } },
          result: { cursor: exampleCursor },
        },
      ],
    }),

    ack: defineMethod({
      ...common,
      summary: "Acknowledges events, so that a subscription with a window receives further ones.",
      params: ackParams,
      result: z.literal(true).describe("Always `true`."),
      errors: ["absent"],
      examples: [{ params: { subscription: "1", cursor: exampleCursor }, result: true }],
    }),
  },
};
