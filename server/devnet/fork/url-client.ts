import { z } from "zod";
import { ifJson } from "../../../shared/values/json.js";
import { OversizedError, textWithin } from "../../os/fetch-text.js";
import { hasCredentials } from "../../os/public-address.js";
import { OriginError } from "./origin.js";
import type { Attempt } from "./origin-source.js";

/** The largest account has 65,536 cells, which is 12 MB in base64. */
const maxBytes = 24 * 1024 * 1024;
const maxTextLength = 300;

/** An answer of TON Center's dialect, or of strict JSON-RPC 2.0. */
const reply = z.object({
  result: z.unknown().optional(),
  error: z
    .union([
      z.string(),
      z.object({
        message: z.string(),
        code: z.number().optional().catch(undefined),
        data: z
          .object({ code: z.number().optional(), retry_after: z.number().optional() })
          .partial()
          .optional()
          .catch(undefined),
      }),
    ])
    .optional(),
  code: z.number().optional(),
});
type Reply = z.output<typeof reply>;

/** Calls of a service that offers TON Center's API v2, and perhaps its API v3. */
export class UrlClient {
  /** Host of the service; URLs may contain keys. */
  readonly host: string;
  /** The endpoint without anything secret. */
  readonly endpoint: string;
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** `url`: with or without `/jsonRPC` at its end. A user and a password in it are sent in a header. */
  constructor(url: string, key: string | undefined) {
    const parsed = new URL(url);
    this.#headers = {
      "content-type": "application/json",
      ...(key !== undefined && { "x-api-key": key }),
      ...(hasCredentials(parsed) && { authorization: basicOf(parsed) }),
    };
    // `fetch` refuses URLs with a password, and repeats them in its error.
    parsed.username = "";
    parsed.password = "";
    if (!parsed.pathname.endsWith("/jsonRPC"))
      parsed.pathname = `${parsed.pathname.replace(/\/$/, "")}/jsonRPC`;
    this.host = parsed.host;
    this.endpoint = parsed.origin + parsed.pathname;
    this.#url = parsed.href;
  }

  /** The result of a call, unchecked. */
  async call<T>(
    method: string,
    { params, as, attempt }: { params: object; as: z.ZodType<T>; attempt: Attempt },
  ): Promise<T> {
    const { status, retryAfterMs, body } = await this.#post(method, params, attempt);
    const parsed = reply.safeParse(body);
    if (!parsed.success) throw this.#failure(method, { code: status, retryAfterMs, text: `HTTP ${status}` });
    const { data } = parsed;
    if (data.error !== undefined || data.result === undefined || status >= 400)
      throw this.#failure(method, {
        code: codeOf(data, status),
        retryAfterMs: retryAfterIn(data) ?? retryAfterMs,
        text: textOf(data) ?? `HTTP ${status}`,
      });
    const result = as.safeParse(data.result);
    if (result.success) return result.data;
    throw new OriginError("untrusted", `${this.host}: ${method} has an invalid result`, {
      cause: result.error,
    });
  }

  /** A list of the service's API v3; undefined if it has no such API, whose failures say nothing about v2. */
  async list<T>(
    path: string,
    { query, as, attempt }: { query: Record<string, string>; as: z.ZodType<T>; attempt: Attempt },
  ): Promise<T | undefined> {
    const url = new URL(this.#url);
    url.pathname = `${url.pathname.replace(/(\/api\/v2)?\/jsonRPC$/, "")}/api/v3/${path}`;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const { status, retryAfterMs, body } = await this.#send(url.href, { headers: this.#headers }, attempt);
    if (unknownCodes.has(status)) return undefined;
    const result = as.safeParse(body);
    if (status === 200 && result.success) return result.data;
    const reason = status === 200 ? "an invalid result" : `status ${status}`;
    const kind = limitingCodes.has(status) ? "unavailable" : "refused";
    throw new OriginError(kind, `${this.host}: ${path} has ${reason}`, { retryAfterMs, cause: result.error });
  }

  #post(method: string, params: object, attempt: Attempt) {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    return this.#send(this.#url, { method: "POST", headers: this.#headers, body }, attempt);
  }

  async #send(url: string, request: RequestInit, { signal }: Attempt) {
    try {
      // Another host would be sent the key.
      const response = await fetch(url, { ...request, redirect: "error", signal });
      const text = await textWithin(maxBytes, response);
      const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
      const retryAfterMs = Number.isFinite(seconds) ? 1000 * seconds : undefined;
      return { status: response.status, retryAfterMs, body: ifJson(text) };
    } catch (error) {
      if (error instanceof OversizedError)
        throw new OriginError("untrusted", `${this.host}: an answer is larger than ${maxBytes} bytes`);
      const { cause, message } = error as Error;
      const reason = cause instanceof Error && cause.message ? cause.message : message;
      throw new OriginError("unavailable", `${this.host} cannot be reached: ${reason}`, { cause: error });
    }
  }

  #failure(method: string, { code, text, retryAfterMs }: Failure): OriginError {
    const message = `${this.host}: ${method}: ${text.slice(0, maxTextLength)}`;
    if (code === undefined || unknownCodes.has(code))
      return new OriginError("refused", message, { refusal: "unknown" });
    const isLimited = limitingCodes.has(code);
    const isFinal = code >= 400 && code < 500 && !isLimited;
    const refusal = isLimited || gatewayCodes.has(code) ? "limited" : "failed";
    return new OriginError(isFinal ? "refused" : "unavailable", message, { retryAfterMs, refusal });
  }
}

/** The header of HTTP's basic authentication. */
function basicOf({ username, password }: URL): string {
  return `Basic ${Buffer.from(`${percentDecoded(username)}:${percentDecoded(password)}`).toString("base64")}`;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    // A `%` begins no code: the text is used as it is.
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** `code`: undefined if the service gives none, as earlier versions of TON Center for an unknown method. */
type Failure = { code: number | undefined; text: string; retryAfterMs: number | undefined };

/** Codes of JSON-RPC and HTTP for a method that a service does not have. */
const unknownCodes: ReadonlySet<number> = new Set([-32601, 404, 405]);
const limitingCodes: ReadonlySet<number> = new Set([408, 429]);
const gatewayCodes: ReadonlySet<number> = new Set([502, 503, 504]);

/** The strict dialect answers with status 200, and has the status of REST in its data. */
function codeOf({ error, code }: Reply, status: number): number | undefined {
  const inner = typeof error === "object" ? (error.data?.code ?? error.code) : code;
  return inner ?? (status === 200 ? undefined : status);
}

function retryAfterIn({ error }: Reply): number | undefined {
  const seconds = typeof error === "object" ? error.data?.retry_after : undefined;
  return seconds === undefined ? undefined : 1000 * seconds;
}

/** Texts of a service are shown to users, so control characters are removed. */
function textOf({ error, result }: Reply): string | undefined {
  const text = typeof error === "object" ? error.message : (error ?? result);
  return typeof text === "string" ? text.replace(/\p{Cc}/gu, " ") : undefined;
}
