import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { nodeBag } from "../helpers/chain/node-bag.js";
import { stateAfter, topBlocks } from "../helpers/index/bootstraps.js";
import { startDevnetService } from "../helpers/services/devnet-service.js";
import { here } from "../helpers/services/role-processes.js";
import { describePostgres } from "../helpers/store/describe-databases.js";
import { copyStoryChain, startStoryDevnet } from "../helpers/stories/story-devnet.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

describePostgres("An index that begins at the head", (_fresh, server) => {
  test("gets the accounts of states, beside its writer", { timeout: 600_000 }, async () => {
    const folder = temporaryFolder();
    const [data, globalConfig] = [join(folder, "data"), join(folder, "devnet.json")];
    await copyStoryChain(data);
    const service = await startDevnetService({
      ...{ data, story: true, liteserverPort: 0, liteserverConfig: globalConfig },
    });
    onTestFinished(() => service.close());
    // The same chain, whose states are read here.
    const { api: chain, close } = await startStoryDevnet(() => {});
    const files: string[] = [];
    for (const id of await topBlocks(chain)) {
      const path = join(folder, `state_${id.workchain}.boc`);
      writeFileSync(path, nodeBag(await stateAfter(chain, id)));
      files.push(path);
    }
    const { last } = await chain.getMasterchainInfo();
    await close();
    await service.mine(3);

    const place = { databaseUrl: await server().database(), globalConfig };
    const index = await here.startIndex(place, "--from", String(last.seqno + 2));
    const api = await here.startApi(place);
    await until("the index", async () => (await api.lastSeqno()) === last.seqno + 3);
    const wallets = async () =>
      ((await api.ask("/api/v3/jetton/wallets"))[1] as { jetton_wallets?: unknown[] }).jetton_wallets ?? [];
    expect(await wallets()).toEqual([]);
    for (const file of files) {
      const bootstrap = here.launchBootstrap(place, file);
      expect([await bootstrap.ended, bootstrap.stderr]).toEqual([0, ""]);
      expect(bootstrap.stdout).toContain(`tonwire stores the accounts of ${file} in `);
      expect(bootstrap.stdout.trimEnd().split("\n").at(-1)).toBe("all accounts are stored");
      expect(existsSync(`${file}.tonwire`)).toBe(false);
    }
    await until("the wallets", async () => (await wallets()).length > 0);
    const seqno = last.seqno;
    for (const each of [index, api]) {
      await until("the states", async () => {
        const { gaps, states = [] } = (await each.status()).index!;
        return gaps.count === 1 && states.length === 2 && states.every(({ done }) => done);
      });
      expect((await each.status()).index).toMatchObject({
        history_from: seqno + 2,
        gaps: { count: 1, blocks: 1, ranges: [{ from: seqno + 1, to: seqno + 1 }] },
        states: [
          { workchain: -1, shard: "8000000000000000", mc_seqno: seqno, done: true },
          { workchain: 0, shard: "8000000000000000", mc_seqno: seqno, done: true },
        ],
      });
    }
    const { headers } = await fetch(`${api.url}/api/v3/jetton/wallets`);
    expect(headers.get("X-Index-Gaps")).toBe(String(seqno + 1));

    const [state] = files as [string];
    const refused = async (file: string, ...flags: string[]) => {
      const bootstrap = here.launchBootstrap(place, file, ...flags);
      return [await bootstrap.ended, bootstrap.stderr.trimEnd()];
    };
    const trust = ["--bootstrap-trust", "00".repeat(32)];
    expect(await refused(state, ...trust)).toEqual([
      1,
      expect.stringMatching(/^tonwire: the state has the root hash/),
    ]);
    expect(await refused(state, "--verify-proofs", "false")).toEqual([
      1,
      "tonwire: without proofs nothing shows that the state is of the chain: leave out --verify-proofs false, " +
        "or name the state's root hash with --bootstrap-trust",
    ]);
    const list = join(folder, "accounts.txt");
    writeFileSync(list, "no address\n");
    expect(await refused(list)).toEqual([1, `tonwire: ${list}:1: "no address" is not an address`]);
    expect(await refused(list, ...trust)).toEqual([
      1,
      `tonwire: ${list} is not a state: leave out --bootstrap-trust`,
    ]);
    expect(await refused(join(folder, "absent"))).toEqual([1, expect.stringContaining("ENOENT")]);
    writeFileSync(list, `0:${"f".repeat(64)}\n`);
    expect(await refused(list)).toEqual([0, ""]);
  });
});
