import { once } from "node:events";
import * as fs from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { makeFolder } from "../../../server/os/folder.js";
import { replaceFile } from "../../../server/os/replace-file.js";
import { fromWire, toWire, type Wire, type WireAnswer } from "./page/remote.js";
import { SuiteChains } from "./suite-chains.js";

type Call = (...args: never[]) => unknown;

/** Serves the page with the suites, and runs what they call outside it. */
export async function serveSuites(script: string) {
  const chains = new SuiteChains();
  const calls = callsOf(chains);
  const answer = async (text: string): Promise<WireAnswer> => {
    const { name, args } = JSON.parse(text) as { name: string; args: Wire[] };
    const call = calls.get(name);
    if (!call) throw new Error(`pages do not call ${name}`);
    try {
      return toWire(await call(...(args.map(fromWire) as never[])));
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      return { error: { message, code } };
    }
  };
  const server = createServer(async (request, response) => {
    if (request.url === "/call") {
      const text = Buffer.concat(await request.toArray()).toString();
      response.setHeader("Content-Type", "application/json").end(JSON.stringify(await answer(text)));
    } else if (request.url === "/suites.js")
      response.setHeader("Content-Type", "text/javascript").end(script);
    else
      response
        .setHeader("Content-Type", "text/html")
        .end('<!doctype html><link rel="icon" href="data:,"><script src="/suites.js"></script>');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      server.close();
      await chains.closeAll();
    },
  };
}

function callsOf(chains: SuiteChains): Map<string, Call> {
  const { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } = fs;
  const { renameSync, rmSync, writeFileSync } = fs;
  const files = {
    existsSync,
    mkdirSync,
    mkdtempSync,
    readFileSync,
    readdirSync,
    renameSync,
    rmSync,
    writeFileSync,
  };
  const ofChains = ["open", "ask", "advance", "message", "blocks", "keyBlocks", "close"] as const;
  return new Map<string, Call>([
    ...Object.entries(files as Record<string, Call>),
    ["makeFolder", makeFolder],
    ["replaceFile", replaceFile as Call],
    ...ofChains.map((name): [string, Call] => [name, (...args) => (chains[name] as Call)(...args)]),
  ]);
}
