import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { networkList } from "../../../server/config/kinds.js";
import { internet } from "../../../server/metadata/network.js";
import { isPublicAddress } from "../../../server/os/public-address.js";
import { post } from "../../../server/stream/webhooks/post.js";
import { Targets } from "../../../server/stream/webhooks/targets.js";
import { type Names, publicAddress, startNetwork } from "../../helpers/peers/metadata-network.js";

const { signal } = new AbortController();
const body = Buffer.from("{}");
const mainnet = new Targets({ isDevnet: false, networks: undefined });
const devnet = new Targets({ isDevnet: true, networks: undefined });
const open = new Targets({
  isDevnet: false,
  networks: networkList(["10.1.0.0/16", "fd00::/8", "127.0.0.2"]),
});

type Posting = { targets?: Targets; loopback?: boolean; status?: number };

/** Posts to a URL on a network where all addresses lead to one server, which answers with a status. */
async function posted(url: string, names: Names = {}, posting: Posting = {}) {
  const { targets = devnet, loopback = false, status = 200 } = posting;
  const network = await startNetwork(names, (_, response) => {
    response.writeHead(status, { location: "https://inner.example/" }).end("much text ".repeat(10_000));
  });
  onTestFinished(() => network.close());
  const target = new URL(url);
  const allows = (address: string) => targets.allows(target, loopback, address);
  const outcome = await post(target, {}, body, { network, allows, timeoutMs: 60_000 }, signal);
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
    expect([status, failure, network.connections]).toEqual([null, "failed", []]);
  });

  test.each(["http://localhost:3000/", "http://a.localhost./", "http://127.0.0.1:22/", "http://[::1]:22/"])(
    "is made to the machine of a devnet for webhooks with that right only: %s",
    async (url) => {
      const refused = await posted(url);
      expect([refused.status, refused.failure, refused.network.connections]).toEqual([null, "failed", []]);
      const own = await posted(url, {}, { loopback: true });
      const { address, port } = own.network.connections[0]!;
      expect([own.failure, ["127.0.0.1", "::1"].includes(address), port]).toEqual([
        ...[null, true],
        Number(new URL(url).port || 80),
      ]);
    },
  );

  test("is not made to the network of a devnet, nor to names with the machine's address", async () => {
    const inner = await posted("http://10.0.0.1/", {}, { loopback: true });
    expect([inner.failure, inner.network.connections]).toEqual(["failed", []]);
    const names = { "shop.example": ["127.0.0.1"] };
    const named = await posted("http://shop.example/", names, { loopback: true });
    expect([named.failure, named.network.connections]).toEqual(["failed", []]);
  });

  test.each([
    ["http://10.1.2.3:3000/", {}, "10.1.2.3"],
    ["http://[fd00::7]/", {}, "fd00::7"],
    ["http://127.0.0.2:99/", {}, "127.0.0.2"],
    ["http://host.docker.internal:3000/", { "host.docker.internal": ["10.1.0.1"] }, "10.1.0.1"],
    ["http://host.docker.internal:3000/", { "host.docker.internal": ["192.168.65.254"] }, undefined],
    ["http://10.2.0.1/", {}, undefined],
    ["http://localhost:99/", {}, undefined],
    ["http://127.0.0.1/", {}, undefined],
    ["http://shop.example/", { "shop.example": ["10.1.0.1", "10.2.0.1"] }, undefined],
    // Of public hosts, web ports by HTTPS remain.
    ["http://shop.example/", { "shop.example": [publicAddress] }, undefined],
    ["https://shop.example:3000/", { "shop.example": [publicAddress] }, undefined],
  ] as [string, Names, string | undefined][])(
    "is made to networks that the operator names: %s %j",
    async (url, names, address) => {
      const { failure, network } = await posted(url, names, { targets: open });
      expect([failure, network.connections.map((each) => each.address)]).toEqual(
        address === undefined ? ["failed", []] : [null, [address]],
      );
    },
  );

  test("asks for the address each time, so that a name cannot be bound anew in between", async () => {
    const answers = [[publicAddress], ["127.0.0.1"], [publicAddress]];
    const names = { "rebinding.example": () => answers.shift()! };
    const network = await startNetwork(names, (_, response) => void response.end());
    onTestFinished(() => network.close());
    const outcomes = [];
    for (let i = 0; i < 3; i++) {
      const options = { network, allows: isPublicAddress, timeoutMs: 60_000 };
      outcomes.push((await post(new URL("http://rebinding.example/"), {}, body, options, signal)).failure);
    }
    expect(outcomes).toEqual([null, "failed", null]);
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
    const options = { network: internet, allows: () => true, timeoutMs: 50 };
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
  const refusals = (urls: readonly string[], targets: Targets, loopback = false) =>
    urls.map((url) => [url, targets.refusal(new URL(url), loopback)]);

  test("is one of a public host by HTTPS", () => {
    const good = [
      "https://shop.example/a?b",
      "https://shop.example:443/",
      "https://shop.example:80/",
      "https://[2606:2800::1]/",
    ];
    for (const targets of [mainnet, devnet, open])
      expect(refusals(good, targets)).toEqual(good.map((url) => [url, undefined]));
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
        mainnet,
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

  test("may be one of the machine of a devnet with that right, by HTTP and on any port, not of its network", () => {
    const own = [
      "http://localhost:3000/",
      "http://127.0.0.1:8080/",
      "http://[::1]:1/",
      "https://a.localhost:5173/",
    ];
    expect(refusals(own, devnet, true)).toEqual(own.map((url) => [url, undefined]));
    expect(refusals(["http://shop.example/"], devnet)).toEqual([["http://shop.example/", undefined]]);
    expect(devnet.refusal(new URL("ftp://localhost/"), true)).toBe("url must begin with https://");
    const inner = ["http://192.168.0.1/", "http://[fd00::1]/", "http://0.0.0.0:3000/"];
    const refused = [...refusals(inner, devnet, true), ...refusals(own, devnet)];
    expect(refused.map(([, refusal]) => refusal)).toEqual(Array(7).fill("url must name a public host"));
  });

  test("may be one in a network that the operator names, or a name that may lead there", () => {
    const inner = [
      "http://10.1.2.3:3000/",
      "https://[fd00::1]:1/",
      "http://127.0.0.2/",
      "http://host.docker.internal:99/",
    ];
    expect(refusals(inner, open)).toEqual(inner.map((url) => [url, undefined]));
    const others = ["https://10.2.0.1/", "https://localhost/", "https://127.0.0.1/"];
    expect(refusals(others, open).map(([, refusal]) => refusal)).toEqual(
      Array(3).fill("url must name a public host"),
    );
    expect(open.refusal(new URL("http://a:b@10.1.2.3/"), false)).toBe(
      "url must not have a user or a password",
    );
  });
});
