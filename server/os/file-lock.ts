import { link, readFile, rm, unlink, writeFile } from "node:fs/promises";
import { SetupError } from "../errors.js";

/** One process for what a file stands for, which names its holder. What a killed process left behind is taken over. */
export class FileLock {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  static async take(path: string): Promise<FileLock> {
    const aside = `${path}.${process.pid}`;
    await writeFile(aside, await describeProcess(process.pid));
    try {
      for (let attempt = 0; attempt < 3; attempt++) {
        if (await linked(aside, path)) return new FileLock(path);
        const holder = await readFile(path, "utf8").catch(() => "");
        if (await isRunning(holder))
          throw new SetupError(`${path} is held by process ${holder.split(" ")[0]}`);
        await rm(path, { force: true });
      }
      throw new SetupError(`${path} cannot be taken: other processes keep taking it`);
    } finally {
      await rm(aside, { force: true });
    }
  }

  release(): Promise<void> {
    return unlink(this.#path).catch(() => undefined);
  }
}

/** Makes `path` another name of the finished file, so that nobody ever reads a lock half written. */
async function linked(aside: string, path: string): Promise<boolean> {
  try {
    await link(aside, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

/** The id and, where the system tells, the start time: a container gives its next process the same id again. */
async function describeProcess(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // Field 22, counted behind the name, which is in parentheses and may contain anything.
  const started = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  return started === undefined ? `${pid}` : `${pid} ${started}`;
}

async function isRunning(holder: string): Promise<boolean> {
  const pid = Number(holder.split(" ")[0]);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, as somebody else.
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  return (await describeProcess(pid)) === holder;
}
