import { createHmac } from "node:crypto";
import type { Duplex } from "node:stream";
import { FetchError } from "../../metadata/fetch-error.js";
import { ask, connectGuarded, type GuardOptions } from "../../metadata/guarded-connection.js";
import { Deadline } from "../../os/deadline.js";

/** Result of an attempt: without a failure, the receiver has the events. */
export type Outcome = { readonly status: number | null; readonly failure: string | null };

export type PostOptions = GuardOptions & {
  /** Time for the whole attempt, up to the response head. */
  timeoutMs: number;
};

/** Failure texts for the webhook's owner, who learns nothing of hosts that deliveries must not reach. */
const failures: Readonly<Record<string, string>> = {
  address: "failed",
  name: "the name of the host has no address",
  connection: "no answer: the connection failed",
  headers: "the answer is no HTTP, or its head is too long",
};

/**
 * Posts to an untrusted URL. Only the response status counts; the body is not read. Redirects are not followed: they
 * could lead elsewhere than the signed target. Rejects only if `signal` fires.
 */
export async function post(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  { timeoutMs, ...guards }: PostOptions,
  signal: AbortSignal,
): Promise<Outcome> {
  const deadline = new Deadline(timeoutMs, signal);
  let socket: Duplex | undefined;
  try {
    socket = await connectGuarded(url, guards, deadline.signal);
    const asked = { method: "POST", headers: { ...headers, "content-length": body.length }, body } as const;
    const response = await ask(url, socket, asked, deadline.signal);
    return outcomeOf(response.statusCode!);
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.signal.aborted) return failed(`no answer within ${timeoutMs / 1000} s`);
    if (error instanceof FetchError) return failed(failures[error.failure] ?? error.failure);
    throw error;
  } finally {
    socket?.destroy();
    deadline.clear();
  }
}

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return { status, failure: null };
  const isRedirect = status >= 300 && status < 400 && status !== 304;
  return {
    status,
    failure: isRedirect ? `status ${status}: redirects are not followed` : `status ${status}`,
  };
}

function failed(failure: string): Outcome {
  return { status: null, failure };
}

/** The header that has `signatureOf`. */
export const signatureHeader = "tonwire-signature";

/** The signature header: time in Unix seconds, and a signature of time and body with each secret. */
export function signatureOf(secrets: readonly string[], seconds: number, body: string): string {
  const signatures = secrets.map(
    (secret) => `v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`,
  );
  return [`t=${seconds}`, ...signatures].join(",");
}
