import { describe, expect, it } from "vitest";
import { ChainClock } from "../../../server/devnet/moment/clock.js";

describe("a wall clock", () => {
  function clock() {
    const wall = { seconds: 100 };
    return { wall, clock: new ChainClock("wall", () => wall.seconds) };
  }

  it("continues from a time that is set", () => {
    const { wall, clock: set } = clock();
    set.set(150, 90);
    expect(set.next(90)).toBe(150);
    set.onBlock();
    wall.seconds = 200;
    expect(set.next(150)).toBe(250);
  });

  it("returns the time of a block that is made later", () => {
    const { wall, clock: set } = clock();
    wall.seconds = 200.6;
    expect([set.next(150), set.next(150, 300), set.next(150, 500), set.next(300, 500)]).toEqual([
      200, 200, 201, 300,
    ]);
  });

  it("goes on as before after a time that is set for one block", () => {
    const { wall, clock: set } = clock();
    set.setNext(150, 90);
    expect(set.next(90)).toBe(150);
    set.onBlock();
    // Time does not go back meanwhile.
    expect(set.next(150)).toBe(150);
    wall.seconds = 200;
    expect(set.next(150)).toBe(200);
  });
});
