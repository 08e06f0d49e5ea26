// A thread that does what the tests of the channel ask for.
import { Moved } from "../../../server/os/channel/channel.js";
import { OwnThread } from "../../../server/os/channel/thread.js";
import { withResolvers } from "../../../shared/values/promises.js";

export class CodedError extends Error {
  override readonly name = "CodedError";
  readonly code: number;

  constructor(code: number, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }

  get isGrave(): boolean {
    return this.code > 9;
  }
}

export type Events = { counted(number: number): void };

const doors = new Map<string, () => void>();
let sent = new Uint8Array();

const handlers = {
  double: (number: number) => 2 * number,
  /** Resolves when the door is opened. */
  pass(door: string): Promise<string> {
    const { promise, resolve } = withResolvers<string>();
    doors.set(door, () => resolve(door));
    return promise;
  },
  open: (door: string) => doors.get(door)?.(),
  /** Resolves when the call is aborted. */
  untilAborted(_none: undefined, signal?: AbortSignal): Promise<string> | string {
    if (!signal) return "without a signal";
    const { promise, resolve } = withResolvers<string>();
    signal.addEventListener("abort", () => resolve("aborted"));
    return promise;
  },
  fail(kind: "coded" | "type" | "setup" | "engine" | "text"): void {
    if (kind === "coded") throw new CodedError(12, "no", new Error("because"));
    if (kind === "type") throw new TypeError("no number");
    if (kind === "engine") throw new WebAssembly.RuntimeError("unreachable");
    throw kind === "text"
      ? "only a text"
      : Object.assign(new Error("a port"), { isSetupError: true, odd() {} });
  },
  reverse(bytes: Uint8Array<ArrayBuffer>): Moved<Uint8Array> {
    sent = bytes.reverse();
    return new Moved(sent, [sent.buffer as ArrayBuffer]);
  },
  sentBytes: () => sent.length,
  count(to: number): string {
    for (let number = 1; number <= to; number++)
      if (number % 3 === 0) owner.tell("counted", number);
      else owner.tellAlong("counted", number);
    return "counted";
  },
  /** The event of the last number comes without a further message. */
  countAlong: (number: number) => void setImmediate(() => owner.tellAlong("counted", number)),
  function: (): unknown => () => {},
  countAndReturnFunction(number: number): unknown {
    owner.tellAlong("counted", number);
    return () => {};
  },
  exit: () => process.exit(3),
  close: (): void => owner.close(),
  crash: () =>
    void setImmediate(() => {
      throw new Error("it crashed");
    }),
};
export type Asked = typeof handlers;

const owner = new OwnThread<Events>({ handlers, errors: { CodedError } });
