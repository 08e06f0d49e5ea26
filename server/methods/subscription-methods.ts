import type { Call, Handlers } from "../../shared/methods/define.js";
import type { Subscriber } from "../../shared/methods/subscriber.js";
import type { subscriptionMethods } from "../../shared/methods/subscriptions.js";
import { ServiceError } from "../errors.js";
import { implement } from "../rpc/bind.js";

const handlers: Handlers<typeof subscriptionMethods> = {
  subscribe: (params, _, call) => subscriberOf(call).subscribe(params),
  unsubscribe: (params, _, call) => subscriberOf(call).unsubscribe(params),
  ton_subscribe: (params, _, call) => subscriberOf(call).tonSubscribe(params),
  ton_unsubscribe: (params, _, call) => subscriberOf(call).unsubscribe(params),
  subscription: {
    update: (params, _, call) => subscriberOf(call).update(params),
    ack: (params, _, call) => {
      subscriberOf(call).acknowledge(params);
      return true;
    },
  },
};

export const subscriptionImplementations = implement(handlers, undefined);

function subscriberOf({ subscriber }: Call): Subscriber {
  if (!subscriber) throw new ServiceError("unknown-method", "needs a WebSocket");
  return subscriber;
}
