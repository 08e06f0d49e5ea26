import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { download } from "../../server/metadata/download.js";
import { FetchError } from "../../server/metadata/fetch-error.js";
import {
  type Names,
  publicAddress,
  startNetwork,
  type TestNetwork,
} from "../helpers/peers/metadata-network.js";
import { answers } from "./hostile-server.js";

const names: Names = {
  "tokens.example": [publicAddress],
  "mirror.example": ["2606:2800:21f:cb07:6820:80da:af6b:8b2c"],
  "gateway.example": [publicAddress],
  "private.example": ["10.0.0.5"],
  "mixed.example": [publicAddress, "127.0.0.1"],
  "mapped.example": ["::ffff:127.0.0.1"],
};

describe("A download", () => {
  let network: TestNetwork;
  beforeAll(async () => {
    network = await startNetwork(names, (request, response) => {
      const answer = answers[request.url!];
      if (answer) answer(response, request);
      else response.writeHead(404).end();
    });
  });
  afterAll(() => network.close());

  const options = (special: { network?: TestNetwork; plainHttp?: boolean } = {}) => ({
    network,
    ipfsGateway: "https://gateway.example/ipfs/",
    plainHttp: true,
    turn: async () => {},
    ...special,
  });
  const load = async (link: string, special = {}, signal = new AbortController().signal) => {
    const bytes = await download(link, options(special), signal);
    return JSON.parse(Buffer.from(bytes).toString()) as unknown;
  };
  const failure = async (link: string, special = {}, signal?: AbortSignal) => {
    const error = await load(link, special, signal).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(FetchError);
    return (error as FetchError).failure;
  };

  it.each(["/good", "/gzip", "/redirect", "/three"])("returns the body: %s", async (path) => {
    expect(await load(`https://tokens.example${path}`)).toEqual({ name: "Honest", symbol: "HON" });
  });

  it("connects to the address it checked, and asks by the name of the host", async () => {
    const before = network.connections.length;
    await load("https://tokens.example/redirect");
    await load("http://mirror.example/good");
    const endpoint = { address: publicAddress, port: 443, host: "tokens.example", tls: true };
    expect(network.connections.slice(before)).toEqual([
      endpoint,
      endpoint,
      { address: "2606:2800:21f:cb07:6820:80da:af6b:8b2c", port: 80, host: "mirror.example", tls: false },
    ]);
    expect(network.requests.slice(-2)).toEqual(["GET tokens.example/good", "GET mirror.example/good"]);
  });

  it("waits for the turn of the host that a redirect leads to", async () => {
    const hosts: string[] = [];
    const turn = async (host: string) => void hosts.push(host);
    await load("https://tokens.example/two", { turn });
    expect(hosts).toEqual(["mirror.example", "mirror.example"]);
  });

  it.each([
    ["a redirect to loopback", "/to-loopback", "address"],
    ["a redirect to a private host", "/to-private-name", "address"],
    ["a redirect to another port", "/to-port", "url"],
    ["a redirect to a file", "/to-file", "url"],
    ["a redirect to itself", "/loop", "redirects"],
    ["four redirects", "/four", "redirects"],
    ["a redirect to nowhere", "/nowhere", "status"],
    ["an endless body", "/endless", "size"],
    ["a body that is announced as too long", "/announced", "size"],
    ["a gzip bomb", "/bomb", "size"],
    ["a Brotli bomb", "/brotli-bomb", "size"],
    ["a compressed body that is cut", "/cut-gzip", "encoding"],
    ["an unknown encoding", "/unknown-encoding", "encoding"],
    ["two encodings", "/two-encodings", "encoding"],
    ["another status", "/missing", "status"],
    ["no content", "/no-content", "status"],
    ["a header that is too long", "/huge-headers", "headers"],
    ["headers without end", "/many-headers", "headers"],
    ["another protocol", "/no-http", "headers"],
    ["a switch of protocols", "/upgrade", "connection"],
    ["a connection that is closed", "/hang-up", "connection"],
    ["a connection that is closed within the body", "/cut-body", "connection"],
  ])("refuses %s", async (_, path, expected) => {
    expect(await failure(`https://tokens.example${path}`)).toBe(expected);
  });

  it.each(["/silent", "/drip"])("ends at its deadline: %s", async (path) => {
    expect(await failure(`https://tokens.example${path}`, {}, AbortSignal.timeout(200))).toBe("timeout");
  });

  it.each([
    "http://127.0.0.1/",
    "http://localhost./",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://10.1.2.3/",
    "http://100.64.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://172.31.255.255/",
    "http://192.168.1.1/",
    "http://0.0.0.0/",
    "http://224.0.0.1/",
    "http://255.255.255.255/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:808:808]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[2001:0:7f00:1::]/",
    "http://[fd00::1]/",
    "http://[fe80::1]/",
    "http://[ff02::1]/",
    "https://private.example/",
    "https://mixed.example/",
    "https://mapped.example/",
  ])("connects to public addresses only: %s", async (link) => {
    const withLocalhost = { ...network, resolve: (name: string) => resolveLocalhost(name) };
    const resolveLocalhost = async (name: string) =>
      name === "localhost." ? ["127.0.0.1"] : network.resolve(name, new AbortController().signal);
    const before = network.connections.length;
    expect(await failure(link, { network: withLocalhost })).toBe("address");
    expect(network.connections.length).toBe(before);
  });

  it("asks for the address of a host again when a redirect leads to it, and checks it again", async () => {
    const addresses = [[publicAddress], ["127.0.0.1"]];
    const changing = {
      ...network,
      resolve: async (name: string) => (name === "rebinding.example" ? addresses.shift()! : [publicAddress]),
    };
    const before = network.connections.length;
    expect(await failure("https://rebinding.example/to-rebinding", { network: changing })).toBe("address");
    expect(network.connections.slice(before).map(({ address }) => address)).toEqual([publicAddress]);
    expect(addresses).toEqual([]);
  });

  it.each([
    "",
    "not a link",
    "//tokens.example/good",
    "ftp://tokens.example/good",
    "file:///etc/passwd",
    "data:application/json,{}",
    "gopher://tokens.example/",
    "https://tokens.example:8443/good",
    "https://tokens.example:22/good",
    "https://user:secret@tokens.example/good",
    "https://",
    "ipfs://",
    "ipfs://short/file",
    "ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/../../admin",
    "ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/%2e%2e/admin",
    "ipfs://gateway.example:8080/",
  ])("refuses a link that is not fetched: %s", async (link) => {
    expect(await failure(link)).toBe("url");
  });

  it("refuses http, also of a redirect, unless it is allowed", async () => {
    expect(await failure("http://tokens.example/good", { plainHttp: false })).toBe("url");
    expect(await failure("https://tokens.example/to-loopback", { plainHttp: false })).toBe("url");
    expect(await load("https://tokens.example/three", { plainHttp: false })).toEqual(expect.any(Object));
  });

  it("reads ipfs through the gateway alone, up to 1 MB", async () => {
    const id = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi";
    const file = `{"name":"${"n".repeat(2 ** 20)}"}`;
    const own = await startNetwork(names, ({ url }, response) => {
      if (url === `/ipfs/${id}/moved.json`)
        response.writeHead(301, { location: `https://tokens.example/ipfs/${id}/big.json` });
      response.end(url === `/ipfs/${id}/big.json` ? file : '{"name":"Pinned"}');
    });
    try {
      expect(await load(`ipfs://${id}/1.json`, { network: own })).toEqual({ name: "Pinned" });
      expect(await load(`ipfs://ipfs/${id}`, { network: own })).toEqual({ name: "Pinned" });
      expect(own.requests).toEqual([
        `GET gateway.example/ipfs/${id}/1.json`,
        `GET gateway.example/ipfs/${id}`,
      ]);
      expect(await failure(`ipfs://${id}/big.json`, { network: own })).toBe("size");
      expect(await failure(`ipfs://${id}/moved.json`, { network: own })).toBe("size");
      expect(await load(`https://gateway.example/ipfs/${id}/big.json`, { network: own })).toEqual(
        JSON.parse(file),
      );
    } finally {
      await own.close();
    }
  });

  it("reports a host without an address or without open port", async () => {
    expect(await failure("https://unknown.example/")).toBe("name");
    const refused = { ...network, resolve: () => Promise.reject(new Error("no DNS server")) };
    expect(await failure("https://tokens.example/good", { network: refused })).toBe("name");
    const closed = { ...network, connect: () => Promise.reject(new Error("ECONNREFUSED")) };
    expect(await failure("https://tokens.example/good", { network: closed })).toBe("connection");
  });

  it("throws errors that contain no part of the link or the answer", async () => {
    const error = await load("https://tokens.example/missing?key=secret").catch((thrown: Error) => thrown);
    expect(JSON.stringify([String(error), error])).not.toMatch(/tokens|secret/);
  });
});
