import { describe, expect, it, onTestFinished } from "vitest";
import {
  type ClientOptions,
  createClient,
  type FallbackOptions,
  fallback,
  http,
} from "../../client/index.js";
import { echo, nowhere, outcomes, type RpcRequest, sendJson, serve } from "../helpers/peers/rpc-server.js";
import { until } from "../helpers/until.js";
import { FakeClock } from "./helpers/fake-clock.js";

/** An endpoint of a network, healthy until a test makes it fail. */
async function endpoint(name: string, network = "a network") {
  const state = { status: 200, hangs: false, name };
  const server = await serve(({ body }, response, socket) => {
    if (state.hangs) return;
    if (state.status === 0) socket.destroy();
    else if (state.status !== 200)
      sendJson(response, { ok: false, error: "no", code: state.status }, state.status);
    else {
      const answer = (call: RpcRequest) =>
        call.method === "getMasterchainInfo"
          ? { ...echo(call), result: { init: { file_hash: network } } }
          : { ...echo(call), result: name };
      sendJson(response, Array.isArray(body) ? body.map(answer) : answer(body));
    }
  });
  const asked = () => server.requests.flatMap(({ body }) => [body].flat().map(({ method }) => method));
  return { ...server, state, asked };
}

function clientOver(
  endpoints: readonly { url: string }[],
  options: Partial<ClientOptions> = {},
  rest: FallbackOptions["rest"] = undefined,
) {
  const clock = new FakeClock();
  const client = createClient({
    transport: fallback(
      endpoints.map(({ url }) => http(url)),
      { rest },
    ),
    clock,
    retry: false,
    ...options,
  });
  onTestFinished(() => client.close());
  let asked = 0;
  // Different parameters, so that no request is shared.
  return { client, clock, ask: () => client.call("who.answers", { n: asked++ }) };
}

