import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Devnet } from "../../../server/devnet/devnet.js";
import { FirstCatchUp } from "../../../server/process/index/first-catch-up.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { Listeners } from "../../../shared/values/listeners.js";
import { isLong } from "../../helpers/effort.js";
import { type DevnetService, startDevnetService } from "../../helpers/services/devnet-service.js";
import { storyEnd } from "../../helpers/stories/story.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const block = (seqno: number) => ({ seqno }) as BlockIdExt;

describe("the index of a devnet that has started", () => {
  /** A devnet whose story ends on the test's command. */
  function begin() {
    const reverted = new Listeners<number>();
    const head = { last: block(3) };
    let tell: (last: BlockIdExt) => void = () => {};
    const end = new Promise<BlockIdExt>((resolve) => {
      tell = resolve;
    });
    let done = 0;
    const devnet = {
      beginning: { end: () => end },
      events: { onReverted: (listener: (seqno: number) => void) => reverted.add(listener) },
    };
    const catchUp = new FirstCatchUp(devnet as unknown as Devnet, head, () => done++);
    const told = async (seqno: number) => {
      tell(block(seqno));
      await end;
    };
    return { catchUp, head, told, revert: (seqno: number) => reverted.notify(seqno), timesDone: () => done };
  }

  it("has caught up when it has the last block of the story, and stays so", async () => {
    const { catchUp, head, told, timesDone } = begin();
    catchUp.stored(3);
    expect(catchUp.lack).toBe("The index is catching up with the devnet: block 3 of 3 so far");
    head.last = block(30);
    await told(31);
    expect(catchUp.lack).toBe("The index is catching up with the devnet: block 3 of 31");
    catchUp.stored(30);
    catchUp.stored(29);
    expect(catchUp.lack).toBe("The index is catching up with the devnet: block 30 of 31");
    catchUp.stored(31);
    catchUp.stored(32);
    expect([catchUp.lack, timesDone()]).toEqual([undefined, 1]);
  });

  it("has caught up at once when it has all blocks already", async () => {
    const { catchUp, told, timesDone } = begin();
    catchUp.stored(31);
    expect(timesDone()).toBe(0);
    await told(31);
    expect([catchUp.lack, timesDone()]).toEqual([undefined, 1]);
  });

  it("does not wait for blocks that were reverted", async () => {
    const { catchUp, told, revert } = begin();
    await told(31);
    catchUp.stored(20);
    revert(10);
    expect(catchUp.lack).toBeUndefined();
    const second = begin();
    await second.told(31);
    second.revert(10);
    expect(second.catchUp.lack).toBe("The index is catching up with the devnet: block 0 of 10");
  });
});

/** The story and an embedded database take seconds, or minutes on a loaded machine. */
describe("answers of v3 right after the start of a devnet", { timeout: 600_000 }, () => {
  const refusal = /^The index is catching up with the devnet: block \d+ of \d+( so far)?$/;

  async function start(data: string, callTimeoutMs?: number): Promise<DevnetService> {
    const limit = callTimeoutMs === undefined ? {} : { callTimeoutMs };
    const service = await startDevnetService({ data, story: true, index: true, ...limit });
    onTestFinished(() => service.close());
    return service;
  }
  const seqnoOf = (json: unknown) => (json as { last: { seqno: number } }).last.seqno;

  it.runIf(isLong)("have the whole story, also after the index was removed", async () => {
    const data = temporaryFolder();
    const first = await start(data);
    const { status, json } = await first.get("/api/v3/masterchainInfo");
    expect(status).toBe(200);
    const last = seqnoOf(json);
    expect(last).toBeGreaterThanOrEqual(await storyEnd());
    const { text } = await first.get("/api/v3/transactions?limit=1000");
    await first.close();
    rmSync(join(data, "index"), { recursive: true });
    const second = await start(data);
    expect((await second.get("/api/v3/transactions?limit=1000")).text).toBe(text);
    expect(seqnoOf((await second.get("/api/v3/masterchainInfo")).json)).toBe(last);
    expect((await second.get("/healthcheck?only=all")).text).toBe("OK");
  });

  it.runIf(isLong)("are 503 with the progress if the deadline of the call comes first", async () => {
    const service = await start(temporaryFolder(), 1000);
    const end = await storyEnd();
    for (;;) {
      const health = await service.get("/healthcheck?only=all");
      const { status, json, headers } = await service.get("/api/v3/masterchainInfo");
      if (status === 200) {
        expect(seqnoOf(json)).toBeGreaterThanOrEqual(end);
        return;
      }
      // On a loaded machine the deadline of the call may come before that of waiting.
      if (status !== 503) continue;
      const { error } = json as { error: string };
      // Before the database is open nothing is known of the index.
      if (error !== "database is not available") expect(error).toMatch(refusal);
      expect(headers.get("retry-after")).toBe("1");
      expect(health.status).toBe(503);
    }
  });
});
