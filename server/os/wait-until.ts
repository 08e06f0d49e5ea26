type Unsubscribe = () => void;

/** A condition that changes with events. */
type Condition = {
  holds(): boolean;
  /** Calls back whenever it may hold. */
  onChange(listener: () => void): Unsubscribe;
  /** Calls back when waiting has become pointless. */
  onVoid?(listener: () => void): Unsubscribe;
};

/** Resolves when the condition holds, at the latest after `maxMs` or when it is void. Returns what is left of the time, ms. */
export async function waitUntil({ holds, onChange, onVoid }: Condition, maxMs: number): Promise<number> {
  const end = performance.now() + maxMs;
  if (maxMs > 0 && !holds())
    await new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        stopChange();
        stopVoid?.();
        resolve();
      };
      const timer = setTimeout(finish, maxMs);
      const stopChange = onChange(() => holds() && finish());
      const stopVoid = onVoid?.(finish);
    });
  return Math.max(0, end - performance.now());
}
