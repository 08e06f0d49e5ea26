import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { internet } from "../../../server/metadata/network.js";
import { post } from "../../../server/stream/webhooks/post.js";
import { targetRefusal } from "../../../server/stream/webhooks/target.js";
import { type Names, publicAddress, startNetwork } from "../../helpers/peers/metadata-network.js";

const { signal } = new AbortController();
const body = Buffer.from("{}");
const privateHost = "the host has an address that is not public";

/** Posts to a URL on a network where all addresses lead to one server, which answers with a status. */
async function posted(url: string, names: Names = {}, { loopback = false, status = 200 } = {}) {
  const network = await startNetwork(names, (_, response) => {
    response.writeHead(status, { location: "https://inner.example/" }).end("much text ".repeat(10_000));
  });
  onTestFinished(() => network.close());
  const outcome = await post(new URL(url), {}, body, { network, loopback, timeoutMs: 60_000 }, signal);
  return { ...outcome, network };
}

describe("A delivery", () => {
  test("goes to the address that was checked", async () => {
    const { status, network } = await posted("http://shop.example/events?a=b", {
      "shop.example": [publicAddress, "2606:2800::1"],
    });
    expect(status).toBe(200);
    expect(network.connections).toEqual([
      { address: publicAddress, port: 80, host: "shop.example", tls: false },
    ]);
    expect(network.requests).toEqual(["POST shop.example/events?a=b"]);
  });

  test.each([
    ["http://127.0.0.1/", {}],
    ["http://10.0.0.1/", {}],
    ["http://169.254.169.254/latest/meta-data", {}],
    ["http://2130706433/", {}],
    ["http://0x7f.1/", {}],
    ["http://[::1]/", {}],
    ["http://[::ffff:127.0.0.1]/", {}],
    ["http://[64:ff9b::7f00:1]/", {}],
    ["http://[fd00::1]/", {}],
    ["http://inner.example/", { "inner.example": ["192.168.0.1"] }],
    ["http://inner.example/", { "inner.example": [publicAddress, "10.0.0.1"] }],
    ["http://inner.example/", { "inner.example": ["::ffff:10.0.0.1"] }],
  ] as [string, Names][])("is not made to a host that is not public: %s %j", async (url, names) => {
    const { status, failure, network } = await posted(url, names);
    expect([status, failure, network.connections]).toEqual([null, privateHost, []]);
  });

  test("is not made to localhost, for any resolved address, except by a devnet", async () => {
    const { failure, network } = await posted("http://localhost:3000/");
    expect([failure, network.connections]).toEqual(["the name of the host has no address", []]);
    const own = await posted("http://localhost:3000/", {}, { loopback: true });
    expect(own.network.connections).toMatchObject([{ address: "127.0.0.1", port: 3000 }]);
    const inner = await posted("http://10.0.0.1/", {}, { loopback: true });
    expect([inner.failure, inner.network.connections]).toEqual([privateHost, []]);
  });

  test("asks for the address each time, so that a name cannot be bound anew in between", async () => {
    const answers = [[publicAddress], ["127.0.0.1"], [publicAddress]];
    const names = { "rebinding.example": () => answers.shift()! };
    const network = await startNetwork(names, (_, response) => void response.end());
    onTestFinished(() => network.close());
    const outcomes = [];
    for (let i = 0; i < 3; i++) {
      const options = { network, timeoutMs: 60_000 };
      outcomes.push((await post(new URL("http://rebinding.example/"), {}, body, options, signal)).failure);
    }
    expect(outcomes).toEqual([null, privateHost, null]);
    expect(network.connections.map(({ address }) => address)).toEqual([publicAddress, publicAddress]);
  });

  test.each([301, 302, 303, 307, 308])("follows no redirect: %i", async (status) => {
    const { failure, network } = await posted(
      "http://shop.example/",
      { "shop.example": [publicAddress] },
      { status },
    );
    expect(failure).toBe(`status ${status}: redirects are not followed`);
    expect(network.requests).toHaveLength(1);
  });

  test.each([
    [200, null],
    [299, null],
    [300, "status 300: redirects are not followed"],
    [304, "status 304"],
    [399, "status 399: redirects are not followed"],
    [400, "status 400"],
    [500, "status 500"],
  ])("has arrived or failed by its status: %i", async (status, failure) => {
    const outcome = await posted("http://shop.example/", { "shop.example": [publicAddress] }, { status });
    expect([outcome.status, outcome.failure]).toEqual([status, failure]);
  });

  test("that is not accepted, or not answered, ends in its time", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as { port: number };
    const options = { network: internet, loopback: true, timeoutMs: 50 };
    const url = new URL(`http://127.0.0.1:${port}/`);
    expect(await post(url, {}, body, options, signal)).toEqual({
      status: null,
      failure: "no answer within 0.05 s",
    });
    const aborted = AbortSignal.abort(new Error("the webhook is gone"));
    await expect(post(url, {}, body, options, aborted)).rejects.toThrow("the webhook is gone");
  });
});

describe("The URL of a webhook", () => {
  const refusals = (urls: readonly string[], isLocal: boolean) =>
    urls.map((url) => [url, targetRefusal(new URL(url), isLocal)]);

  test("is one of a public host by HTTPS", () => {
    const good = [
      "https://shop.example/a?b",
      "https://shop.example:443/",
      "https://shop.example:80/",
      "https://[2606:2800::1]/",
    ];
    for (const isLocal of [false, true])
      expect(refusals(good, isLocal)).toEqual(good.map((url) => [url, undefined]));
    const insecure = "url must begin with https://";
    const inner = "url must name a public host";
    expect(
      refusals(
        [
          "http://shop.example/",
          "ftp://shop.example/",
          "https://localhost/",
          "https://a.localhost/",
          "https://127.1/",
          "https://[::1]/",
          "https://0/",
          "https://a:b@shop.example/",
          "https://a@shop.example/",
          "https://:b@shop.example/",
          "https://shop.example:8443/",
        ],
        false,
      ).map(([, refusal]) => refusal),
    ).toEqual([
      insecure,
      insecure,
      inner,
      inner,
      inner,
      inner,
      inner,
      ...Array(3).fill("url must not have a user or a password"),
      "url must use port 443 or 80",
    ]);
  });

  test("may be one of the machine of a devnet, by HTTP too and on any port, but not of its network", () => {
    const own = [
      "http://localhost:3000/",
      "http://127.0.0.1:8080/",
      "http://[::1]:1/",
      "https://a.localhost:5173/",
      "http://shop.example/",
    ];
    expect(refusals(own, true)).toEqual(own.map((url) => [url, undefined]));
    expect(targetRefusal(new URL("ftp://localhost/"), true)).toBe("url must begin with https://");
    const inner = ["http://192.168.0.1/", "http://[fd00::1]/", "http://0.0.0.0:3000/"];
    expect(refusals(inner, true).map(([, refusal]) => refusal)).toEqual(
      Array(3).fill("url must name a public host"),
    );
  });
});
