import { expect, it } from "vitest";
import { Interests } from "../../../server/stream/subscriptions/interests.js";
import {
  ChoiceEdit,
  choiceOf,
  filterOf,
  type RecordChoice,
} from "../../../server/stream/subscriptions/record-filter.js";
import { Subscription } from "../../../server/stream/subscriptions/subscription.js";
import { subscribeParams } from "../../../shared/schema/streams/subscription-params.js";
import { Address } from "../../../shared/values/address.js";
import { pseudoRandom } from "../../helpers/pseudo-random.js";
import { TestSink } from "../hub-world.js";

const addressOf = (at: number) => new Address(0, new Uint8Array(32).fill(at));
const raw = (at: number) => addressOf(at).toRawUpper();
const few = Array.from({ length: 12 }, (_, at) => at);
const subscriptionTo = (choice: RecordChoice) => new Subscription(new TestSink(), filterOf(choice));
/** The records that a subscription receives. */
const sent = (interests: Interests, kind: "transaction" | "jetton") =>
  few.flatMap((account) =>
    few.flatMap((other) => {
      const about = { accounts: [raw(account)], jettons: [raw(other)], opcode: other };
      return interests.ofRecord(kind, about).length > 0 ? [`${account} ${other}`] : [];
    }),
  );

it.each(["transactions", "jettons"] as const)(
  "a choice of %s that is changed repeatedly is found by exactly its current entries",
  (kind) => {
    const numbers = pseudoRandom(kind === "jettons" ? 1 : 2);
    const random = () => numbers.next().value;
    const some = () => few.filter(() => random() < 0.3);
    const second = kind === "jettons" ? "jetton_masters" : "opcodes";
    const listsOf = () => ({
      ...(random() < 0.7 && { accounts: some().map(addressOf) }),
      ...(random() < 0.4 && { [second]: kind === "jettons" ? some().map(addressOf) : some() }),
    });
    const record = kind === "jettons" ? "jetton" : "transaction";
    for (let round = 0; round < 20; round++) {
      let choice = choiceOf(subscribeParams.parse({ kind }), undefined);
      const interests = new Interests();
      const subscription = subscriptionTo(choice);
      interests.add(subscription);
      for (let step = 0; step < 10; step++) {
        const edit = new ChoiceEdit(choice, listsOf(), listsOf());
        const { accounts, keepsLists } = edit;
        const before = subscription.filter;
        choice = edit.apply();
        if (keepsLists) interests.edit(subscription, filterOf(choice), edit.added, edit.removed);
        else {
          expect(subscription.filter).toBe(before);
          interests.remove(subscription);
          subscription.filter = filterOf(choice);
          interests.add(subscription);
        }
        const fresh = new Interests([subscriptionTo(choice)]);
        expect(sent(interests, record)).toEqual(sent(fresh, record));
        expect(interests.accounts).toBe(fresh.accounts);
        expect(accounts).toBe((choice.accounts?.size ?? 0) + (choice.jettons?.size ?? 0));
      }
      interests.remove(subscription);
      expect([sent(interests, record), interests.accounts]).toEqual([[], 0]);
    }
  },
);
