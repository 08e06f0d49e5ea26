import { expect, test } from "vitest";
import { FreshLook } from "../../../server/store/cluster/fresh-look.js";
import { withResolvers } from "../../../shared/values/promises.js";

/** Looks that end one by one. */
function controlled() {
  const looks: ReturnType<typeof withResolvers<number>>[] = [];
  const look = new FreshLook(() => {
    looks.push(withResolvers<number>());
    return looks.at(-1)!.promise;
  });
  return { look, looks };
}

test("Those who ask while a look goes on share the next one", async () => {
  const { look, looks } = controlled();
  const first = look.ask();
  const [second, third] = [look.ask(), look.ask()];
  expect(looks).toHaveLength(1);
  looks[0]!.resolve(1);
  expect(await first).toBe(1);
  await Promise.resolve();
  expect(looks).toHaveLength(2);
  looks[1]!.resolve(2);
  expect(await Promise.all([second, third])).toEqual([2, 2]);
});

test("A look that failed fails for its callers alone", async () => {
  const { look, looks } = controlled();
  const [first, second] = [look.ask(), look.ask()];
  looks[0]!.reject(new Error("lost"));
  await expect(first).rejects.toThrow("lost");
  await Promise.resolve();
  looks[1]!.resolve(2);
  expect(await second).toBe(2);
  const third = look.ask();
  looks[2]!.resolve(3);
  expect(await third).toBe(3);
});
