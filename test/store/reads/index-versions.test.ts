import { expect, test } from "vitest";
import { versionIn } from "../../../server/store/database.js";
import { IndexVersions } from "../../../server/store/reads/index-versions.js";

test("A version of the index is as late as the first later one that is known", () => {
  let now = 1000;
  const versions = new IndexVersions(() => now);
  expect([versions.newest, versions.lagMs(3)]).toEqual([undefined, 0]);
  versions.begin({ n: 10, seqno: 5 });
  now += 7;
  expect([versions.lagMs(9), versions.lagMs(10), versions.lagMs(11)]).toEqual([7, 0, 0]);
  expect(versions.saw({ n: 11, seqno: 6 })).toBe(true);
  now += 100;
  expect(versions.saw({ n: 14, seqno: 6 })).toBe(true);
  expect(versions.saw({ n: 12, seqno: 6 })).toBe(false);
  now += 1;
  expect([9, 10, 11, 13, 14].map((n) => versions.lagMs(n))).toEqual([108, 101, 1, 1, 0]);
  // After a failover.
  versions.begin({ n: 12, seqno: 6 });
  expect([versions.newest, versions.lagMs(12)]).toEqual([{ n: 12, seqno: 6 }, 0]);
});

test("Of many versions the latest thousands are known", () => {
  let now = 0;
  const versions = new IndexVersions(() => now);
  for (now = 0; now < 20_000; now++) versions.saw({ n: now, seqno: 1 });
  expect(versions.lagMs(19_000)).toBe(999);
  expect(versions.lagMs(0)).toBeGreaterThan(2000);
  expect(versions.lagMs(0)).toBeLessThan(4097);
});

test("A version is read from its text, and from no other", () => {
  expect(versionIn("12 345")).toEqual({ n: 12, seqno: 345 });
  for (const text of ["", "12", "12 ", "-1 3", "1 2 3", "1.5 2", "check 1", "99999999999999999 1"])
    expect(versionIn(text)).toBeUndefined();
});
