import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { FileLock } from "../../server/os/file-lock.js";
import { sized } from "../helpers/effort.js";
import { programArguments } from "../helpers/services/program.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const program = programArguments(new URL("hold-lock.ts", import.meta.url));
const newPidNamespace = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];
const canUnshare =
  process.platform === "linux" &&
  spawnSync(newPidNamespace[0]!, [...newPidNamespace.slice(1), "true"]).status === 0;

/** Starts a process that tries to take the lock; returns the process and its result. */
async function contender(
  path: string,
  prefix: readonly string[] = [],
): Promise<{ child: ChildProcess; verdict: string }> {
  const [command, ...args] = [...prefix, process.execPath, ...program, path];
  const child = spawn(command!, args, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout!.setEncoding("utf8"), "data");
  return { child, verdict: String(line).trim() };
}

test("a lock is held once, by one part of one process, until it is released", async () => {
  const path = join(temporaryFolder(), "lock");
  const lock = await FileLock.take(path);
  await expect(FileLock.take(path)).rejects.toMatchObject({
    isSetupError: true,
    message: `${path} is held by process ${process.pid}`,
  });
  await lock.release();
  await (await FileLock.take(path)).release();
});

test.runIf(canUnshare)("a lock that a process of another container holds is not broken", async () => {
  const path = join(temporaryFolder(), "lock");
  const other = await contender(path, newPidNamespace);
  expect(other.verdict).toBe("taken");
  await expect(FileLock.take(path)).rejects.toThrow(`${path} is held by process `);
});

test("of many starts after a kill one takes the lock", async () => {
  const path = join(temporaryFolder(), "lock");
  for (let round = 0; round < sized(1, 3); round++) {
    const killed = await contender(path);
    expect(killed.verdict).toBe("taken");
    killed.child.kill("SIGKILL");
    await once(killed.child, "close");
    const starts = await Promise.all(Array.from({ length: 4 }, () => contender(path)));
    expect(starts.filter(({ verdict }) => verdict === "taken")).toHaveLength(1);
    for (const { child } of starts) child.kill("SIGKILL");
    await Promise.all(starts.map(({ child }) => child.exitCode ?? child.signalCode ?? once(child, "close")));
  }
});
