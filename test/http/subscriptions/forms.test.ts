import { describe, expect, it } from "vitest";
import { NotificationForm } from "../../../server/http/subscriptions/forms.js";
import { notification, tonNotification } from "../../../shared/schema/streams/subscription-events.js";

const event = { type: "caught-up" } as const;
const places = [
  { cursor: undefined },
  { cursor: "abc" },
  { cursor: undefined, finality: "pending", id: '1."' },
  { cursor: "abc", finality: "finalized", id: "1.b", replaces: "1.a" },
];

describe.each(places)("an event with the place %j", (place) => {
  const present = Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined));
  const written = (method: "subscription" | "ton_subscription") =>
    JSON.parse(new NotificationForm("7", method).write(JSON.stringify(event), place));

  it("is a notification with the members of its place beside it", () => {
    const params = { subscription: "7", ...present, event };
    expect(written("subscription")).toEqual({ jsonrpc: "2.0", method: "subscription", params });
    expect(notification.parse(written("subscription"))).toEqual(written("subscription"));
  });

  it("is the result of a notification `ton_subscription` together with them", () => {
    const params = { subscription: "7", result: { ...present, event } };
    expect(written("ton_subscription")).toEqual({ jsonrpc: "2.0", method: "ton_subscription", params });
    expect(tonNotification.parse(written("ton_subscription"))).toEqual(written("ton_subscription"));
  });
});
