import { ifJson } from "../../shared/values/json.js";
import { NamedError } from "../../shared/values/named-error.js";
import type { WebhookDelivery } from "../api.js";
import { parseSignature } from "./signature-header.js";

/** Why a request is no delivery of this webhook, or must not be taken any more. */
export type WebhookErrorCode =
  /** The header `Tonwire-Signature` is missing or malformed. */
  | "no-signature"
  /** No signature is of this body by one of the secrets. */
  | "wrong-signature"
  /** It was signed too long ago, or in the future: it may be a replay. */
  | "stale"
  /** It was signed with the secret, but the body is no delivery. */
  | "no-delivery";

/** A refused request: answer it with status 400, and ignore its content. */
export class WebhookError extends NamedError {
  static override readonly name = "WebhookError";
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

type HeaderValue = string | readonly string[] | undefined;

/** A request of a server that has no `Request`: its headers, and its body as it was received, not parsed. */
export type DeliveredRequest = {
  readonly headers: Readonly<Record<string, HeaderValue>> | Pick<Headers, "get">;
  readonly body: string | Uint8Array;
};

export type VerifyOptions = {
  /** How many seconds the time of the signature may be off. Default: 300. */
  readonly toleranceSec?: number;
  /** The present time in milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
};

const defaultToleranceSec = 300;
/** No service sends as long ones. */
const maxBytes = 64 * 1024 * 1024;

/**
 * The events of a request to a webhook, whose signature is checked: over the time and the body, in constant time. Several
 * secrets are taken while one replaces another. Rejects with a `WebhookError`.
 */
export async function verifyWebhook(
  request: Request | DeliveredRequest,
  secret: string | readonly string[],
  { toleranceSec = defaultToleranceSec, now = Date.now }: VerifyOptions = {},
): Promise<WebhookDelivery> {
  const signed = parseSignature(headerOf(request.headers));
  if (!signed) throw new WebhookError("no-signature", "the request has no valid Tonwire-Signature header");
  const body = await bodyOf(request);
  const content = joined(new TextEncoder().encode(`${signed.seconds}.`), body);
  const secrets = typeof secret === "string" ? [secret] : secret;
  if (!(await isSigned(content, signed.signatures, secrets)))
    throw new WebhookError("wrong-signature", "no signature of the request matches its body and the secret");
  if (!(Math.abs(now() / 1000 - signed.seconds) <= toleranceSec))
    throw new WebhookError("stale", `the request was not signed within ${toleranceSec} seconds`);
  return deliveryIn(new TextDecoder().decode(body));
}

function headerOf(headers: DeliveredRequest["headers"]): string | undefined {
  const name = "tonwire-signature";
  if (typeof headers.get === "function") return headers.get(name) ?? undefined;
  const entry = Object.entries(headers).find(([each]) => each.toLowerCase() === name);
  const value = entry?.[1] as HeaderValue;
  return typeof value === "string" ? value : value?.[0];
}

async function bodyOf(request: Request | DeliveredRequest): Promise<Uint8Array> {
  const body = "arrayBuffer" in request ? new Uint8Array(await request.arrayBuffer()) : request.body;
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  if (!(bytes instanceof Uint8Array))
    throw new TypeError("verifyWebhook needs the body as it was received, as text or bytes, not parsed");
  if (bytes.length > maxBytes) throw new WebhookError("no-delivery", "the body is too long");
  return bytes;
}

/** `verify` of WebCrypto compares in constant time. */
async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  secrets: readonly string[],
): Promise<boolean> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  for (const secret of secrets) {
    if (secret === "") throw new TypeError("verifyWebhook needs the secret of the webhook");
    const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, [
      "verify",
    ]);
    for (const signature of signatures)
      if (await crypto.subtle.verify("HMAC", key, signature, content)) return true;
  }
  return false;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

function deliveryIn(text: string): WebhookDelivery {
  const delivery = ifJson(text);
  // The signature vouches for the content: only its form is checked.
  if (
    typeof delivery === "object" &&
    delivery !== null &&
    Array.isArray((delivery as WebhookDelivery).events)
  )
    return delivery as WebhookDelivery;
  throw new WebhookError("no-delivery", "the body is signed, but it is no delivery of events");
}
