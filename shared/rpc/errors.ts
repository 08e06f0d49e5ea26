/** Whether a retry can help: no; yes, after `Retry-After` if given; or only in smaller parts. */
type Retry = "no" | "yes" | "split";

/** The closed list of error codes, shared by the server, its documents and the client. */
export type ErrorCode =
  | "parse-error"
  | "invalid-request"
  | "unknown-method"
  | "invalid-params"
  | "unknown-route"
  | "wrong-verb"
  | "too-large"
  | "wrong-media-type"
  | "unknown-key"
  | "wrong-network"
  | "forbidden"
  | "rate-limited"
  | "quota-exceeded"
  | "bad-boc"
  | "absent"
  | "cursor-too-old"
  | "not-a-token"
  | "conflict"
  | "liteserver-error"
  | "message-rejected"
  | "stack-too-deep"
  | "timeout"
  | "unavailable"
  | "internal";

/** How an error code appears in the dialects of the API. */
type ErrorRow = {
  /** HTTP status of REST and of TON Center's JSON-RPC dialect; `data.code` of the strict dialect. */
  readonly http: number;
  /** `error.code` of the strict dialect. */
  readonly jsonRpc: number;
  /** Whether a repeated call may succeed. */
  readonly retry: Retry;
  /** Seconds to wait before a retry, unless an error has its own: `Retry-After`, and `data.retry_after` in the strict dialect. */
  readonly retryAfterSec?: number;
  /** Default message, for errors without a text. */
  readonly text: string;
  /** Message in the strict dialect where JSON-RPC 2.0 prescribes one; the text is then in `data.reason`. */
  readonly strictText?: string;
  /** Status and text in v3, where they differ. */
  readonly v3?: { readonly http?: number; readonly text: string };
};

/** Statuses and texts of every error code. TON Center's clients match some of the texts: do not change those. */
export const errorTable: Readonly<Record<ErrorCode, ErrorRow>> = {
  "parse-error": {
    http: 422,
    jsonRpc: -32700,
    retry: "no",
    text: "failed to parse post request: invalid JSON",
    strictText: "Parse error",
  },
  "invalid-request": {
    http: 422,
    jsonRpc: -32600,
    retry: "no",
    text: "invalid request",
    strictText: "Invalid Request",
  },
  "unknown-method": {
    http: 422,
    jsonRpc: -32601,
    retry: "no",
    text: "Unknown method",
    strictText: "Method not found",
  },
  "invalid-params": { http: 422, jsonRpc: -32602, retry: "no", text: "invalid parameters" },
  "unknown-route": { http: 404, jsonRpc: -32600, retry: "no", text: "Not Found" },
  "wrong-verb": { http: 405, jsonRpc: -32600, retry: "no", text: "Method Not Allowed" },
  // A request, or an answer without room: then the text advises to page.
  "too-large": { http: 413, jsonRpc: -32600, retry: "split", text: "request is too large" },
  "wrong-media-type": {
    http: 415,
    jsonRpc: -32600,
    retry: "no",
    text: "unsupported content type",
    v3: { http: 422, text: "Unprocessable Entity" },
  },
  "unknown-key": { http: 401, jsonRpc: -32000, retry: "no", text: "API key does not exist" },
  "wrong-network": { http: 403, jsonRpc: -32000, retry: "no", text: "Network not allowed" },
  forbidden: { http: 403, jsonRpc: -32000, retry: "no", text: "an API key is required" },
  "rate-limited": { http: 429, jsonRpc: -32000, retry: "yes", text: "Ratelimit exceeded" },
  // `retry_after` is the time until the next month, for which no call waits.
  "quota-exceeded": {
    http: 429,
    jsonRpc: -32000,
    retry: "no",
    text: "the monthly quota of this API key is used up",
  },
  "bad-boc": { http: 400, jsonRpc: -32000, retry: "no", text: "INVALID_BAG_OF_CELLS" },
  absent: { http: 404, jsonRpc: -32000, retry: "no", text: "transaction was not found" },
  "cursor-too-old": { http: 410, jsonRpc: -32000, retry: "no", text: "the index begins after the cursor" },
  "not-a-token": {
    http: 409,
    jsonRpc: -32000,
    retry: "no",
    text: "Smart contract is not Jetton or NFT",
    v3: { text: "not a wallet" },
  },
  conflict: { http: 409, jsonRpc: -32000, retry: "no", text: "not possible in the present state" },
  // Whether a retry can help depends on the liteserver's own code: only 651 and 652 in `data.liteserver_code`.
  "liteserver-error": { http: 500, jsonRpc: -32000, retry: "no", text: "LITE_SERVER_UNKNOWN" },
  "message-rejected": { http: 500, jsonRpc: -32000, retry: "no", text: "LITE_SERVER_UNKNOWN" },
  "stack-too-deep": { http: 533, jsonRpc: -32000, retry: "no", text: "Result stack depth >= 256" },
  timeout: {
    http: 504,
    jsonRpc: -32000,
    retry: "yes",
    retryAfterSec: 1,
    text: "Liteserver timeout",
    v3: { http: 500, text: "query timeout" },
  },
  unavailable: {
    http: 503,
    jsonRpc: -32000,
    retry: "yes",
    retryAfterSec: 1,
    text: "No working liteservers",
    v3: { text: "database is not available" },
  },
  internal: {
    http: 500,
    jsonRpc: -32603,
    retry: "no",
    text: "Internal error",
    v3: { text: "internal server error" },
  },
};
