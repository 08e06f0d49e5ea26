import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { plainImplementations, plainRegistry, startApp, type TestApp } from "../helpers/http/app.js";

// Answers written as one text equal answers of Node, which sends the last answer of each connection here.

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ registry: plainRegistry, implementations: plainImplementations });
});
afterAll(() => app.close());

const get = (name: string) => `GET /api/v2/packAddress?address=${name}`;
const closing = "Connection: close\r\n";

/** Sends the requests together over one connection; returns the received bytes when it closes. */
function answersTo(...requests: string[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1", () => socket.write(requests.join("")));
    socket.on("data", (chunk) => chunks.push(chunk)).on("error", reject);
    socket.on("close", () => resolve(Buffer.concat(chunks)));
  });
}

/** The status line and the headers in alphabetical order, without those of the connection and the time. */
function headOf(answer: string): string[] {
  const lines = answer.slice(0, answer.indexOf("\r\n\r\n")).split("\r\n");
  return lines.filter((line) => !/^(?:connection|keep-alive|date):/i.test(line)).sort();
}

const bodyOf = (answer: string) => answer.slice(answer.indexOf("\r\n\r\n") + 4);

it.each(["0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8", "x", "%C3%A4%E2%82%AC"])(
  "a kept connection has the answers of one that closes, for %s",
  async (address) => {
    const request = `${get(address)} HTTP/1.1\r\nHost: x\r\n`;
    const bytes = await answersTo(`${request}\r\n`, `${request}\r\n`, `${request}${closing}\r\n`);
    const [first, second, last] = bytes.toString("utf8").split(/(?=HTTP\/1\.1 )/);
    for (const answer of [first!, second!]) {
      expect(headOf(answer)).toEqual(headOf(last!));
      expect(bodyOf(answer)).toBe(bodyOf(last!));
      expect(answer).toMatch(/\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/);
      expect(answer).toMatch(/\r\nConnection: keep-alive\r\nKeep-Alive: timeout=75\r\n/);
    }
    expect(last).toContain("\r\nConnection: close\r\n");
    expect(bodyOf(last!)).toContain(
      decodeURIComponent(address).startsWith("0:") ? '"ok":true' : '"ok":false',
    );
  },
);

it("HEAD on a kept connection has no body, and leaves it usable", async () => {
  const rest = "/api/v2/packAddress?address=x HTTP/1.1\r\nHost: x\r\n";
  const text = String(await answersTo(`HEAD ${rest}\r\n`, `GET ${rest}${closing}\r\n`));
  const [, head, whole] = text.split("HTTP/1.1 ");
  expect(bodyOf(head!)).toBe("");
  expect(headOf(head!)).toEqual(headOf(whole!));
  expect(Buffer.byteLength(bodyOf(whole!))).toBe(Number(/Content-Length: (\d+)/.exec(head!)![1]));
});

it("a client of HTTP/1.0 may keep its connection, or leave it to close", async () => {
  const request = `${get("x")} HTTP/1.0\r\n`;
  const text = String(await answersTo(`${request}Connection: keep-alive\r\n\r\n`, `${request}\r\n`));
  const connections = text.match(/(?<=^Connection: ).*(?=\r$)/gm);
  expect(connections).toEqual(["keep-alive", "close"]);
});
