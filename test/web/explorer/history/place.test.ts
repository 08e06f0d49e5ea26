import { expect, it } from "vitest";
import { type Place, placeAfter } from "../../../../server/web/explorer/history/place.js";

it("a list read by places has each entry once, though many have one time", () => {
  const times = ["9", "8", "8", "8", "8", "8", "7", "5", "5"];
  for (const length of [1, 2, 3, 4, 9, 20]) {
    const read: number[] = [];
    let last: Place | undefined;
    for (;;) {
      const from = last === undefined ? 0 : times.findIndex((lt) => lt <= last!.lt) + last.count;
      const page = times.slice(from, from + length);
      read.push(...page.map((_, index) => from + index));
      last = placeAfter(page, last);
      if (page.length < length) break;
    }
    expect([length, read]).toEqual([length, times.map((_, index) => index)]);
  }
});
