/** Something that runs until it is told to stop. */
export type Started<Listening> = {
  listen(): Promise<Listening>;
  close(): Promise<void>;
  /** Rejects when it cannot go on, for a reason that its operator has to see to. */
  ended?: Promise<never>;
};

export type ServeContext = {
  print: (line: string) => void;
  /** Resolves when the process is asked to stop. */
  stopRequested: () => Promise<void>;
};

/** Starts it, says what there is to say, and keeps it until the process is asked to stop. */
export async function serve<Listening>(
  started: Started<Listening>,
  welcome: (listening: Listening) => string[],
  { print, stopRequested }: ServeContext,
): Promise<void> {
  const { ended = new Promise<never>(() => {}) } = started;
  const stop = Promise.race([stopRequested(), ended]);
  // Its failure counts when it is waited for.
  stop.catch(() => {});
  try {
    // A start may take long, and nobody has to wait for its end to stop it.
    const listening = await Promise.race([started.listen(), stop]);
    if (!listening) return;
    for (const line of welcome(listening)) print(line);
    await stop;
  } finally {
    await started.close();
  }
}
