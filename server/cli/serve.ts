/** A long-running process. */
export type Started<Listening> = {
  listen(): Promise<Listening>;
  close(): Promise<void>;
  /** Rejects when the process cannot continue until its operator fixes the cause. */
  ended?: Promise<never>;
};

export type ServeContext = {
  print: (line: string) => void;
  /** Resolves when the process is asked to stop. */
  stopRequested: () => Promise<void>;
};

/** Starts the process, prints the welcome lines, and runs until asked to stop or `ended` rejects. */
export async function serve<Listening>(
  starting: Promise<Started<Listening>>,
  welcome: (listening: Listening) => string[],
  { print, stopRequested }: ServeContext,
): Promise<void> {
  const stopped = stopRequested();
  const started = await starting;
  const { ended = new Promise<never>(() => {}) } = started;
  const stop = Promise.race([stopped, ended]);
  // Avoids an unhandled rejection before it is awaited.
  stop.catch(() => {});
  try {
    // The start may take long and can be interrupted.
    const listening = await Promise.race([started.listen(), stop]);
    if (!listening) return;
    for (const line of welcome(listening)) print(line);
    await stop;
  } finally {
    await started.close();
  }
}
