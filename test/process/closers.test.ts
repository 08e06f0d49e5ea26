import { expect, it } from "vitest";
import { Closers } from "../../server/process/closers.js";

it("parts are closed one after the other, the last one made first, and once", async () => {
  const parts = new Closers();
  const closed: string[] = [];
  for (const name of ["access", "chain", "listener"])
    parts.add(name, async (part) => {
      await Promise.resolve();
      closed.push(part);
    });
  await parts.close();
  await parts.close();
  expect(closed).toEqual(["listener", "chain", "access"]);
});

it("a part that cannot be closed does not keep the others open, and is not passed over in silence", async () => {
  const parts = new Closers();
  const closed: string[] = [];
  parts.add("access", (part) => void closed.push(part));
  parts.add("chain", () => {
    throw new Error("the disk is full");
  });
  parts.add("listener", (part) => void closed.push(part));
  await expect(parts.close()).rejects.toThrow("the disk is full");
  expect(closed).toEqual(["listener", "access"]);
});

it("a part that comes up when all others are down already is closed at once", async () => {
  const parts = new Closers();
  const closed: string[] = [];
  await parts.close();
  expect(() => parts.add("chain", (part) => void closed.push(part))).toThrow("Service is stopping");
  expect(closed).toEqual(["chain"]);
});
