import { afterAll, beforeAll, describe } from "vitest";
import type { Config } from "../../../server/config/settings.js";
import type { Devnet } from "../../../server/devnet/devnet.js";
import type { Database } from "../../../server/store/database.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import type { Address } from "../../../shared/values/address.js";
import { compile } from "../contracts/tolk.js";
import { checked, type V3Path, type V3Result } from "../http/v3-results.js";
import { type DatabaseKind, databaseKinds, type FreshDatabase } from "../store/databases.js";
import { sharedDevnet } from "../stories/shared-story.js";
import { type StoryApp, startStoryApp } from "../stories/story-app.js";
import { type DetectedDevnet, idOf, place, startDetectedDevnet } from "./detection.js";
import { indexAll } from "./index-chain.js";

/** A devnet with nothing but what tests place on it, and its index. Its members exist once the suite's hooks have run. */
type PlacedIndex = {
  readonly devnet: Devnet;
  readonly database: Database;
  readonly app: StoryApp;
  /** Puts a contract, written in Tolk, at an address; or changes its data only. */
  place(address: Address, contract: { code?: string; data?: Cell }): Promise<void>;
  /** Indexes the chain up to its end, also after blocks were taken back. */
  catchUp(): Promise<void>;
  /** The answer of a v3 method, checked against the method's schema. */
  ask<Path extends V3Path>(path: Path, query: string): Promise<V3Result<Path>>;
  /** Status and error of a GET of v3. */
  refusal(pathAndQuery: string): Promise<[status: number, error: string]>;
  /** The answer to a JSON-RPC call. */
  call(method: string, params: object): Promise<unknown>;
};

type Options = { settings?: Partial<Config>; kinds?: readonly DatabaseKind[] };

/** A suite per kind of database, each over an empty devnet indexed with these settings. */
export function describeContracts(
  body: (index: PlacedIndex) => void,
  { settings = {}, kinds = databaseKinds }: Options = {},
): void {
  describe.each(kinds)("on %s", (_, open) => {
    let devnet: DetectedDevnet;
    let close: () => Promise<void>;
    let fresh: FreshDatabase;
    let app: StoryApp;
    beforeAll(async () => {
      if (Object.keys(settings).length > 0) ({ devnet, close } = await startDetectedDevnet(settings));
      else {
        devnet = await sharedDevnet();
        close = devnet.close;
      }
      fresh = await open();
      app = await startStoryApp(devnet, fresh.database);
    });
    afterAll(async () => {
      await app.close();
      await fresh.close();
      await close();
    });

    body({
      get devnet() {
        return devnet;
      },
      get database() {
        return fresh.database;
      },
      get app() {
        return app;
      },
      async place(address, { code, data = Cell.empty }) {
        if (code !== undefined) await place(devnet, address, await compile(code), data);
        else await devnet.controls.setData(idOf(address), serializeBoc(data));
      },
      catchUp() {
        const { api, events, detection } = devnet;
        return indexAll(fresh.database, api, { events, detection, mayRevert: true });
      },
      ask: async <Path extends V3Path>(path: Path, query: string) =>
        checked(path, await app.v3(`${path}?${query}`)) as V3Result<Path>,
      async refusal(path) {
        const { status, json } = await app.ask(`/api/v3/${path}`);
        return [status, (json as { error: string }).error];
      },
      async call(method, params) {
        return (await app.post("/jsonRPC", { jsonrpc: "2.0", id: 1, method, params })).json;
      },
    });
  });
}
