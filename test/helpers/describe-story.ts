import { afterAll, beforeAll, describe, expect } from "vitest";
import type { z } from "zod";
import type { Devnet } from "../../server/devnet/devnet.js";
import { registry } from "../../shared/methods/registry.js";
import type { transactionList } from "../../shared/schema/v3-transactions.js";
import { type DatabaseKind, databaseKinds, type FreshDatabase } from "./databases.js";
import { indexAll } from "./index-chain.js";
import { type StoryApp, startStory, startStoryApp } from "./story-app.js";

export type Transactions = z.output<typeof transactionList>;
export type Transaction = Transactions["transactions"][number];
type Results = { [Name in keyof typeof registry.v3]: z.output<(typeof registry.v3)[Name]["result"]> };

/** Both interfaces over a devnet with a story and its index. Its members exist once the suite's hooks have run. */
export type StoryIndex = {
  /** The kind of database. */
  readonly kind: string;
  readonly devnet: Devnet;
  readonly app: StoryApp;
  readonly fresh: FreshDatabase;
  /** Every transaction that the index had when the suite started, newest first. */
  readonly all: readonly Transaction[];
  /** The answer of a v3 method, checked against the method's schema. */
  ask<Name extends keyof Results>(name: Name, query: string): Promise<Results[Name]>;
  /** Indexes the blocks that the devnet has made since. */
  catchUp(): Promise<void>;
};

/** A suite per kind of database, all over one devnet whose story is indexed; `open` opens another such database. */
export function describeStory(body: (story: StoryIndex, open: DatabaseKind[1]) => void): void {
  let devnet: Devnet;
  beforeAll(async () => {
    devnet = await startStory();
  });
  afterAll(() => devnet.close());

  describe.each(databaseKinds)("on %s", (kind, open) => {
    let fresh: FreshDatabase;
    let app: StoryApp;
    let all: readonly Transaction[];
    const catchUp = () => indexAll(fresh.database, devnet.api, { events: devnet.events });
    beforeAll(async () => {
      fresh = await open();
      await catchUp();
      app = await startStoryApp(devnet, fresh.database);
      all = (await ask("transactions", "limit=1000")).transactions;
    });
    afterAll(async () => {
      await app.close();
      await fresh.close();
    });

    async function ask<Name extends keyof Results>(name: Name, query: string): Promise<Results[Name]> {
      const answer = await app.v3(`${name}?${query}`);
      expect(registry.v3[name].result.parse(answer)).toEqual(answer);
      return answer as Results[Name];
    }

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
