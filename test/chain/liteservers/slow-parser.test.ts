import { expect, test } from "vitest";
import { AnswerGuard } from "../../../server/chain/liteservers/answer-guard.js";
import { remoteLiteApi } from "../../../server/chain/liteservers/remote-lite-api.js";
import { NoAnswerError } from "../../../server/chain/no-answer-error.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { encodeAnswer, queryOf } from "../../../shared/ton/tl/lite-functions.js";
import { withResolvers } from "../../../shared/values/promises.js";
import { cellTree } from "../../helpers/chain/cell-tree.js";
import { blockId } from "../../helpers/chain/fake-chain.js";
import { ManualTimers } from "../../helpers/manual-timers.js";

const id = blockId(5);

/** The block as a server sends it in time, whose bag is parsed when the test says so. */
function parsedLater() {
  const timers = new ManualTimers();
  const started = withResolvers<void>();
  const parsed = withResolvers<Uint8Array[]>();
  // More cells than are parsed in this thread.
  const data = serializeBoc(cellTree(4096));
  const parser = {
    parse(bags: readonly Uint8Array[]) {
      started.resolve();
      return parsed.promise.then(() => [...bags]);
    },
  };
  const answer = encodeAnswer(queryOf("getBlock", { id }), { id, data });
  const transport = { query: async () => answer, protocolError: (error: Error) => error as never };
  const lite = remoteLiteApi(transport, timers, new AnswerGuard(parser));
  const block = lite.getBlock({ id }, { deadline: timers.now() + 3000 });
  return { timers, started: started.promise, finish: () => parsed.resolve([]), block, data };
}

test("An answer that came in time is parsed after its deadline, too", async () => {
  const { timers, started, finish, block, data } = parsedLater();
  await started;
  timers.pass(3001);
  finish();
  expect(Buffer.compare((await block).data, data)).toBe(0);
});

test("An answer whose parsing does not end is given up", async () => {
  const { timers, started, block } = parsedLater();
  const failure = expect(block).rejects.toThrow(NoAnswerError);
  await started;
  timers.pass(5001);
  await failure;
});
