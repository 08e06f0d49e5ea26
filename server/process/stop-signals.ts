const stopSignals = ["SIGTERM", "SIGINT"] as const;

/**
 * Resolves at the first signal that asks the process to stop. SIGTERM or SIGINT after it exits at once. SIGHUP asks to stop if the
 * process has a terminal, which has been closed then; otherwise it calls `reload`, or asks to stop if there is none.
 */
export function stopRequested(reload?: () => void): Promise<NodeJS.Signals> {
  const { stdin, stdout, stderr } = process;
  const hasTerminal = [stdin, stdout, stderr].some(({ isTTY }) => isTTY);
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (signal: NodeJS.Signals) => {
      isStopping = true;
      resolve(signal);
    };
    for (const signal of stopSignals) process.on(signal, () => (isStopping ? process.exit(1) : stop(signal)));
    // The kernel and the shell both send it when a terminal is closed, so the second one must not cut off the stop.
    process.on("SIGHUP", () => {
      if (isStopping) return;
      if (hasTerminal || !reload) stop("SIGHUP");
      else reload();
    });
  });
}

/** Ignores errors of output to a closed terminal; otherwise they would end the process. */
export function outliveTerminal(): void {
  for (const output of [process.stdout, process.stderr]) output.on("error", () => {});
}
