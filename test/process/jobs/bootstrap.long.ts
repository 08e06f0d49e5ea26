import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { sha256 } from "../../../shared/ton/cells/sha256.js";
import { Account } from "../../../shared/ton/tlb/account.js";
import { encode } from "../../../shared/ton/tlb/codec.js";
import { noCurrencies } from "../../../shared/ton/tlb/currency-collection.js";
import { stateInitOf } from "../../../shared/ton/tlb/state-init.js";
import { Address } from "../../../shared/values/address.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { openGenesisAccounts } from "../../helpers/chain/genesis-accounts.js";
import { compile } from "../../helpers/contracts/tolk.js";
import { stateAfter, topBlocks } from "../../helpers/index/bootstraps.js";
import { writeLargeState } from "../../helpers/index/large-state.js";
import type { TonwireProcess } from "../../helpers/services/command.js";
import { devnetWithGateway, launchBootstrap, startIndex } from "../../helpers/services/role-processes.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { openPatiently } from "../../helpers/store/postgres.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { until } from "../../helpers/until.js";

const accounts = 200_000;
/** One of so many is a collection. */
const collectionEvery = 400;
/** Far below the memory that all cells would take, and above what the process takes with few of them. */
const maxMegabytes = 700;
const patience = { timeout: 3_600_000 };

/** Writes the state; returns its root hash. */
async function writeState(path: string): Promise<Uint8Array> {
  const plain = await compile("get fun answer(): int { return 42; }");
  const collection = await compile(`
    get fun get_collection_data(): (int, cell, slice) {
      return (contract.getData().beginParse().loadUint(32), beginCell().storeUint(0x0161, 16).endCell(),
        beginCell().storeUint(0, 2).endCell().beginParse());
    }`);
  const { api } = await openGenesisAccounts([]);
  const [basechain] = await topBlocks(api);
  const template = await stateAfter(api, basechain!);
  return writeLargeState(path, {
    accounts,
    template,
    account(number, id) {
      const filling = (part: number) =>
        Buffer.concat([1, 2, 3].map((k) => sha256(Buffer.of(part, k, ...id))));
      const below = beginCell().storeBytes(filling(1)).endCell();
      const data = beginCell().storeUint(number, 32).storeBytes(filling(2)).storeRef(below).endCell();
      const balance = BigInt(number);
      const init = stateInitOf(number % collectionEvery === 0 ? collection : plain, data);
      const value: Account = {
        addr: new Address(0, id),
        storageStat: {
          used: { cells: 9n, bits: 9n },
          storageExtra: { kind: "none" },
          lastPaid: 1_700_000_000,
          duePayment: undefined,
        },
        storage: {
          lastTransLt: 1001n + balance,
          balance: { ...noCurrencies, coins: balance },
          state: { kind: "active", init },
        },
      };
      return { cell: encode(Account, value), balance };
    },
  });
}

/** Memory of a process at its most, in megabytes; 0 where the system does not say. */
function peakOf({ pid }: TonwireProcess): number {
  const path = `/proc/${pid}/status`;
  const [, kilobytes] = (existsSync(path) && /VmHWM:\s+(\d+) kB/.exec(readFileSync(path, "utf8"))) || [];
  return Number(kilobytes ?? 0) / 1024;
}

describePostgres("A state of 200,000 accounts", (_fresh, server) => {
  test("is stored in bounded memory by a process that is killed again and again", patience, async () => {
    const folder = temporaryFolder();
    const path = join(folder, "state.boc");
    const hash = await writeState(path);
    const megabytes = statSync(path).size / 2 ** 20;
    expect(megabytes).toBeGreaterThan(60);
    const { devnet, globalConfig } = await devnetWithGateway();
    const last = await devnet.mine(3);
    const place = { databaseUrl: await server().database(), globalConfig };
    const index = await startIndex(place);
    const database = openPatiently(place.databaseUrl);
    onTestFinished(() => database.close());
    const sql = database.sql({ connections: 1 });
    const count = async (text: string) => {
      const [row] = await sql.query<{ n: bigint | null }>({ text, values: [] });
      return Number(row?.n ?? 0);
    };
    const reached = () => count("select max(accounts) as n from bootstrapped_states");
    const notes = join(`${path}.tonwire`, "state.boc.cells");
    const size = async () => (existsSync(notes) ? statSync(notes).size : 0);
    await until("the index", async () => (await index.status()).index?.seqno === last);

    let peak = 0;
    const run = () => launchBootstrap(place, path, "--bootstrap-trust", bytesToHex(hash));
    const runUntil = async (isThere: () => Promise<boolean>) => {
      const process = run();
      let hasEnded = false;
      void process.ended.then(() => (hasEnded = true));
      await until(
        () => `the next step of ${process.stdout}${process.stderr}`,
        async () => {
          peak = Math.max(peak, peakOf(process));
          return hasEnded || (await isThere());
        },
        1_800_000,
      );
      process.send("SIGKILL");
      return process.ended;
    };
    expect(await runUntil(async () => (await size()) > 0)).toBe("SIGKILL");
    expect(await runUntil(async () => (await size()) > 20 * 2 ** 20)).toBe("SIGKILL");
    let before = 0;
    for (const least of [1, 60_000, 120_000]) {
      expect(await runUntil(async () => (await reached()) >= Math.max(least, before + 1))).toBe("SIGKILL");
      const now = await reached();
      expect(now).toBeGreaterThan(before);
      before = now;
    }
    expect(before).toBeLessThan(accounts);
    expect(await runUntil(async () => false)).toBe(0);
    expect(await reached()).toBe(accounts);
    expect(await count("select count(*) as n from bootstrapped_states where done")).toBe(1);
    const own = "last_trans_hash is not null and timestamp = 1700000000";
    expect(await count(`select count(*) as n from latest_account_states where ${own}`)).toBe(accounts);
    const sum = (accounts * (accounts - 1)) / 2;
    expect(await count(`select sum(balance)::bigint as n from latest_account_states where ${own}`)).toBe(sum);
    expect(await count("select count(*) as n from nft_collections")).toBe(accounts / collectionEvery);
    expect(existsSync(`${path}.tonwire`)).toBe(false);
    console.log(`state of ${megabytes.toFixed(0)} MB, ${peak.toFixed(0)} MB of memory at most`);
    expect(peak).toBeLessThan(maxMegabytes);
  });
});
