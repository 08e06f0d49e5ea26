import { inlined } from "../../../server/web/pages/inlined.js";
import { flatten } from "../../../shared/methods/define.js";
import { subscriptionMethods } from "../../../shared/methods/subscriptions.js";
import type { SharedOpenRpcDocument } from "../../../shared/rpc/open-rpc.js";
import { openSocket } from "../../helpers/http/socket.js";
import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { streamsReady } from "../../helpers/services/streams-ready.js";
import { startStoryService } from "../../helpers/stories/story-service.js";
import { type HostileCall, HostileCalls } from "./hostile-calls.js";

/** Calls of a batch; a service takes a hundred. */
const perBatch = 50;

/** Calls of these end with a connection, so they need one. */
const ofSockets: ReadonlySet<string> = new Set(flatten(subscriptionMethods).map(([name]) => name));

type Answer = { id: number; result?: unknown; error?: { message: string; data?: { kind?: string } } };

/** What became of hostile calls. */
type HostileTally = {
  readonly asked: ReadonlySet<string>;
  /** By kind of the error; those with a result are "ok". */
  readonly kinds: Readonly<Record<string, number>>;
  /** Calls that ended with an internal error, and what the log has of it. */
  readonly internal: readonly string[];
};

/** A service with the story, without a network. */
export async function startHostileService(): Promise<DevnetService> {
  const metadataNetwork = {
    resolve: async () => [],
    connect: () => Promise.reject(new Error("no network")),
  };
  const service = await startStoryService(undefined, { callTimeoutMs: 10_000 }, { metadataNetwork });
  await streamsReady(service);
  return service;
}

/** Calls every method of a service, again and again, at least so many times in all. */
export async function askHostilely(
  service: DevnetService,
  { seed, calls }: { seed: number; calls: number },
): Promise<HostileTally> {
  const made = new HostileCalls(
    inlined((await service.get("/openrpc.json")).json as SharedOpenRpcDocument),
    seed,
  );
  const [asked, kinds, internal] = [new Set<string>(), new Map<string, number>(), [] as string[]];
  for (let count = 0; count < calls; ) {
    const round = [...made.round()];
    count += round.length;
    const alone = round.filter(({ method }) => !ofSockets.has(method));
    for (let from = 0; from < alone.length; from += perBatch)
      await ask(alone.slice(from, from + perBatch), overHttp);
    await ask(
      round.filter(({ method }) => ofSockets.has(method)),
      overSocket,
    );
  }
  return { asked, kinds: Object.fromEntries(kinds), internal };

  async function ask(batch: readonly HostileCall[], send: typeof overHttp): Promise<void> {
    const logged = service.logLines.length;
    const answers = (await send(service, batchOf(batch))) as Answer[];
    if (answers.length !== batch.length)
      throw new Error(`a batch was answered with ${JSON.stringify(answers)}`);
    for (const { id, result, error } of answers) {
      const call = batch[id]!;
      asked.add(call.method);
      made.learn(result);
      const kind = error ? (error.data?.kind ?? "internal") : "ok";
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      if (kind === "internal")
        internal.push(`${textOf(call)}\n${failuresIn(service.logLines.slice(logged))}`);
    }
  }
}

const batchOf = (batch: readonly HostileCall[]) =>
  textOf(batch.map((call, id) => ({ jsonrpc: "2.0", id, ...call })));

async function overHttp(service: DevnetService, batch: string): Promise<unknown> {
  return (await service.post("/jsonRPC", batch)).json;
}

async function overSocket({ url, key }: DevnetService, batch: string): Promise<unknown> {
  const socket = await openSocket(url, { headers: { "X-API-Key": key } });
  socket.send(batch);
  try {
    // Events may come before the answer.
    for (;;) {
      const message = await socket.next();
      if (Array.isArray(message)) return message;
    }
  } finally {
    socket.close();
  }
}

function failuresIn(logLines: readonly string[]): string {
  return logLines.filter((line) => line.includes('"code":"internal"')).join("");
}

/** JSON with numbers of any size. */
function textOf(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map(textOf)}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  return `{${Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`)}}`;
}
