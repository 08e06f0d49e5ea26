/**
 * The result of calls of the operating system; `undefined` if it refuses one, for example because a file is not there or may
 * not be read. Other errors are defects, and thrown.
 */
export function unlessRefused<Result>(call: () => Result): Result | undefined {
  try {
    return call();
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return undefined;
    throw error;
  }
}
