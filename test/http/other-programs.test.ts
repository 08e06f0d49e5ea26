import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { isLong } from "../helpers/effort.js";
import { plainImplementations, plainRegistry, startApp } from "../helpers/http/app.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const run = promisify(execFile);
const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "rpc.ping" });
const pong = '{"jsonrpc":"2.0","id":1,"ok":true,"result":"pong"}';

async function start(): Promise<string> {
  const app = await startApp({ registry: plainRegistry, implementations: plainImplementations });
  onTestFinished(() => app.close());
  return `${app.url}/jsonRPC`;
}

/** The version that a program prints; empty where it is not installed. */
function versionOf(command: string, flag: string): string {
  const { stdout, stderr } = spawnSync(command, [flag], { encoding: "utf8" });
  return `${stdout ?? ""}${stderr ?? ""}`;
}

const curlOffersHttp2 = /^Features:.*\bHTTP2\b/m.test(versionOf("curl", "--version"));
const hasJava = /version "(?:1[1-9]|[2-9]\d)/.test(versionOf("java", "-version"));

describe.skipIf(!curlOffersHttp2)("curl, installed with HTTP/2,", () => {
  it.each([
    ["offers h2c", ["--http2"]],
    ["offers h2c with a body that it sends in pieces", ["--http2", "-H", "Transfer-Encoding: chunked"]],
    ["offers h2c and waits to be asked for the body", ["--http2", "-H", "Expect: 100-continue"]],
    ["speaks HTTP/1.1", ["--http1.1"]],
  ])("is answered when it %s", async (_, flags) => {
    const url = await start();
    const twice = [...flags, "-sS", "--max-time", "15", "-d", ping, "-w", "\n%{num_connects}\n"];
    const { stdout } = await run("curl", [...twice, url, "--next", ...twice, url]);
    // The second call reuses the connection.
    expect(stdout).toBe(`${pong}\n1\n${pong}\n0\n`);
  });
});

const javaClient = `
import java.net.URI;
import java.net.http.*;

class Calls {
  public static void main(String[] args) throws Exception {
    var client = HttpClient.newHttpClient();
    for (var body : new String[] { args[1], args[1] }) {
      var request = HttpRequest.newBuilder(URI.create(args[0])).header("Content-Type", "application/json")
        .expectContinue(args[2].equals("expect")).POST(HttpRequest.BodyPublishers.ofString(body)).build();
      var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      System.out.println(answer.statusCode() + " " + answer.version() + " " + answer.body());
    }
  }
}
`;

describe.skipIf(!isLong || !hasJava)("Java's HttpClient, which offers h2c by default,", () => {
  it.each(["send", "expect"])("is answered: %s", async (mode) => {
    const url = await start();
    const file = join(temporaryFolder(), "Calls.java");
    writeFileSync(file, javaClient);
    const { stdout } = await run("java", [file, url, ping, mode]);
    expect(stdout).toBe(`200 HTTP_1_1 ${pong}\n`.repeat(2));
  });
});
