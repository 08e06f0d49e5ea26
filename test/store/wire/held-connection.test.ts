import { EventEmitter } from "node:events";
import type pg from "pg";
import { describe, expect, it } from "vitest";
import { end, endOf, onConnection } from "../../../server/store/wire/held-connection.js";
import { WireClient } from "../../../server/store/wire/wire-client.js";

/** As much of a client as these functions use. */
class FakeClient extends EventEmitter {
  ends = 0;
  connect = async (): Promise<void> => {};
  async end(): Promise<void> {
    this.ends++;
    this.emit("end");
  }
  get given(): pg.Client {
    return this as unknown as pg.Client;
  }
}

const never = new AbortController().signal;
const causeOf = (reason: unknown) => (reason as { cause?: Error }).cause?.message;

describe("the end of a connection that is held", () => {
  it("has the error that broke it, or says that it has ended", () => {
    const [broken, ended] = [new FakeClient(), new FakeClient()];
    const [first, second] = [endOf(broken.given), endOf(ended.given)];
    expect([first.aborted, second.aborted]).toEqual([false, false]);
    broken.emit("error", Object.assign(new Error("reset"), { code: "ECONNRESET" }));
    broken.emit("end");
    expect(first.reason).toMatchObject({ code: "unavailable" });
    expect(causeOf(first.reason)).toBe("reset");
    ended.emit("end");
    expect(String(causeOf(second.reason) ?? second.reason)).toContain("a connection that was held has ended");
  });

  it("is not waited for longer if ending it fails", async () => {
    const client = new FakeClient();
    client.end = async () => {
      throw new Error("no end");
    };
    await expect(end(client.given)).resolves.toBeUndefined();
  });
});

describe("a connection that begins", () => {
  it("is not ended by its signal afterwards, nor is its end a failure", async () => {
    const client = new FakeClient();
    const controller = new AbortController();
    const steps: string[] = [];
    client.connect = async () => void steps.push("connect");
    await onConnection(client.given, controller.signal, async () => steps.push("begin"));
    controller.abort(new Error("too late"));
    expect([steps, client.ends]).toEqual([["connect", "begin"], 0]);
    // A rejection that nobody handles would fail the test.
    client.emit("end");
    await new Promise((resolve) => setImmediate(resolve));
  });

  it("fails if it ends while it connects, which no client tells of", async () => {
    const client = new FakeClient();
    client.connect = () => new Promise(() => {});
    const beginning = onConnection(client.given, never, async () => {});
    client.emit("end");
    const error: unknown = await beginning.catch((reason: unknown) => reason);
    expect(String(causeOf(error) ?? error)).toContain("the connection has ended");
    expect(client.ends).toBe(1);
  });

  it("is ended while it connects if its signal fires", async () => {
    const client = new FakeClient();
    client.connect = () => new Promise(() => {});
    const controller = new AbortController();
    const beginning = onConnection(client.given, controller.signal, async () => {});
    controller.abort(new Error("no longer wanted"));
    await expect(beginning).rejects.toThrow("no longer wanted");
    expect(client.ends).toBeGreaterThan(0);
  });
});

it("an error of a client that nobody waits for does not end the process", () => {
  for (const readsBytes of [true, false]) {
    const client = new WireClient({}, readsBytes);
    expect(client.emit("error", new Error("lost"))).toBe(true);
  }
});
