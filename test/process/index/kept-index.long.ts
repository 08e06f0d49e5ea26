import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Config } from "../../../server/config/settings.js";
import { KeptFiles } from "../../../server/os/kept-files.js";
import { imageParts } from "../../../server/store/pglite/folder-image.js";
import { noFailure } from "../../helpers/no-fallback.js";
import { startService } from "../../helpers/services/service.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { until } from "../../helpers/until.js";

/** The story and an embedded database take seconds, or minutes on a loaded machine. */
const slow = { timeout: 900_000 };

/** Answers that no block without messages changes. */
const questions = [
  "transactions?limit=1000&sort=asc",
  "messages?limit=1000&sort=asc",
  "traces?limit=1000&sort=asc",
  "actions?limit=1000&sort=asc",
  "jetton/wallets?limit=1000",
  "nft/items?limit=1000",
  "nft/collections?limit=1000",
  "topAccountsByBalance?limit=1000",
];

type Block = { seqno: number };
type Environment = { edition?: string; settings?: Partial<Config> };

/** A service whose whole chain is indexed. The story takes long: where the content of the index makes no difference there is none. */
async function start(userFolder: string, { edition = "one", settings }: Environment = {}) {
  const service = await startService({ index: true, ...settings }, { userFolder, edition });
  onTestFinished(() => service.close());
  const read = async <Answer>(path: string) => (await service.get(path)).json as Answer;
  await until("the story", async () => {
    const { result } = (await service.rpc("devnet.info", {})) as { result: { story_told: boolean } };
    return result.story_told;
  });
  const seqno = async () => (await read<{ last?: Block }>("/api/v3/masterchainInfo")).last?.seqno;
  const chainSeqno = async () =>
    (await read<{ result: { last: Block } }>("/api/v2/getMasterchainInfo")).result.last.seqno;
  const isCaughtUp = async () => (await seqno()) === (await chainSeqno());
  await until("the index", isCaughtUp);
  const answers = async () => {
    const texts = questions.map(async (question) => (await service.get(`/api/v3/${question}`)).text);
    return Promise.all(texts);
  };
  const failures = () => service.logLines.filter((line) => line.includes("the index failed"));
  return { service, isCaughtUp, answers, failures };
}

function imagesIn(folder: string): string[] {
  const images = join(folder, "index");
  return existsSync(images) ? readdirSync(images).filter((name) => name.endsWith(".kept")) : [];
}

/** Starts a devnet, then another one with the same blocks: at the latest then there is an image. */
async function startTwice(folder: string, environment?: Environment) {
  const before = imagesIn(folder).length;
  const first = await start(folder, environment);
  await first.service.close();
  const second = await start(folder, environment);
  await until("the image", () => imagesIn(folder).length > before);
  return second;
}

it.each([{ story: false }, { story: true }])(
  "a devnet with the blocks of an earlier one has the index of these blocks, and goes on: %j",
  slow,
  async (settings) => {
    const folder = temporaryFolder();
    const before = await (await startTwice(folder, { settings })).answers();
    const { service, isCaughtUp, answers, failures } = await start(folder, { settings });
    expect(await answers()).toEqual(before);
    const filled = before.filter((text) => text.length > 200).length;
    expect(filled).toBeGreaterThanOrEqual(settings.story ? questions.length : 2);
    const address = `0:${"7".repeat(64)}`;
    await service.rpc("devnet.faucet", { address, amount: "5000000000" });
    await until("the new blocks", isCaughtUp);
    const { json } = await service.get(`/api/v3/transactions?account=${address}`);
    expect(json).toMatchObject({ transactions: [{ account: address, in_msg: { value: "5000000000" } }] });
    expect(failures()).toEqual([]);
  },
);

it("without an image that is a database the index is made anew", slow, async () => {
  const folder = temporaryFolder();
  const before = await (await startTwice(folder)).answers();
  const [name] = imagesIn(folder);
  const path = join(folder, "index", name!);
  const flipped = Uint8Array.from(readFileSync(path));
  flipped[flipped.length >> 1]! ^= 1;
  writeFileSync(path, flipped);
  const damaged = await start(folder);
  expect(await damaged.answers()).toEqual(before);
  expect(damaged.failures()).toEqual([]);
  await damaged.service.close();

  const content = Buffer.from("18\n");
  const noDatabase = imageParts([], [{ path: "PG_VERSION", length: content.length, read: () => content }]);
  const files = new KeptFiles(join(folder, "index"), 3, noFailure);
  await files.write(name!.replace(/\.kept$/, ""), noDatabase);
  const misled = await start(folder);
  expect(await misled.answers()).toEqual(before);
  expect(misled.failures()).toHaveLength(1);
});
