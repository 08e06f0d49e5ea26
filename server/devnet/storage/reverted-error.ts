/** A step was removed by a revert while it was read. */
export class RevertedError extends Error {
  override readonly name = "RevertedError";

  constructor(seqno: number) {
    super(`step ${seqno} was reverted while it was read`);
  }
}

/** The result of a read; `undefined` if its step was reverted meanwhile. */
export async function unlessReverted<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof RevertedError) return undefined;
    throw error;
  }
}
