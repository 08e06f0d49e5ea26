import { expect, onTestFinished, test } from "vitest";
import { Channel, type ChannelMessage, Moved } from "../../../server/os/channel/channel.js";
import { Thread } from "../../../server/os/channel/thread.js";
import { withResolvers } from "../../../shared/values/promises.js";
import type { Asked, Events } from "./asked-thread.js";

class CodedError extends Error {
  readonly code: number = 0;

  get isGrave(): boolean {
    return this.code > 9;
  }
}

function start(counted: Events["counted"] = () => {}) {
  const ends: (string | undefined)[] = [];
  const thread = new Thread<Asked>({
    ...{ url: import.meta.url, entry: "asked-thread" },
    handlers: { counted } satisfies Events,
    errors: { CodedError },
    ended(failure) {
      ends.push(failure?.message);
      return new CodedError(failure?.message ?? "stopped");
    },
  });
  onTestFinished(() => thread.stop());
  return { thread, ends };
}

test("calls are answered in the order in which they end", async () => {
  const { thread } = start();
  expect(await Promise.all([1, 2, 3].map((number) => thread.ask("double", number)))).toEqual([2, 4, 6]);
  const passed: string[] = [];
  const passing = ["first", "second"].map(async (door) => passed.push(await thread.ask("pass", door)));
  await thread.ask("open", "second");
  thread.tell("open", "first");
  await Promise.all(passing);
  expect(passed).toEqual(["second", "first"]);
  expect(thread.isIdle).toBe(true);
});

test("events arrive in order, and before the answer of the call that they are sent in", async () => {
  const counted: (number | string)[] = [];
  const { thread } = start((number) => counted.push(number));
  counted.push(await thread.ask("count", 8));
  expect(counted).toEqual([1, 2, 3, 4, 5, 6, 7, 8, "counted"]);
});

test("an event that waits for other messages arrives without any", async () => {
  const { promise, resolve } = withResolvers<number>();
  const { thread } = start(resolve);
  await thread.ask("countAlong", 9);
  expect(await promise).toBe(9);
});

test("an error keeps its class, members, cause and stack", async () => {
  const { thread } = start();
  const coded = await thread.ask("fail", "coded").catch((error: unknown) => error);
  expect(coded).toBeInstanceOf(CodedError);
  expect(coded).toMatchObject({ name: "CodedError", message: "no", code: 12, isGrave: true });
  expect(coded).toMatchObject({
    cause: { message: "because" },
    stack: expect.stringContaining("asked-thread"),
  });
  await expect(thread.ask("fail", "type")).rejects.toBeInstanceOf(TypeError);
  const setup = await thread.ask("fail", "setup").catch((error: unknown) => error);
  expect(setup).toMatchObject({ message: "a port", isSetupError: true });
  expect(setup).not.toHaveProperty("odd");
  await expect(thread.ask("fail", "engine")).rejects.toMatchObject({ name: "RuntimeError" });
  await expect(thread.ask("fail", "text")).rejects.toThrow("only a text");
});

test("a signal aborts its call in the thread, and no call begins after it", async () => {
  const { thread } = start();
  const controller = new AbortController();
  const call = thread.ask("untilAborted", undefined, controller.signal);
  controller.abort(new Error("too late"));
  expect(await call).toBe("aborted");
  await expect(thread.ask("untilAborted", undefined, controller.signal)).rejects.toThrow("too late");
  expect(await thread.ask("untilAborted", undefined)).toBe("without a signal");
});

test("buffers of arguments and results are moved", async () => {
  const { thread } = start();
  const bytes = Uint8Array.of(1, 2, 3);
  expect(await thread.ask("reverse", new Moved(bytes, [bytes.buffer]))).toEqual(Uint8Array.of(3, 2, 1));
  expect(bytes.length).toBe(0);
  expect(await thread.ask("sentBytes", undefined)).toBe(0);
});

test("what cannot be cloned fails its own call only", async () => {
  const counted: number[] = [];
  const { thread } = start((number) => counted.push(number));
  const other = thread.ask("pass", "door");
  await expect(thread.ask("function", undefined)).rejects.toThrow("could not be cloned");
  await expect(thread.ask("countAndReturnFunction", 1)).rejects.toThrow("could not be cloned");
  expect(counted).toEqual([1]);
  const broken = { toString: () => "door" } as unknown as string;
  await expect(thread.ask("pass", broken)).rejects.toThrow("could not be cloned");
  expect(() => thread.tell("open", broken)).toThrow("could not be cloned");
  thread.tell("open", "door");
  expect(await other).toBe("door");
});

test.each([
  ["that it crashes in", "it crashed", (thread: Thread<Asked>) => thread.tell("crash", undefined)],
  ["that exits", "stopped", (thread: Thread<Asked>) => thread.tell("exit", undefined)],
  ["that closes its port", "stopped", (thread: Thread<Asked>) => thread.tell("close", undefined)],
  ["that is stopped", "stopped", (thread: Thread<Asked>) => void thread.stop()],
])("a thread %s rejects all calls with the error of its owner", async (_how, message, end) => {
  const { thread, ends } = start();
  const calls = ["first", "second"].map((door) => thread.ask("pass", door).catch((error: unknown) => error));
  await thread.ask("double", 1);
  end(thread);
  const errors = await Promise.all(calls);
  expect(errors[0]).toBeInstanceOf(CodedError);
  expect(errors).toEqual([new CodedError(message), new CodedError(message)]);
  await thread.exited;
  await expect(thread.ask("double", 1)).rejects.toBe(errors[0]);
  thread.tell("open", "first");
  expect(ends).toEqual([message === "stopped" ? undefined : message]);
  expect([thread.hasEnded, thread.isIdle]).toEqual([true, true]);
});

test("an owner may give calls up before the thread ends", async () => {
  const { thread } = start();
  const call = thread.ask("pass", "door");
  thread.end(new CodedError("given up"));
  await expect(call).rejects.toThrow("given up");
  await thread.stop();
  await expect(thread.ask("double", 1)).rejects.toThrow("given up");
});

test("an end that has gone aborts the calls that it made", async () => {
  const sent: ChannelMessage[] = [];
  const aborted = withResolvers<void>();
  const near = new Channel({
    send: (messages) => sent.push(...messages),
    handlers: {
      wait: (_none: undefined, signal?: AbortSignal) => {
        signal?.addEventListener("abort", () => aborted.resolve());
        return aborted.promise;
      },
    },
  });
  const far = new Channel<{ wait(none: undefined): void }>({ send: (messages) => near.take(messages) });
  const call = far.ask("wait", undefined, new AbortController().signal);
  near.end(new Error("gone"));
  await aborted.promise;
  far.end(new Error("gone"));
  await expect(call).rejects.toThrow("gone");
  expect(sent).toEqual([]);
});

test("a channel is busy from the first of its calls to the end of the last", async () => {
  const busy: boolean[] = [];
  const near = new Channel({
    send: (messages) => far.take(messages),
    handlers: { double: (n: number) => 2 * n },
  });
  const far: Channel<Pick<Asked, "double" | "pass">> = new Channel({
    send: (messages) => near.take(messages),
    onBusy: (isBusy) => busy.push(isBusy),
  });
  await Promise.all([far.ask("double", 1), far.ask("double", 2)]);
  expect(busy).toEqual([true, false]);
  const call = far.ask("double", 3);
  far.end(new Error("gone"));
  await expect(call).rejects.toThrow("gone");
  expect(busy).toEqual([true, false, true, false]);
});
