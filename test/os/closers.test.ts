import { expect, it } from "vitest";
import { Closers } from "../../server/os/closers.js";

it("parts are closed once, one after the other, in reverse order", async () => {
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

it("a part that fails to close is reported, and the others are closed", async () => {
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

it("a part that starts after the others were closed is closed at once", async () => {
  const parts = new Closers();
  const closed: string[] = [];
  await parts.close();
  expect(() => parts.add("chain", (part) => void closed.push(part))).toThrow("Service is stopping");
  expect(closed).toEqual(["chain"]);
});

it("a part that cannot be opened has those before it closed, and its error is the caller's", async () => {
  const closed: string[] = [];
  const opening = Closers.opening(async (parts) => {
    parts.add("access", (part) => void closed.push(part));
    parts.add("chain", (part) => {
      closed.push(part);
      throw new Error("the disk is full");
    });
    throw new Error("the port is taken");
  });
  await expect(opening).rejects.toThrow("the port is taken");
  expect(closed).toEqual(["chain", "access"]);
});

it("parts that could be opened stay open until they are closed", async () => {
  const closed: string[] = [];
  const close = await Closers.opening(async (parts) => {
    parts.add("access", (part) => void closed.push(part));
    return () => parts.close();
  });
  expect(closed).toEqual([]);
  await close();
  expect(closed).toEqual(["access"]);
});
