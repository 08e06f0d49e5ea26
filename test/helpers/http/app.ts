import type { Server } from "node:http";
import type { Access, Caller, Identity } from "../../../server/access/access.js";
import type { Spending } from "../../../server/access/limits/rate-limit.js";
import { noCounts } from "../../../server/access/usage/usage.js";
import { type AppDeps, createApp } from "../../../server/http/app.js";
import { systemClock } from "../../../server/http/clock.js";
import { createListener } from "../../../server/http/listener.js";
import { createClientErrorAnswer } from "../../../server/http/requests/client-error.js";
import { WebSocketEndpoint, type WebSocketLimits } from "../../../server/http/sockets/websocket.js";
import { utilHandlers } from "../../../server/methods/v2/utils.js";
import { Health } from "../../../server/observe/health.js";
import type { CallReport } from "../../../server/observe/log.js";
import type { AnswerBudget, AnswerLimits } from "../../../server/rpc/answers/answer-budget.js";
import { type AllImplementations, bind, type ContentRules, implement } from "../../../server/rpc/bind.js";
import { AnswerCache, type Head, noHead } from "../../../server/rpc/cache.js";
import { Dispatcher } from "../../../server/rpc/dispatch.js";
import { JsonRpc } from "../../../server/rpc/json-rpc/json-rpc.js";
import type { Definitions } from "../../../shared/methods/define.js";
import { rpcMethods } from "../../../shared/methods/rpc.js";
import { utilMethods } from "../../../shared/methods/v2/utils.js";
import { budgetWith } from "./answer-limits.js";

/** Methods that need no chain; enough for everything about transports. */
export const plainRegistry = { ...utilMethods, rpc: { ping: rpcMethods.ping } } satisfies Definitions;
export const plainImplementations: AllImplementations<typeof plainRegistry> = {
  ...implement(utilHandlers, undefined),
  rpc: { ping: () => "pong" },
};

export type TestAppOptions<Registry extends Definitions> = {
  registry: Registry;
  implementations: AllImplementations<Registry>;
  network?: string;
  /** How many of the requested points are granted; all unless given. */
  spend?: (points: number) => Spending;
  /** The caller of a request; any caller may change a devnet. */
  identify?: (identity: Identity) => Omit<Caller, "devnetRefusal">;
  chain?: Head;
  index?: Head;
  now?: () => number;
  callTimeoutMs?: number;
  maxBodyBytes?: number;
  maxBatch?: number;
  batchParallel?: number;
  /** Limits of answers that differ from the defaults. */
  answers?: Partial<AnswerLimits>;
  pages?: AppDeps["pages"];
  health?: Health;
  sockets?: Partial<WebSocketLimits>;
  /** Clock for the limits of connections. */
  monotonicNow?: () => number;
  onRevoked?: Access["onRevoked"];
  settle?: Access["settle"];
  gapsOfOutcome?: AppDeps["gapsOfOutcome"];
  isProxied?: Access["isProxied"];
  idleMs?: number;
  isKept?: boolean;
  contentRules?: Readonly<Record<string, ContentRules>>;
  viewOf?: (owner: string) => string | undefined;
};

export type TestApp = {
  readonly url: string;
  readonly reports: readonly CallReport[];
  readonly cacheReads: readonly string[];
  readonly rpc: JsonRpc;
  readonly dispatcher: Dispatcher;
  readonly budget: AnswerBudget;
  readonly methods: ReturnType<typeof bind>;
  readonly server: Server;
  ask(path: string, init?: RequestInit): Promise<TestAnswer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  close(drainMs?: number): Promise<void>;
};

export type TestAnswer = { status: number; headers: Headers; text: string; json: unknown };

/** The health of a process that answers everything. */
function readyHealth(): Health {
  const health = new Health();
  health.enter("ready");
  return health;
}

/** The HTTP interface over any registry on a free port of 127.0.0.1, without keys, chain and configuration. */
export async function startApp<Registry extends Definitions>(
  options: TestAppOptions<Registry>,
): Promise<TestApp> {
  const { now = () => 1_700_000_000_000, chain = noHead, index = noHead } = options;
  const reports: CallReport[] = [];
  const cacheReads: string[] = [];
  const methods = bind(
    options.registry,
    options.implementations,
    options.network ?? "testnet",
    options.contentRules,
  );
  const dispatcher = new Dispatcher({
    cache: new AnswerCache({ maxBytes: 1_000_000, chain, index }),
    callTimeoutMs: options.callTimeoutMs ?? 120_000,
    now,
    newRequestId: () => "request-1",
    report: (report) => reports.push(report),
    cacheRead: (outcome) => cacheReads.push(outcome),
    viewOf: options.viewOf,
  });
  const rpc = new JsonRpc({
    methods,
    dispatcher,
    maxBatch: options.maxBatch ?? 100,
    batchParallel: options.batchParallel,
  });
  const budget = budgetWith(options.answers);
  const shared = {
    rpc,
    budget,
    access: accessOf(options),
    health: options.health ?? readyHealth(),
    healthScope: "any" as const,
    log: { error: () => {} } as unknown as AppDeps["log"],
    version: "0.1.7",
    unknownParams: "refuse" as const,
  };
  const maxBodyBytes = options.maxBodyBytes ?? 1_048_576;
  const pages = options.pages && { pages: options.pages };
  const { monotonicNow, gapsOfOutcome } = options;
  const clock = monotonicNow && { monotonicNow };
  const handler = createApp({
    ...shared,
    methods,
    dispatcher,
    maxBodyBytes,
    isKept: options.isKept ?? false,
    ...clock,
    ...pages,
    ...(gapsOfOutcome && { gapsOfOutcome }),
  });
  const answerClientError = createClientErrorAnswer("0.1.7");
  const { idleMs = 0 } = options;
  const listener = createListener({ host: "127.0.0.1", port: 0, handler, answerClientError, idleMs });
  const webSockets = new WebSocketEndpoint(listener.server, {
    ...shared,
    metrics: { connections: () => {} },
    maxMessageBytes: maxBodyBytes,
    ...(options.sockets && { limits: options.sockets }),
    ...(monotonicNow && { clock: { ...systemClock, now: monotonicNow } }),
  });
  const url = await listener.listen();
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(url + path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
  };
  return {
    url,
    reports,
    cacheReads,
    rpc,
    dispatcher,
    budget,
    methods,
    server: listener.server,
    ask,
    post: (path, body, headers) =>
      ask(path, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    close: async (drainMs = 1000) => {
      await Promise.all([listener.close(drainMs), webSockets.close(drainMs)]);
    },
  };
}

const somebody = { id: "somebody", plan: { name: "unlimited", limit: undefined } };

function accessOf<R extends Definitions>(options: TestAppOptions<R>): Access {
  const { spend, settle, identify, onRevoked, isProxied } = options;
  return {
    reloadKeys: () => {},
    keysFailure: undefined,
    knowsKeys: true,
    usage: { read: async () => [], used: noCounts },
    monthUse: () => [],
    isProxied: isProxied ?? (() => false),
    planOf: () => undefined,
    identify: (identity) => ({ ...(identify?.(identity) ?? somebody), devnetRefusal: undefined }),
    spend: (_, points) => spend?.(points) ?? { granted: points, headers: {} },
    settle: (caller, points) => settle?.(caller, points),
    onRevoked: onRevoked ?? (() => () => {}),
    close: async () => {},
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
