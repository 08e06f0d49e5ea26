import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { variants } from "../../helpers/effort.js";
import { programArguments } from "../../helpers/services/program.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { SyntheticChain } from "./synthetic-chain.js";

const writer = programArguments(new URL("killed-writer.ts", import.meta.url));

/** Lines printed by a writer, which is killed once it has printed enough lines of both kinds. */
async function writeUntilKilled(folder: string, enough: number): Promise<string[]> {
  const child = spawn(process.execPath, [...writer, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const printed: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    printed.push(line);
    const steps = printed.filter((each) => each.startsWith("step")).length;
    if (Math.min(steps, printed.length - steps) === enough) child.kill("SIGKILL");
  }
  await ended;
  return printed;
}

test("a process killed at any moment loses nothing that it confirmed", async () => {
  const folder = temporaryFolder();
  const steps = new Map<number, string>();
  const messages = new Set<string>();
  for (const enough of variants([3, 12], [1, 15, 30])) {
    for (const line of await writeUntilKilled(folder, enough)) {
      const [kind, first, second] = line.split(" ");
      if (kind === "step") steps.set(Number(first), second!);
      else messages.add(first!);
    }
    const store = new ChainStore(folder, { recent: 4, interval: 10 });
    const { last, pending } = await store.open(new SyntheticChain().genesis);
    for (const [seqno, fileHash] of steps)
      expect(bytesToHex(store.index.get(seqno)!.masterchain.id.fileHash), `step ${seqno}`).toBe(fileHash);
    expect(last?.masterchain.id.seqno ?? 0).toBeGreaterThanOrEqual(Math.max(0, ...steps.keys()));
    const kept = new Set(pending.map(({ boc }) => bytesToHex(boc)));
    for (const message of messages) expect(kept.has(message)).toBe(true);
    await store.close();
  }
  expect(steps.size).toBeGreaterThan(10);
  expect(messages.size).toBeGreaterThan(10);
});
