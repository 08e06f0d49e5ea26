import fc from "fast-check";
import { expect, it } from "vitest";
import { type NewMessage, NewMessages } from "../../../../server/devnet/collate/messages/new-messages.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { Message } from "../../../../shared/ton/tlb/message.js";
import { compareBytes } from "../../../../shared/values/bytes.js";

/** Only the lt and the hash of a message decide. */
function messageOf({ lt, content }: { lt: number; content: number }): NewMessage {
  const message = CellOf.in(Message, beginCell().storeUint(content, 16).endCell());
  return { lt: BigInt(lt), message } as NewMessage;
}

it("messages of a block leave in the order of lt and hash, however they came", () => {
  const message = fc.record({
    lt: fc.integer({ min: 0, max: 9 }),
    content: fc.integer({ min: 0, max: 999 }),
  });
  /** A number takes out so many messages. */
  const step = fc.oneof(message, fc.integer({ min: 1, max: 3 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const messages = new NewMessages();
      let waiting: NewMessage[] = [];
      const takeFirst = () => {
        waiting.sort(
          (a, b) => Number(a.lt - b.lt) || compareBytes(a.message.cell.hash(), b.message.cell.hash()),
        );
        const [first, ...rest] = waiting;
        waiting = rest;
        const taken = messages.pop();
        expect([taken?.lt, taken?.message.cell.hashHex()]).toEqual([
          first?.lt,
          first?.message.cell.hashHex(),
        ]);
      };
      for (const each of steps) {
        if (typeof each === "number") for (let i = 0; i < each; i++) takeFirst();
        else {
          waiting.push(messageOf(each));
          messages.push(messageOf(each));
        }
        expect(messages.size).toBe(waiting.length);
      }
      while (waiting.length > 0) takeFirst();
      expect(messages.pop()).toBeUndefined();
    }),
    { numRuns: 300 },
  );
});
