import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { keepAnswersOf } from "../../../server/devnet/fork/open-origin.js";
import { busyChainOfFile } from "../../helpers/chain/busy-chain-of-file.js";
import { TestWallet } from "../../helpers/chain/devnet.js";
import { liteserversOf, originFor } from "../../helpers/chain/fork-origin.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const busy = busyChainOfFile();

const wallet = new TestWallet("a").address;
const other = new TestWallet("b", "v4r2").address;

async function options(folder: string) {
  const { config } = await liteserversOf(busy.chain.api);
  return { kind: "liteservers", name: "the origin", config, folder } as const;
}

/** A folder with a fork of block 4 and the answers about two accounts. */
async function usedFolder(): Promise<string> {
  const folder = temporaryFolder();
  const origin = await originFor({ ...(await options(folder)), block: 4 });
  await origin.account(wallet);
  await origin.account(other);
  await origin.close();
  return folder;
}

function flip(path: string, at: (length: number) => number): void {
  const bytes = readFileSync(path);
  bytes[at(bytes.length)]! ^= 1;
  writeFileSync(path, bytes);
}

describe("the folder of a fork", () => {
  test("keeps the block of the fork", async () => {
    const again = await originFor(await options(await usedFolder()));
    expect(again.start.block.seqno).toBe(4);
    expect(again.known(wallet)).not.toBe("unknown");
  });

  test("is refused for a fork of another block", async () => {
    const folder = await usedFolder();
    await expect(originFor({ ...(await options(folder)), block: 5 })).rejects.toMatchObject({
      kind: "refused",
      message: expect.stringContaining(
        `${folder} belongs to a fork of the origin at block 4: name another folder`,
      ),
    });
  });

  test("is refused for a fork of another network", async () => {
    const folder = await usedFolder();
    await expect(originFor({ kind: "url", url: "http://127.0.0.1:1", folder })).rejects.toMatchObject({
      kind: "refused",
    });
  });

  test("stays that of its fork while the fork is read at other blocks, and loses only their answers", async () => {
    const folder = await usedFolder();
    const first = await originFor(await options(folder));
    const anew = await originFor({ ...(await options(folder)), block: 5 }, { start: "anew" });
    expect(anew.start.block.seqno).toBe(5);
    expect(anew.known(wallet)).toBe("unknown");
    await anew.account(wallet);
    await anew.close();
    const known = await originFor(await options(folder), { start: anew.start });
    expect(known.known(wallet)).not.toBe("unknown");
    expect(known.status().requests).toBe(0);
    const blocks = () => readdirSync(folder).flatMap((name) => /^answers-(\d+)-/.exec(name)?.[1] ?? []);
    expect(blocks().sort()).toEqual(["4", "5"]);
    await keepAnswersOf([first.start], folder);
    expect(blocks()).toEqual(["4"]);
    expect((await originFor(await options(folder))).known(wallet)).not.toBe("unknown");
  });

  test("is read anew where answers in it are damaged", async () => {
    const folder = await usedFolder();
    const file = readdirSync(folder).find((name) => name.startsWith("answers-4-"))!;
    flip(join(folder, file), (length) => length - 100);
    const again = await originFor(await options(folder));
    expect(again.known(wallet)).not.toBe("unknown");
    expect(again.known(other)).toBe("unknown");
    expect(await again.account(other)).toBeDefined();
    await again.close();
    expect((await originFor(await options(folder))).known(other)).not.toBe("unknown");
  });

  test("is begun anew if its start is damaged", async () => {
    const folder = await usedFolder();
    flip(join(folder, "start.kept"), () => 10);
    const { last } = await busy.chain.api.getMasterchainInfo();
    const again = await originFor(await options(folder));
    expect(again.start.block.seqno).toBe(last.seqno);
    expect(again.known(wallet)).toBe("unknown");
  });
});
