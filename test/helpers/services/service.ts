import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, configWith } from "../../../server/config/settings.js";
import { createService, type Environment } from "../../../server/process/service/service.js";

export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  /** The body, parsed; `undefined` when it is no JSON. */
  json: unknown;
};

export type AskOptions = {
  /** Another key than the service's own; `null` sends none. */
  key?: string | null;
  headers?: Readonly<Record<string, string>>;
  method?: string;
  /** Ends the connection of the request. */
  signal?: AbortSignal;
};

/** A service on a free port of 127.0.0.1, with ways to ask it. */
export interface TestService {
  readonly url: string;
  readonly adminUrl: string | undefined;
  /** Address and key of its liteserver. */
  readonly liteserver: string | undefined;
  /** A key without limits; `get`, `post` and `rpc` send it by default. */
  readonly key: string;
  /** Path of its key store. */
  readonly keysFile: string;
  /** Its log, line by line. */
  readonly logLines: readonly string[];
  get(path: string, options?: AskOptions): Promise<Answer>;
  /** Text and bytes are sent unchanged, anything else as JSON. */
  post(path: string, body: unknown, options?: AskOptions): Promise<Answer>;
  /** One strict JSON-RPC call; the answer is the whole object. */
  rpc(method: string, params?: unknown, options?: AskOptions): Promise<unknown>;
  /** Reads the operator's files again, as SIGHUP does. */
  reload(): void;
  close(): Promise<void>;
}

/**
 * Starts a whole service. Nothing outlives `close()`. By default the admin listener and the index are off, the devnet is
 * empty and makes no blocks by itself, and calls and emulations have a long timeout.
 */
export async function startService(
  settings: Partial<Config> = {},
  environment: Environment = {},
): Promise<TestService> {
  const folder = mkdtempSync(join(tmpdir(), "tonwire-service-"));
  const logLines: string[] = [];
  const key = "key-of-this-test";
  const config = configWith({
    port: 0,
    adminPort: 0,
    keysFile: join(folder, "keys.json"),
    devnetKey: key,
    story: false,
    mining: "manual",
    index: false,
    callTimeoutMs: 120_000,
    runTimeoutMs: 120_000,
    ...settings,
  });
  const logTo = { write: (line: string) => logLines.push(line) };
  const service = createService(config, {
    ...{ logTo, redisTimeoutMs: 60_000, emulationTimeoutMs: 600_000 },
    ...environment,
  });
  const close = async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const { url, adminUrl, liteserver } = await service.listen().catch(async (error) => {
    await close();
    throw error;
  });
  const post: TestService["post"] = (path, body, options = {}) => {
    const raw = typeof body === "string" || body instanceof Uint8Array;
    const headers = { "Content-Type": "application/json", ...options.headers };
    return ask(url + path, raw ? body : JSON.stringify(body), { method: "POST", key, ...options, headers });
  };
  return {
    url,
    adminUrl,
    liteserver,
    key,
    keysFile: config.keysFile!,
    logLines,
    get: (path, options) => ask(url + path, undefined, { key, ...options }),
    post,
    rpc: async (method, params, options) =>
      (await post("/jsonRPC", { jsonrpc: "2.0", id: 1, method, params }, options)).json,
    reload: () => service.reload(() => config),
    close,
  };
}

async function ask(
  url: string,
  body: string | Uint8Array | undefined,
  { key, headers, method = "GET", signal }: AskOptions,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    ...(signal && { signal }),
    headers: { ...(key != null && { "X-API-Key": key }), ...headers },
    ...(body !== undefined && { body: body as BodyInit }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
