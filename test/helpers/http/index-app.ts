import { ArtifactStore } from "../../../server/artifacts/store.js";
import { RunSources } from "../../../server/methods/v3/run-sources.js";
import { v3Implementations } from "../../../server/methods/v3-methods.js";
import { gapsOfOutcome } from "../../../server/process/service/outcome-gaps.js";
import type { Database } from "../../../server/store/database.js";
import { type Gaps, noGaps, type PlacedGap } from "../../../server/store/queries/upkeep/index-gaps.js";
import { IndexReader, type SnapshotSource } from "../../../server/store/reads/index-reader.js";
import type { Layout } from "../../../server/store/reads/index-reads.js";
import { registry } from "../../../shared/methods/registry.js";
import { emulateMethods } from "../../../shared/methods/v3/emulate.js";
import { legacyMethods } from "../../../shared/methods/v3/legacy.js";
import { messageStatusMethods } from "../../../shared/methods/v3/message-status.js";
import { pendingMethods } from "../../../shared/methods/v3/pending.js";
import { supplyMethods } from "../../../shared/methods/v3/supply.js";
import { startApp, type TestApp, type TestAppOptions } from "./app.js";

const ofMore = {
  ...pendingMethods,
  ...emulateMethods,
  ...legacyMethods,
  ...supplyMethods,
  ...messageStatusMethods,
  acton: registry.v3.acton,
  webhooks: registry.v3.webhooks,
};
type OfIndex = Omit<typeof registry.v3, keyof typeof ofMore>;

/** The methods that need an index and nothing else. */
export const indexRegistry = {
  v3: Object.fromEntries(Object.entries(registry.v3).filter(([name]) => !(name in ofMore))) as OfIndex,
};

export type IndexApp = TestApp & {
  /** Status and body of a GET below /api/v3/. */
  get<T = unknown>(pathAndQuery: string): Promise<[status: number, body: T]>;
  /** The body of a GET; fails the test when it is an error. */
  result<T = unknown>(pathAndQuery: string): Promise<T>;
};

type IndexAppOptions = {
  testOnly?: boolean;
  timeoutMs?: number;
  /** Source of answers; by default a pool of the database. */
  answers?: SnapshotSource;
  /** The layout of the database, if it is not ours. */
  layout?: Layout;
  /** The gaps of the index; none by default. */
  gaps?: () => Gaps<PlacedGap>;
  /** ABIs of contracts; none by default. */
  artifacts?: ArtifactStore;
  identify?: NonNullable<TestAppOptions<never>["identify"]>;
};

/**
 * The HTTP interface over an index; without a database every read answers 503. The default timeout is long enough for a
 * slow machine.
 */
export async function startIndexApp(
  database: Database | undefined,
  {
    testOnly = false,
    timeoutMs = 120_000,
    answers,
    layout,
    gaps = () => noGaps,
    artifacts = new ArtifactStore(),
    ...appOptions
  }: IndexAppOptions = {},
): Promise<IndexApp> {
  const index = new IndexReader({ maxMs: timeoutMs });
  if (database) index.connect(answers ?? database.sql({ statementTimeoutMs: timeoutMs }), layout);
  const deps = {
    index,
    book: { testOnly, artifacts },
    indexGaps: gaps,
    artifacts,
    runSources: new RunSources(),
  };
  // The registry has no other methods, so nothing reads what those need.
  const v3 = v3Implementations(deps as unknown as Parameters<typeof v3Implementations>[0]);
  const app = await startApp({
    registry: indexRegistry,
    implementations: { v3 },
    callTimeoutMs: 120_000,
    viewOf: (owner) => artifacts.viewOf(owner),
    gapsOfOutcome: (outcome) => gapsOfOutcome(gaps(), outcome),
    ...appOptions,
  });
  const get: IndexApp["get"] = async <T>(path: string) => {
    const { status, json } = await app.ask(`/api/v3/${path}`);
    return [status, json as T];
  };
  return {
    ...app,
    get,
    async result<T>(path: string) {
      const [status, body] = await get<T>(path);
      if (status !== 200) throw new Error(`${path} is answered with ${JSON.stringify(body)}`);
      return body;
    },
  };
}
