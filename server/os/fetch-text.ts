/** Limits of one fetch; the bytes are those after decompression. */
export type FetchLimits = {
  maxBytes: number;
  timeoutMs: number;
  /** What happens if the server names another address. Default: it is followed. */
  redirect?: "follow" | "error";
  signal?: AbortSignal;
};

/** The body is longer than allowed. */
export class OversizedError extends Error {
  override readonly name = "OversizedError";
}

/** The body at a URL, decompressed, within a size and a time. Throws an Error with the reason. */
export async function fetchText(
  url: string,
  { maxBytes, timeoutMs, redirect = "follow", signal }: FetchLimits,
): Promise<string> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      redirect,
      signal: AbortSignal.any([timeout, ...(signal ? [signal] : [])]),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`the answer has status ${response.status}`);
    }
    return await textWithin(maxBytes, response);
  } catch (error) {
    // fetch hides the reason in the cause of its error.
    const { cause } = error as Error;
    throw cause instanceof Error ? cause : error;
  }
}

/** The body of a response, decompressed. Throws an OversizedError. */
export async function textWithin(maxBytes: number, { body }: Pick<Response, "body">): Promise<string> {
  const chunks: Uint8Array[] = [];
  let left = maxBytes;
  for await (const chunk of body ?? []) {
    left -= chunk.length;
    // Leaving the loop ends the connection.
    if (left < 0) throw new OversizedError(`it is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
