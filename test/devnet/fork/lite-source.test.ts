import { describe, expect, test } from "vitest";
import { type LiteApi, LiteError } from "../../../shared/ton/lite/lite-api.js";
import { readAccount } from "../../../shared/ton/proofs/read/account.js";
import { readConfig } from "../../../shared/ton/proofs/read/config.js";
import { readHeader } from "../../../shared/ton/proofs/read/header.js";
import { wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { encode } from "../../../shared/ton/tlb/codec.js";
import { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import { Address } from "../../../shared/values/address.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { busyChainOfFile } from "../../helpers/chain/busy-chain-of-file.js";
import { TestWallet } from "../../helpers/chain/devnet.js";
import { liteserversOf, originFor } from "../../helpers/chain/fork-origin.js";
import { ManualTimers } from "../../helpers/manual-timers.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { until } from "../../helpers/until.js";

const busy = busyChainOfFile();

const wallet = new TestWallet("a").address;
const nobody = new Address(0, new Uint8Array(32).fill(0x77));

async function blockAt(seqno: number) {
  const id = { workchain: -1, shard: wholeShard, seqno };
  return (await busy.chain.api.lookupBlock({ id, bySeqno: true })).id;
}

/** The chain's api with one method that a test answers itself. */
function changed(change: Partial<LiteApi>): LiteApi {
  return { ...busy.chain.api, ...change };
}

async function fork(api: LiteApi = busy.chain.api, more: { block?: number; folder?: string } = {}) {
  const { config, stop } = await liteserversOf(api);
  const origin = await originFor({ kind: "liteservers", name: "the origin", config, ...more });
  return { origin, stop };
}

describe("an origin over liteservers", () => {
  test("begins at the newest block, with its configuration, time and logical time", async () => {
    const { origin } = await fork();
    const { last } = await busy.chain.api.getMasterchainInfo();
    const { info, globalId } = await readHeader(busy.chain.api, last);
    const { root } = await readConfig(busy.chain.api, last);
    expect(origin.start).toMatchObject({ block: last, isProven: true, source: "the origin", globalId });
    expect(origin.start).toMatchObject({ utime: info.genUtime, lt: info.endLt });
    expect(bytesToHex(origin.start.config.hash())).toBe(bytesToHex(root.hash()));
  });

  test("has accounts as of an earlier block, their proofs, and absences", async () => {
    const block = await blockAt(3);
    const { origin } = await fork(busy.chain.api, { block: 3 });
    expect(origin.start.block).toEqual(block);
    const expected = await readAccount(busy.chain.api, block, wallet);
    expect(origin.known(wallet)).toBe("unknown");
    const found = await origin.account(wallet);
    expect(bytesToHex(found!.account.cell.hash())).toBe(bytesToHex(expected.cell!.hash()));
    expect(found).toMatchObject({
      lastTransLt: expected.lastTransaction.lt,
      lastTransHash: expected.lastTransaction.hash,
    });
    expect(origin.known(wallet)).toMatchObject({ account: found });
    expect(await origin.account(nobody)).toBeUndefined();
    expect(origin.known(nobody)).toMatchObject({ account: undefined });
    const account = { workchain: 0, id: wallet.hash };
    expect(await origin.accountProof(wallet)).toEqual(
      await busy.chain.api.getAccountState({ id: block, account, proof: true }),
    );
  });

  test("has libraries, and leaves out those that do not exist", async () => {
    const { origin } = await fork();
    const hashes = [new Uint8Array(32).fill(1), busy.chain.library!, busy.chain.library!];
    const first = await origin.libraries(hashes);
    expect(first.map((cell) => bytesToHex(cell.hash()))).toEqual([bytesToHex(busy.chain.library!)]);
    const { requests } = origin.status();
    expect(await origin.libraries(hashes)).toEqual(first);
    expect(origin.status().requests).toBe(requests);
  });

  test("has an account's earlier transactions", async () => {
    const { origin } = await fork();
    const { lastTransLt: lt, lastTransHash: hash } = (await origin.account(wallet))!;
    const found = await origin.transactions({ address: wallet, from: { lt, hash }, count: 3 });
    expect(found).toHaveLength(3);
    expect(bytesToHex(found[0]!.cell.hash())).toBe(bytesToHex(hash));
    expect(found[1]!.transaction.lt).toBe(found[0]!.transaction.prevTransLt);
    expect(
      await origin.transactions({ address: wallet, from: { lt: 0n, hash: new Uint8Array(32) }, count: 3 }),
    ).toEqual([]);
  });

  test("names the oldest block of which the liteservers have the state", async () => {
    const gone = () => Promise.reject(new LiteError(651, "state already gc'd"));
    const api = changed({
      getConfigAll: (request, call) =>
        request.id.seqno < 6 ? gone() : busy.chain.api.getConfigAll(request, call),
      getConfigParams: (request, call) =>
        request.id.seqno < 6 ? gone() : busy.chain.api.getConfigParams(request, call),
    });
    await expect(fork(api, { block: 3 })).rejects.toMatchObject({
      kind: "missing",
      message:
        "the liteservers of the origin no longer have the state of block 3; the oldest one they have is that of block 6",
    });
  });

  test("refuses a block that does not exist yet", async () => {
    const { last } = await busy.chain.api.getMasterchainInfo();
    await expect(fork(busy.chain.api, { block: last.seqno + 1 })).rejects.toMatchObject({
      kind: "missing",
      message: `the origin has no block ${last.seqno + 1} yet: its newest one is ${last.seqno}`,
    });
  });

  test("gives up if no liteserver can be used", async () => {
    const { config, stop } = await liteserversOf(busy.chain.api);
    await stop();
    const timers = new ManualTimers();
    let hasEnded = false;
    const opening = originFor({ kind: "liteservers", name: "the origin", config }, { timers });
    const end = () => {
      hasEnded = true;
    };
    opening.then(end, end);
    await until("the end", () => {
      timers.pass(1000);
      return hasEnded;
    });
    await expect(opening).rejects.toMatchObject({
      kind: "unavailable",
      message: "none of the 1 liteservers of the origin can be used; --fork-url forks over HTTP instead",
    });
  });

  test("refuses liteservers of another network", async () => {
    const { config } = await liteserversOf(busy.chain.api);
    const other = JSON.parse(config);
    other.validator.zero_state.root_hash = Buffer.alloc(32, 1).toString("base64");
    other.validator.init_block = other.validator.zero_state;
    const opening = originFor({ kind: "liteservers", name: "the origin", config: JSON.stringify(other) });
    await expect(opening).rejects.toMatchObject({
      kind: "untrusted",
      message: expect.stringContaining(
        "serve another network than the zero state of the global configuration",
      ),
    });
  });

  test("refuses an account that is not the proven one", async () => {
    const other = new TestWallet("b", "v4r2").address;
    const api = changed({
      getAccountState: async (request, call) => {
        const [own, lie] = await Promise.all([
          busy.chain.api.getAccountState(request, call),
          busy.chain.api.getAccountState({ ...request, account: { workchain: 0, id: other.hash } }, call),
        ]);
        return { ...own, state: lie.state };
      },
    });
    const { origin } = await fork(api);
    await expect(origin.account(wallet)).rejects.toMatchObject({ kind: "untrusted" });
    expect(origin.known(wallet)).toBe("unknown");
    expect(origin.status()).toMatchObject({ failures: 1, waiting: 0 });
    expect(origin.status().problem).toContain("wrong account state");
  });

  test("starts again without its liteservers, from its folder", async () => {
    const folder = temporaryFolder();
    const { config, stop } = await liteserversOf(busy.chain.api);
    const options = { kind: "liteservers", name: "the origin", config, folder } as const;
    const first = await originFor(options);
    const found = await first.account(wallet);
    await first.account(nobody);
    await first.libraries([busy.chain.library!]);
    const proof = await first.accountProof(wallet);
    await first.close();
    await stop();
    // No time passes: the first failures to connect end a request.
    const again = await originFor(options, { timers: new ManualTimers() });
    expect(again.start).toEqual({ ...first.start, config: expect.anything() });
    expect(bytesToHex(again.start.config.hash())).toBe(bytesToHex(first.start.config.hash()));
    expect(bytesToHex(encodedHash((await again.account(wallet))!))).toBe(bytesToHex(encodedHash(found!)));
    expect(await again.account(nobody)).toBeUndefined();
    expect(await again.libraries([busy.chain.library!])).toHaveLength(1);
    expect(await again.accountProof(wallet)).toEqual(proof);
    expect(again.status()).toMatchObject({ requests: 0, cached: 4 });
    await expect(again.account(new TestWallet("c").address)).rejects.toMatchObject({
      kind: "unavailable",
      message: "none of the 1 liteservers of the origin can be reached",
    });
  });
});

function encodedHash(account: ShardAccount) {
  return encode(ShardAccount, account).hash();
}
