import { join } from "node:path";
import { expect, it } from "vitest";
import { keepCompiledCode } from "../../server/process/compiled-code.js";

function folderOf(env: NodeJS.ProcessEnv, ...args: string[]): string | undefined {
  let folder: string | undefined;
  keepCompiledCode(env, args, {
    enableCompileCache: (chosen) => {
      folder = chosen;
    },
  });
  return folder;
}

it("compiled code is kept with what else is kept", () => {
  expect(folderOf({ TONWIRE_CACHE: "/c" }, "start")).toBe(join("/c", "code"));
  expect(folderOf({ TONWIRE_CACHE: "off" }, "start")).toBeUndefined();
  expect(folderOf({ TONWIRE_CACHE: "/c" }, "start", "--cache", "off")).toBeUndefined();
  expect(folderOf({ TONWIRE_CACHE: "/c" }, "start", "--cache=off")).toBeUndefined();
});

it("a Node without such a cache starts all the same", () => {
  expect(() => keepCompiledCode({ TONWIRE_CACHE: "/c" }, [], {})).not.toThrow();
});
