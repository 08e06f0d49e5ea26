import { isDeepStrictEqual } from "node:util";
import { describe, expect, it, test } from "vitest";
import { OperationsLog, type OperationsState } from "../../../server/process/service/operations-log.js";
import { isLong } from "../../helpers/effort.js";
import { devnetWithGateway, here } from "../../helpers/services/role-processes.js";
import { describeOwnPostgres } from "../../helpers/store/describe-databases.js";
import { mayStopPostgres } from "../../helpers/store/postgres.js";
import { until } from "../../helpers/until.js";

const { startApi, startIndex } = here;
const slow = { timeout: 600_000 };

type Index = NonNullable<OperationsState["index"]>;

function watch() {
  const lines: string[] = [];
  const tell = (level: string) => (text: string) => void lines.push(`${level} ${text}`);
  const log = new OperationsLog({ info: tell("info"), warn: tell("warn") } as never);
  const index = {
    role: "writer",
    isReadable: true,
    lagSec: 0,
    seqno: 7,
    chainSeqno: 7,
    isAnswered: true,
  };
  /** The lines logged for a state that lasts for some looks. */
  const look = (change: Partial<typeof index> & { usable?: number }, looks = 1) => {
    lines.length = 0;
    Object.assign(index, change);
    const { usable } = change;
    const state = { ...index, progress: index } as unknown as Index;
    const liteservers = usable === undefined ? undefined : { usable, all: 12 };
    for (let times = 0; times < looks; times++) log.look({ index: state, liteservers });
    return [...lines];
  };
  return { log, look };
}

describe("the log of operations", () => {
  it("reports who writes the index, who stands by, and who takes over", () => {
    const { log, look } = watch();
    log.look({ index: undefined });
    expect(look({ role: "standby", lagSec: 0 }, 4)).toEqual([]);
    expect(look({}, 3)).toEqual(["info this process stands by: another process writes the index"]);
    expect(look({ role: "writer" }, 3)).toEqual([
      "info this process has taken over and writes the index",
      "info the index has caught up with the chain at block 7",
    ]);
    expect(look({ role: "standby" }, 2)).toEqual([]);
    expect(look({ role: "writer" }, 2)).toEqual([]);
    expect(look({ role: "standby" }, 9)).toEqual([
      "info this process no longer writes the index: another process does, and this one stands by",
    ]);
    expect(watch().look({ role: "writer" })[0]).toBe("info this process writes the index");
    expect(watch().look({ role: "reader" }, 3)).toEqual([
      "info the index has caught up with the chain at block 7",
    ]);
  });

  it("reports once that the index has caught up, lags, and no longer lags", () => {
    const { look } = watch();
    expect(look({ role: "reader", lagSec: 5000, seqno: 3 }, 2)).toEqual([
      "info the index catches up: at block 3 it is 5000 s behind the chain",
    ]);
    expect(look({ lagSec: 60, seqno: 79, chainSeqno: 90 }, 2)).toEqual([]);
    expect(look({ seqno: 80 }, 2)).toEqual(["info the index has caught up with the chain at block 80"]);
    expect(look({ lagSec: 61, seqno: 81 }, 2)).toEqual([
      "warn the index lags: at block 81 it is 61 s behind the chain",
    ]);
    expect(look({ lagSec: 2, seqno: 88, chainSeqno: 99 }, 2)).toEqual([]);
    expect(look({ seqno: 99 }, 2)).toEqual(["info the index has caught up with the chain at block 99"]);
  });

  it("does not report that an index on a young chain has caught up, only because no block of it is old", () => {
    const { look } = watch();
    expect(look({ role: "reader", lagSec: 4, seqno: 34, chainSeqno: 66 }, 2)).toEqual([]);
    expect(look({ seqno: 66 }, 2)).toEqual(["info the index has caught up with the chain at block 66"]);
  });

  it("reports once that the database is lost and back, but not before the first connection", () => {
    const { look } = watch();
    expect(look({ role: "reader", isReadable: false }, 2)).toEqual([]);
    expect(look({ isReadable: true }, 2)).toEqual(["info the index has caught up with the chain at block 7"]);
    expect(look({ isReadable: false, isAnswered: false }, 2)).toEqual([
      "warn the database of the index is lost: calls that read it are refused with 503 until it is back",
    ]);
    expect(look({ isReadable: true }, 2)).toEqual(["info the database of the index is back"]);
    expect(look({ isReadable: false, isAnswered: true })).toEqual([
      "warn the database of the index is lost: standbys answer v3 until it is back",
    ]);
  });

  it("does not say that another process writes while nobody can", () => {
    const { look } = watch();
    look({ role: "writer" });
    expect(look({ isReadable: false, isAnswered: false })).toEqual([
      "warn the database of the index is lost: no block is stored, and calls that read it are refused with 503 until it is back",
    ]);
    expect(look({ role: "standby" }, 9)).toEqual([
      "warn this process no longer writes the index: its database is lost",
    ]);
    expect(look({ isReadable: true }, 9)).toEqual([
      "info the database of the index is back",
      "info this process stands by: another process writes the index",
    ]);
    look({ isReadable: false });
    look({ isReadable: true });
    expect(look({ role: "writer" })).toEqual(["info this process writes the index"]);
  });

  it("reports once that no liteserver can be used, and that one can again", () => {
    const { look } = watch();
    look({ role: "reader", usable: 3 });
    expect(look({ usable: 0 }, 2)).toEqual([
      "warn none of 12 liteservers can be used: calls that need the chain fail until one answers",
    ]);
    expect(look({ usable: 1 }, 2)).toEqual(["info liteservers can be used again: 1 of 12"]);
  });
});

