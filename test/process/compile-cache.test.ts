import { join } from "node:path";
import { expect, it } from "vitest";
import { useCompileCache } from "../../server/process/compile-cache.js";

function folderOf(env: NodeJS.ProcessEnv, ...args: string[]): string | undefined {
  let folder: string | undefined;
  useCompileCache(env, args, {
    enableCompileCache: (chosen) => {
      folder = chosen;
    },
  });
  return folder;
}

it("compiled code is in the cache folder", () => {
  expect(folderOf({ TONWIRE_CACHE: "/c" }, "start")).toBe(join("/c", "code"));
  expect(folderOf({ TONWIRE_CACHE: "off" }, "start")).toBeUndefined();
  expect(folderOf({ TONWIRE_CACHE: "/c" }, "start", "--cache", "off")).toBeUndefined();
  expect(folderOf({ TONWIRE_CACHE: "/c" }, "start", "--cache=off")).toBeUndefined();
});

it("a Node without such a cache starts as well", () => {
  expect(() => useCompileCache({ TONWIRE_CACHE: "/c" }, [], {})).not.toThrow();
});
