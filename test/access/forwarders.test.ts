import { request } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createViteServer } from "vitest/node";
import { freePort } from "../helpers/free-port.js";
import { openSocket } from "../helpers/http/socket.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

// Tools of developers that stand between a page or a program and its devnet.

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("empty");
});
afterAll(() => service.close());

const mine = { jsonrpc: "2.0", id: 1, method: "devnet.mine" };
const mined = { jsonrpc: "2.0", id: 1, ok: true, result: expect.objectContaining({ mined: 1 }) };
const refused = (reason: string) => ({
  error: { message: `devnet.mine needs an API key for this request: ${reason}`, data: { code: 403 } },
});

type Headers = Readonly<Record<string, string>>;

function post(url: string, headers: Headers): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/jsonRPC`, { method: "POST", headers }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve(JSON.parse(text));
    });
    sent.on("error", reject).end(JSON.stringify(mine));
  });
}

async function overSocket(url: string, headers: Headers): Promise<unknown> {
  const socket = await openSocket(url, { headers });
  socket.send(mine);
  const answer = await socket.next();
  socket.close();
  return answer;
}

/** The answers to a call by HTTP and over a WebSocket. */
const answersTo = async (url: string, headers: Headers) => [
  await post(url, headers),
  await overSocket(url, headers),
];

describe("port forwarding, as by ssh -L", () => {
  /** Passes bytes on, as sshd does on the machine of the devnet. */
  async function startForwarding(): Promise<string> {
    const server = createServer((client) => {
      const target = connect(Number(new URL(service.url).port), "127.0.0.1");
      client.on("error", () => {}).on("close", () => target.destroy());
      target.on("error", () => {}).on("close", () => client.destroy());
      client.pipe(target).pipe(client);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it("leaves the other end a caller on this machine", async () => {
    const url = await startForwarding();
    const { port } = new URL(url);
    for (const headers of [{}, { Host: `localhost:${port}`, Origin: `http://localhost:${port}` }])
      expect(await answersTo(url, headers)).toEqual([mined, mined]);
  });

  it("does not make the page of another site local", async () => {
    const url = await startForwarding();
    const answers = await answersTo(url, { Origin: "https://evil.example" });
    expect(answers).toMatchObject(Array(2).fill(refused("its Origin is https://evil.example")));
  });
});

describe("Vite's development server", () => {
  type Options = { changeOrigin?: boolean; xfwd?: boolean };

  /** Passes `/jsonRPC` on; a text is the short form of the option. */
  async function startVite(options: Options | "short"): Promise<string> {
    const port = await freePort();
    const target = service.url;
    const vite = await createViteServer({
      configFile: false,
      root: temporaryFolder(),
      logLevel: "silent",
      appType: "custom",
      optimizeDeps: { noDiscovery: true },
      server: {
        host: "127.0.0.1",
        port,
        strictPort: true,
        watch: null,
        proxy: { "/jsonRPC": options === "short" ? target : { target, ws: true, ...options } },
      },
    });
    onTestFinished(() => vite.close());
    await vite.listen();
    return `http://127.0.0.1:${port}`;
  }

  /** The headers of a browser on a page of the development server. */
  const ofPage = (url: string): Headers => {
    const { port } = new URL(url);
    return { Host: `localhost:${port}`, Origin: `http://localhost:${port}` };
  };

  it.each<[Options]>([[{}], [{ changeOrigin: true }], [{ changeOrigin: false }]])(
    "lets its pages change the devnet with %j",
    async (options) => {
      const url = await startVite(options);
      expect(await answersTo(url, ofPage(url))).toEqual([mined, mined]);
    },
  );

  it("lets its pages change the devnet with the short form of the option", async () => {
    const url = await startVite("short");
    expect(await post(url, ofPage(url))).toEqual(mined);
  });

  it("needs the key when it adds the headers of a proxy", async () => {
    const url = await startVite({ xfwd: true });
    const answers = await answersTo(url, ofPage(url));
    expect(answers).toMatchObject(Array(2).fill(refused("a proxy added the header x-forwarded-for")));
    expect(await answersTo(url, { ...ofPage(url), "X-API-Key": service.key })).toEqual([mined, mined]);
  });

  it("does not make the page of another site local", async () => {
    const url = await startVite({ changeOrigin: true });
    const answers = await answersTo(url, { ...ofPage(url), Origin: "https://evil.example" });
    expect(answers).toMatchObject(Array(2).fill(refused("its Origin is https://evil.example")));
  });
});