const said = ({ process }: { process: { stderr: string } }, text: string) =>
  until(
    () => `"${text}" in the log:\n${process.stderr}`,
    () => process.stderr.includes(text),
  );

describeOwnPostgres("the log of processes whose server is stopped", (_fresh, server) => {
  test.runIf(mayStopPostgres && isLong)(
    "reports that database and chain are lost and back, without a stack, and answers follow",
    slow,
    async () => {
      const { devnet, globalConfig } = await devnetWithGateway();
      const place = { databaseUrl: await server().database(), globalConfig };
      const index = await startIndex(place);
      const api = await startApi(place);
      const both = [index, api];
      for (const each of both) await said(each, "the index has caught up with the chain at block");
      const seqno = await devnet.mine();
      await until("the index", async () => (await api.lastSeqno()) === seqno);
      await server().halt();
      const isAway = [503, { error: "database is not available" }];
      await until("the refusal", async () => isDeepStrictEqual(await api.ask("/api/v3/blocks"), isAway));
      await until("the reason", async () =>
        isDeepStrictEqual(await api.ask("/healthcheck?only=v3"), [503, "database is not available"]),
      );
      // The chain is read on.
      expect(await api.ask("/api/v2/getMasterchainInfo")).toMatchObject([
        200,
        { result: { last: { seqno } } },
      ]);
      await until("the indexer to notice", async () => (await index.health())[0] === 503);
      for (const each of both) await said(each, "calls that read it are refused with 503 until it is back");
      for (const each of both)
        await said(each, "the index waits and tries again: database is not available: ");
      const meanwhile = await devnet.mine();
      await server().run();
      for (const each of both) await said(each, "the database of the index is back");
      await until("the index", async () => (await api.lastSeqno()) === meanwhile);
      for (const { health } of both) await until("health", async () => (await health())[0] === 200);
      await until("the failure to be over", async () => (await index.status()).index?.failure === null);
      await devnet.close();
      for (const { health } of both)
        await until("the chain to be lost", async () => (await health())[0] === 503);
      expect((await api.ask("/api/v2/getMasterchainInfo"))[0]).toBe(503);
      await said(index, "the index waits and tries again: ");
      for (const { process } of both) expect(process.stderr).not.toContain('"stack"');
    },
  );
});
