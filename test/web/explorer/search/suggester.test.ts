import { describe, expect, test } from "vitest";
import { Suggester } from "../../../../server/web/explorer/search/suggester.js";
import { ManualTimers } from "../../../helpers/manual-timers.js";

const refusal = new Error("too many requests");

/** A suggester, what it has asked, and what it shows. */
function started() {
  const timers = new ManualTimers();
  const asked: string[] = [];
  const shown: (string | undefined)[] = [];
  const waiting: { answer(found: string): void; fail(error: Error): void }[] = [];
  const suggester = new Suggester<string>({
    ask(text) {
      asked.push(text);
      return new Promise((answer, fail) => waiting.push({ answer, fail }));
    },
    show: (found) => shown.push(found),
    isRefusal: (error) => error === refusal,
    timers,
  });
  return { timers, asked, shown, waiting, suggester };
}

/** Until the continuations of what was answered have run. */
const settled = () => new Promise((done) => setImmediate(done));

describe("suggestions", () => {
  test("are asked for once the user pauses", async () => {
    const { timers, asked, shown, waiting, suggester } = started();
    for (const text of ["a", "ac", "aco"]) {
      suggester.type(text);
      timers.pass(249);
    }
    expect(asked).toEqual([]);
    timers.pass(1);
    expect(asked).toEqual(["aco"]);
    waiting[0]!.answer("acorn");
    await settled();
    expect(shown.at(-1)).toBe("acorn");
  });

  test("are not asked for by a single letter", () => {
    const { timers, asked, suggester } = started();
    suggester.type("a");
    timers.pass(1000);
    expect(asked).toEqual([]);
  });

  test("have one request at a time, whose late answer is not shown", async () => {
    const { timers, asked, shown, waiting, suggester } = started();
    suggester.type("ac");
    timers.pass(250);
    suggester.type("tree");
    timers.pass(1000);
    expect(asked).toEqual(["ac"]);
    waiting[0]!.answer("acorn");
    await settled();
    timers.pass(250);
    expect(asked).toEqual(["ac", "tree"]);
    waiting[1]!.answer("Tree 4");
    await settled();
    expect(shown.filter((each) => each !== undefined)).toEqual(["Tree 4"]);
  });

  test("rest after a refusal until the user asks, and go on after other failures", async () => {
    const { timers, asked, waiting, suggester } = started();
    const typeAnd = async (text: string, error: Error) => {
      suggester.type(text);
      timers.pass(250);
      waiting.at(-1)?.fail(error);
      await settled();
    };
    await typeAnd("ac", new Error("lost"));
    await typeAnd("aco", refusal);
    await typeAnd("acor", refusal);
    expect(asked).toEqual(["ac", "aco"]);
    suggester.end();
    await typeAnd("tree", refusal);
    expect(asked).toEqual(["ac", "aco", "tree"]);
  });
});
