import { handledLater } from "../../shared/values/promises.js";
import type { Config } from "../config/settings.js";

/** A long-running process. */
export type Started<Listening> = {
  listen(): Promise<Listening>;
  /** Takes over keys and settings that have changed. */
  reload?(read: () => Config): void;
  /** `signal`: the signal that requested the stop. */
  close(signal?: NodeJS.Signals): Promise<void>;
  /** Rejects when the process cannot continue until its operator fixes the cause. */
  ended?: Promise<never>;
};

export type ServeContext = {
  print: (line: string) => void;
  /** Resolves when the process is asked to stop. `reload` is called at each request to reload. */
  stopRequested: (reload?: () => void) => Promise<NodeJS.Signals>;
};

type Serving<Listening> = {
  starting: Promise<Started<Listening>>;
  welcome: (listening: Listening) => string[];
  /** Reads the configuration again. */
  reread: () => Config;
};

/** Starts the process, prints the welcome lines, and runs until asked to stop or `ended` rejects. */
export async function serve<Listening>(
  { starting, welcome, reread }: Serving<Listening>,
  { print, stopRequested }: ServeContext,
): Promise<void> {
  let running: Started<Listening> | undefined;
  const stopped = stopRequested(() => running?.reload?.(reread));
  let signal: NodeJS.Signals | undefined;
  stopped.then((received) => {
    signal = received;
  });
  const started = await starting;
  const { ended = new Promise<never>(() => {}) } = started;
  const stop = Promise.race([stopped, ended]);
  handledLater(stop);
  try {
    // The start may take long and can be interrupted.
    const listening = await Promise.race([started.listen(), stop]);
    if (!listening || typeof listening === "string") return;
    running = started;
    for (const line of welcome(listening)) print(line);
    await stop;
  } finally {
    await started.close(signal);
  }
}
