import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { internet } from "../../server/metadata/network.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const signal = new AbortController().signal;

function haveOpenssl(): boolean {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A certificate for `tokens.example` that only the test trusts. */
function selfSigned() {
  const folder = temporaryFolder();
  const [key, cert] = [`${folder}/key.pem`, `${folder}/cert.pem`];
  const subject = ["-subj", "/CN=tokens.example", "-addext", "subjectAltName=DNS:tokens.example"];
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, ...subject];
  execFileSync("openssl", made, { stdio: "ignore" });
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

describe("A connection for metadata", () => {
  it("goes to the given address, for any host name", async () => {
    const server = createServer((socket) => socket.end("hello"));
    onTestFinished(() => void server.close());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const endpoint = { address: "127.0.0.1", port, host: "tokens.example", tls: false };
    const socket = await internet.connect(endpoint, signal);
    const [received] = await once(socket, "data");
    expect(String(received)).toBe("hello");
    socket.destroy();
  });

  it.skipIf(!haveOpenssl())(
    "asks for the host's certificate, and refuses one that is not trusted",
    async () => {
      const asked: unknown[] = [];
      const server = createTlsServer({
        ...selfSigned(),
        SNICallback: (name, done) => {
          asked.push(name);
          done(null);
        },
      });
      server.on("tlsClientError", () => {});
      onTestFinished(() => void server.close());
      await once(server.listen(0, "127.0.0.1"), "listening");
      const { port } = server.address() as AddressInfo;
      const endpoint = { address: "127.0.0.1", port, host: "tokens.example", tls: true };
      await expect(internet.connect(endpoint, signal)).rejects.toThrow("self-signed certificate");
      expect(asked).toEqual(["tokens.example"]);
      await expect(internet.connect({ ...endpoint, host: "127.0.0.1" }, signal)).rejects.toThrow(
        "self-signed certificate",
      );
    },
  );

  it("ends with its signal", async () => {
    // A TLS server that never answers.
    const server = createServer(() => {});
    onTestFinished(() => void server.close());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const ending = new AbortController();
    const endpoint = { address: "127.0.0.1", port, host: "tokens.example", tls: true };
    const connecting = internet.connect(endpoint, ending.signal);
    await once(server, "connection");
    ending.abort();
    await expect(connecting).rejects.toThrow("aborted");
  });
});
