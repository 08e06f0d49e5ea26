import { expect, it } from "vitest";
import { LongCallPacer } from "../../../server/rpc/answers/long-call-pacer.js";

it("One batch starts its long calls freely", () => {
  const starts = new LongCallPacer();
  const batch = {};
  expect(Array.from({ length: 5 }, () => starts.next(batch))).toEqual(new Array(5).fill(undefined));
});

it("Several batches start theirs in turn, never two in one turn of the event loop", async () => {
  const starts = new LongCallPacer();
  const [one, other] = [{}, {}];
  expect(starts.next(one)).toBeUndefined();
  const order: string[] = [];
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  count();
  const turns: number[] = [];
  const start = (owner: object, name: string) =>
    starts.next(owner)!.then(() => {
      order.push(name);
      turns.push(turn);
    });
  const all = [start(other, "other 1"), start(one, "one 2"), start(other, "other 2"), start(one, "one 3")];
  expect(order).toEqual([]);
  await Promise.all(all);
  isOver = true;
  expect(order).toEqual(["other 1", "one 2", "other 2", "one 3"]);
  expect(new Set(turns).size).toBe(4);
});
