import { describe, expect, it } from "vitest";
import { BlockFeed, type BlockNews } from "../../../server/http/v4/block-feed.js";
import { withResolvers } from "../../../shared/values/promises.js";

/** A feed whose reads the test answers, in their order. */
function start() {
  const reads: { resolve(news: BlockNews): void; reject(error: unknown): void }[] = [];
  const failures: unknown[] = [];
  const feed = new BlockFeed(
    () => {
      const { promise, ...ends } = withResolvers<BlockNews>();
      reads.push(ends);
      return promise;
    },
    (error) => failures.push(error),
  );
  const settle = async () => {
    for (let turn = 0; turn < 5; turn++) await undefined;
  };
  const answer = async (key: string) => {
    reads.shift()!.resolve({ key, content: { key } });
    await settle();
  };
  const fail = async (error: unknown) => {
    reads.shift()!.reject(error);
    await settle();
  };
  const join = () => {
    const got: string[] = [];
    const receiver = { send: (text: string) => void got.push(JSON.parse(text).key) };
    feed.join(receiver);
    return { got, leave: () => feed.leave(receiver) };
  };
  return { feed, reads, failures, answer, fail, join };
}

describe("the feed of new blocks", () => {
  it("reads nothing without receivers", () => {
    const { feed, reads } = start();
    feed.advance();
    expect(reads).toHaveLength(0);
  });

  it("reads a block once for all, and sends it to those that come later", async () => {
    const { feed, reads, answer, join } = start();
    const first = join();
    const second = join();
    expect(reads).toHaveLength(1);
    await answer("a");
    const third = join();
    expect([first.got, second.got, third.got]).toEqual([["a"], ["a"], ["a"]]);
    feed.advance();
    expect(reads).toHaveLength(1);
    await answer("b");
    expect([first.got, third.got]).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
  });

  it("leaves out blocks that arrive while one is read, except the last, and sends none twice", async () => {
    const { feed, reads, answer, join } = start();
    const { got } = join();
    feed.advance();
    feed.advance();
    expect(reads).toHaveLength(1);
    await answer("a");
    expect(reads).toHaveLength(1);
    await answer("c");
    expect(got).toEqual(["a", "c"]);
    feed.advance();
    feed.advance();
    // The read began before the second block and has found it.
    await answer("e");
    await answer("e");
    expect([got, reads.length]).toEqual([["a", "c", "e"], 0]);
  });

  it("goes on after a failed read, and stops for those who leave", async () => {
    const { feed, reads, failures, answer, fail, join } = start();
    const receiver = join();
    await fail("broken");
    expect(failures).toEqual(["broken"]);
    feed.advance();
    await answer("b");
    receiver.leave();
    feed.advance();
    expect([receiver.got, reads.length]).toEqual([["b"], 0]);
  });
});
