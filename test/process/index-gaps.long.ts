import { expect, test } from "vitest";
import { tonwireHere } from "../helpers/services/command-here.js";
import { devnetWithGateway, here } from "../helpers/services/role-processes.js";
import { describeServers } from "../helpers/store/describe-databases.js";
import { until } from "../helpers/until.js";

const { startApi, startIndex } = here;

describeServers("An index that begins behind what a backfill fills in", (_fresh, server) => {
  test("shows its gap in every process, until a backfill closes it", { timeout: 600_000 }, async () => {
    const { devnet, globalConfig } = await devnetWithGateway();
    const head = await devnet.mine(30);
    const place = { databaseUrl: await server().database(), globalConfig };
    const index = await startIndex(place, "--from", "20");
    const api = await startApi(place);
    await until("the index", async () => (await api.lastSeqno()) === head);
    const none = { count: 0, blocks: 0, ranges: [] };
    expect((await api.status()).index?.gaps).toEqual(none);
    expect(await api.metrics()).toContain("\ntonwire_index_gaps 0\n");

    const { databaseUrl } = place;
    const backfill = (...blocks: string[]) =>
      tonwireHere(
        ["backfill", ...blocks, "--network", "devnet", "--admin-port", "0"].concat(
          ...["--database-url", databaseUrl, "--global-config", globalConfig],
        ),
      );
    const first = await backfill("--from", "1", "--to", "5");
    expect([first.code, first.stdout.trimEnd().split("\n").at(-1)]).toEqual([
      0,
      "the planned blocks are filled in, but blocks 6 to 19 are missing between others; " +
        "to fill them in: tonwire backfill --from 6 --to 19",
    ]);
    const gaps = { count: 1, blocks: 14, ranges: [{ from: 6, to: 19 }] };
    for (const each of [index, api]) {
      const known = async () => (await each.status()).index?.gaps;
      await until("the gap", async () => (await known())?.count === 1);
      expect(await known()).toEqual(gaps);
    }
    expect(await index.metrics()).toContain("\ntonwire_index_gap_blocks 14\n");
    expect(await api.metrics()).toContain("\ntonwire_index_gaps 1\n");
    expect(await api.ask("/api/v3/masterchainInfo")).toMatchObject([200, { first: { seqno: 20 }, gaps }]);
    const header = async (path: string) => (await fetch(api.url + path)).headers.get("X-Index-Gaps");
    expect(await header("/api/v3/blocks?limit=1000")).toBe("6-19");
    expect(await header("/api/v3/blocks?limit=2")).toBe(null);
    expect(await header("/api/v2/getMasterchainInfo")).toBe(null);

    const second = await backfill("--gaps");
    expect([second.code, second.stdout]).toEqual([0, expect.stringContaining("all blocks are filled in\n")]);
    await until("no gap", async () => (await api.status()).index?.gaps.count === 0);
    expect(await header("/api/v3/blocks?limit=1000")).toBe(null);
    const [, info] = await api.ask("/api/v3/masterchainInfo");
    expect(info).toMatchObject({ first: { seqno: 1 } });
    expect(info).not.toHaveProperty("gaps");
  });
});