describe("a fallback", () => {
  it("uses the first endpoint, and asks it once which network it serves, along with the first calls", async () => {
    const [a, b] = [await endpoint("a"), await endpoint("b")];
    const { ask } = clientOver([a, b]);
    expect(await Promise.all([ask(), ask()])).toEqual(["a", "a"]);
    expect(await ask()).toBe("a");
    expect(a.requests).toHaveLength(2);
    expect(a.asked().filter((method) => method === "getMasterchainInfo")).toHaveLength(1);
    expect(b.requests).toEqual([]);
  });

  it.each([
    ["is gone", 0],
    ["has a defect", 500],
    ["is overloaded", 503],
  ])("goes to the next when the first %s, and back when it has rested", async (_, status) => {
    const [a, b] = [await endpoint("a"), await endpoint("b")];
    const { ask, clock } = clientOver([a, b]);
    await ask();
    a.state.status = status;
    expect(await ask()).toBe("b");
    const before = a.requests.length;
    a.state.status = 200;
    clock.advance(4999);
    expect([await ask(), a.requests.length]).toEqual(["b", before]);
    clock.advance(1);
    expect(await ask()).toBe("a");
  });

  it("doubles the backoff of an endpoint that fails again, up to a minute", async () => {
    const [a, b] = [await endpoint("a"), await endpoint("b")];
    const { ask, clock } = clientOver([a, b]);
    await ask();
    a.state.status = 503;
    for (const rest of [5000, 10_000, 20_000, 40_000, 60_000, 60_000]) {
      expect(await ask()).toBe("b");
      const before = a.requests.length;
      clock.advance(rest - 1);
      await ask();
      expect([rest, a.requests.length]).toEqual([rest, before]);
      clock.advance(1);
    }
  });

  it("lets an endpoint rest that let a call run into its deadline", async () => {
    const [a, b] = [await endpoint("a"), await endpoint("b")];
    const { ask, clock } = clientOver([a, b]);
    await ask();
    a.state.hangs = true;
    const late = outcomes([ask()]);
    await until("the request", () => a.requests.length === 2);
    clock.advance(15_000);
    expect(await late).toEqual(["timeout"]);
    expect(await ask()).toBe("b");
  });

  it("pauses an endpoint that does not even name its network, and calls the next one", async () => {
    const [a, b, c] = [await endpoint("a"), await endpoint("b"), await endpoint("c")];
    const { ask, clock } = clientOver([a, b, c], {}, { baseMs: 60_000, maxMs: 60_000 });
    await ask();
    a.state.status = 503;
    b.state.hangs = true;
    const late = outcomes([ask()]);
    await until("the question", () => b.requests.length === 1);
    clock.advance(10_000);
    // It waits for the same probe, with a later deadline.
    const later = ask();
    clock.advance(5000);
    expect([await late, await later, await ask()]).toEqual([["timeout"], "c", "c"]);
  });

  it("does not pause an endpoint for failures of the next one", async () => {
    const [a, b] = [await endpoint("a"), await endpoint("b")];
    const { ask, clock } = clientOver([a, b]);
    await ask();
    a.state.status = 503;
    b.state.hangs = true;
    const late = outcomes([ask()]);
    await until("the question", () => b.requests.length === 1);
    clock.advance(15_000);
    expect(await late).toEqual(["timeout"]);
    a.state.status = 200;
    b.state.hangs = false;
    expect(await ask()).toBe("a");
  });

  it("stays with an endpoint whose answer is an error of the call", async () => {
    const [a, b] = [await endpoint("a"), await endpoint("b")];
    const { ask } = clientOver([a, b]);
    await ask();
    for (const status of [401, 404, 422, 429]) {
      a.state.status = status;
      await expect(ask()).rejects.toMatchObject({ status });
    }
    expect(b.requests).toEqual([]);
  });

  it("does not use an endpoint of another network", async () => {
    const [a, b, c] = [await endpoint("a"), await endpoint("b", "another network"), await endpoint("c")];
    const { ask } = clientOver([a, b, c]);
    await ask();
    a.state.status = 503;
    expect(await ask()).toBe("c");
    expect(b.asked()).toEqual(["getMasterchainInfo"]);
    c.state.status = 503;
    expect(await outcomes([ask(), ask()])).toEqual(["unavailable", "unavailable"]);
    expect(await outcomes([ask()])).toEqual(["unavailable"]);
    expect(b.asked()).toEqual(["getMasterchainInfo"]);
  });

  it("skips an endpoint that does not name its network once another did", async () => {
    const [a, b] = [await endpoint("a"), await endpoint("b")];
    b.state.status = 422;
    const { ask } = clientOver([a, b]);
    await ask();
    a.state.status = 503;
    expect(await outcomes([ask()])).toEqual(["wrong-network"]);
    a.state.status = 200;
    expect(await ask()).toBe("a");
  });

  it("tries the endpoint whose backoff ends first when all are in backoff", async () => {
    const [a, b] = [await endpoint("a"), await endpoint("b")];
    const { ask, clock } = clientOver([a, b]);
    await ask();
    a.state.status = 503;
    expect(await ask()).toBe("b");
    clock.advance(1000);
    b.state.status = 503;
    expect(await outcomes([ask()])).toEqual(["unavailable"]);
    a.state.status = 200;
    expect(await ask()).toBe("a");
  });

  it("never repeats a call that may have been executed", async () => {
    const [a, b] = [await endpoint("a"), await endpoint("b")];
    const { client, ask } = clientOver([a, b]);
    await ask();
    a.state.status = 0;
    expect(await outcomes([client.call("sendBoc", { boc: "x" })])).toEqual(["network"]);
    expect(b.requests).toEqual([]);
  });

  it("sends a call that was not sent to the next endpoint", async () => {
    const { client } = clientOver([{ url: await nowhere() }, await endpoint("b")]);
    expect(await client.call("sendBoc" as string, { boc: "x" })).toBe("b");
  });
});
