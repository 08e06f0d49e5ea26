import { expect, it } from "vitest";
import { RacedRead } from "../../../server/store/reads/raced-read.js";

it("A read for which a server lacks a right is left to another server, and one with a mistake is not", async () => {
  const failing = (code: string) => {
    const error = Object.assign(new Error(code), { severity: "ERROR", code });
    return { error, server: { transaction: () => Promise.reject(error) } };
  };
  const failed: unknown[] = [];
  const read = new RacedRead(
    async () => "rows",
    {},
    () => {},
  );
  const ask = ({ server }: ReturnType<typeof failing>) =>
    read.of(server, { failed: (error) => failed.push(error) });
  const forbidden = failing("42501");
  expect(await ask(forbidden)).toBeUndefined();
  const mistaken = failing("42601");
  await expect(ask(mistaken)).rejects.toBe(mistaken.error);
  expect(failed).toEqual([forbidden.error]);
});
