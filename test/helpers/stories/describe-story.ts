import { afterAll, beforeAll, describe } from "vitest";
import type { z } from "zod";
import type { Devnet } from "../../../server/devnet/devnet.js";
import type { transactionList } from "../../../shared/schema/v3/transactions.js";
import { checked, type V3Path, type V3Result } from "../http/v3-results.js";
import { classifier } from "../index/classifier.js";
import { startDetection } from "../index/detection.js";
import { indexAll } from "../index/index-chain.js";
import { keptService } from "../services/kept-services.js";
import { type DatabaseKind, databaseKinds, type FreshDatabase } from "../store/databases.js";
import { sharedStory } from "./shared-story.js";
import { type StoryApp, startStory, startStoryApp } from "./story-app.js";
import { storyIndex } from "./story-index.js";

type Transactions = z.output<typeof transactionList>;
export type Transaction = Transactions["transactions"][number];

const everything = "transactions?limit=1000";

/** Both interfaces over a devnet with a story and its index. The members exist once the suite's hooks have run. */
type StoryReads = {
  readonly devnet: Devnet;
  readonly app: StoryApp;
  /** Every transaction that the index had when the suite started, newest first. */
  readonly all: readonly Transaction[];
  /** The answer of a v3 method, checked against the method's schema. */
  ask<Path extends V3Path>(path: Path, query: string): Promise<V3Result<Path>>;
};

/** The same of one suite, which may make blocks and change the index. */
export type StoryIndex = StoryReads & {
  /** The kind of database. */
  readonly kind: string;
  readonly fresh: FreshDatabase;
  /** Indexes the blocks that the devnet has made since. */
  catchUp(): Promise<void>;
};

type KeptStory = Pick<StoryReads, "devnet" | "app" | "all"> & { close(): Promise<void> };

/** As `describeStory`, for tests that only read: files of a worker share the devnet, the index and the interfaces. */
export function describeStoryReads(body: (story: StoryReads, open: DatabaseKind[1]) => void): void {
  describe.each(databaseKinds)("on %s", (kind, open) => {
    let kept: KeptStory;
    beforeAll(async () => {
      kept = await keptService(`story on ${kind}`, () => startKeptStory(open));
    });

    body(
      {
        get devnet() {
          return kept.devnet;
        },
        get app() {
          return kept.app;
        },
        get all() {
          return kept.all;
        },
        ask: async (path, query) => checked(path, await kept.app.v3(`${path}?${query}`)),
      },
      open,
    );
  });
}

async function startKeptStory(open: DatabaseKind[1]): Promise<KeptStory> {
  const devnet = await startStory();
  const contracts = await startDetection(devnet);
  const fresh = await open(storyIndex);
  const { api, events } = devnet;
  await indexAll(fresh.database, api, { events, detection: contracts.detection, classifier });
  const app = await startStoryApp(devnet, fresh.database);
  const { transactions: all } = await app.v3<Transactions>(everything);
  return {
    ...{ devnet, app, all },
    async close() {
      await app.close();
      await fresh.close();
      await contracts.close();
      await devnet.close();
    },
  };
}

/** A suite per kind of database, all over one devnet whose story is indexed; `open` opens another such database. */
export function describeStory(body: (story: StoryIndex, open: DatabaseKind[1]) => void): void {
  let devnet: Awaited<ReturnType<typeof sharedStory>>;
  beforeAll(async () => {
    devnet = await sharedStory();
  });
  afterAll(() => devnet.close());

  describe.each(databaseKinds)("on %s", (kind, open) => {
    let fresh: FreshDatabase;
    let app: StoryApp;
    let all: readonly Transaction[];
    const catchUp = () =>
      indexAll(fresh.database, devnet.api, {
        events: devnet.events,
        detection: devnet.detection,
        classifier,
      });
    beforeAll(async () => {
      fresh = await open(storyIndex);
      await catchUp();
      app = await startStoryApp(devnet, fresh.database);
      all = (await app.v3<Transactions>(everything)).transactions;
    });
    afterAll(async () => {
      await app.close();
      await fresh.close();
    });

    const ask = async <Path extends V3Path>(path: Path, query: string) =>
      checked(path, await app.v3(`${path}?${query}`));

    body(
      {
        kind,
        get devnet() {
          return devnet;
        },
        get app() {
          return app;
        },
        get fresh() {
          return fresh;
        },
        get all() {
          return all;
        },
        ask,
        catchUp,
      },
      open,
    );
  });
}

/** A page that includes its address book and metadata, and one so long that other statements read these. */
export async function ofBothLengths<Path extends V3Path>(
  story: StoryReads,
  path: Path,
  query: string,
): Promise<[short: V3Result<Path>, long: V3Result<Path>]> {
  return [await story.ask(path, `${query}&limit=100`), await story.ask(path, `${query}&limit=500`)];
}
