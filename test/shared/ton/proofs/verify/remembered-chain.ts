import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { invokerOf, liteApiFrom } from "../../../../../shared/ton/lite/lite-methods.js";
import { liteMethods } from "../../../../../shared/ton/tl/lite-functions.js";
import type { Target } from "../../../../helpers/chain/contract/target.js";

const run = process.env["TONWIRE_TEST_RUN"];

/**
 * The busy chain, of which each question is asked once in a run of tests: to run its transactions takes longer than most of
 * what is shown with its answers. It cannot be changed.
 */
export async function rememberedChain() {
  let chain: Promise<Target> | undefined;
  const open = () => {
    chain ??= import("../../../../helpers/chain/busy-chain.js").then(({ busyChain }) => busyChain());
    return chain;
  };
  const facts = await remember("facts", async () => {
    const { method, library } = await open();
    return { method: method!, library: library! };
  });
  const api = liteApiFrom(liteMethods, (name, request, call) =>
    remember([name, request], async () => invokerOf((await open()).api)(name, request, call)),
  );
  return { api, ...facts, close: async () => void (await (await chain)?.close?.()) };
}

async function remember<Answer>(question: unknown, ask: () => Promise<Answer>): Promise<Answer> {
  if (run === undefined) return ask();
  const folder = join(run, "busy-chain");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, createHash("sha256").update(serialize(question)).digest("hex"));
  if (existsSync(path)) return deserialize(readFileSync(path)) as Answer;
  const answer = await ask();
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, serialize(answer));
  renameSync(unfinished, path);
  return answer;
}
