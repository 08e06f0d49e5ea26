import { handledLater } from "../../shared/values/promises.js";
import { SetupError } from "../errors.js";
import { ProgressDisplay, type Terminal } from "./progress-display.js";

/** Work with an end, as seen by its command. */
export type StartedJob = {
  listen(): Promise<{ adminUrl?: string }>;
  /** Resolves at the end of the work. */
  done: Promise<void>;
  close(): Promise<void>;
};

export type JobContext = {
  print: (line: string) => void;
  terminal: Terminal;
  /** Resolves when the process is asked to stop. */
  stopRequested: () => Promise<unknown>;
};

/** Lines printed at the beginning and at the end of a job, and its progress in between. */
type JobTexts = { begin: string; end: () => string; progress: () => string | undefined };

/** Runs a job to its end, with its progress shown. Throws SetupError if it is asked to stop before. */
export async function runJob(
  job: StartedJob,
  { begin, end, progress }: JobTexts,
  { print, terminal, stopRequested }: JobContext,
): Promise<void> {
  const stop = stopRequested().then(() => {
    throw new SetupError("stopped before the end; run the same command again to continue");
  });
  handledLater(stop);
  handledLater(job.done);
  const display = new ProgressDisplay(terminal, print, progress);
  try {
    const { adminUrl } = await Promise.race([job.listen(), stop]);
    for (const line of [begin, ...adminLine(adminUrl)]) print(line);
    display.begin();
    await Promise.race([job.done, stop]);
    display.end();
    print(end());
  } finally {
    display.end();
    await job.close();
  }
}

/** A line on the operator's endpoint; none if it is off. */
export function adminLine(adminUrl: string | undefined): string[] {
  return adminUrl === undefined ? [] : [`metrics, status and health at ${adminUrl}`];
}
