import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { stage } from "../../.ci/packages.mjs";
import { serve } from "../helpers/peers/rpc-server.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const top = fileURLToPath(new URL("../..", import.meta.url));

/** A project of a user, in the order in which it fails. */
const failing = `
import { WalletContractV4 } from "@ton/ton";
import { createClient, http } from "tonwire";
import { TonClient } from "tonwire/ton";
import { watch } from "tonwire/watch";
import { it } from "vitest";

const client = createClient({ transport: http(process.env.SERVICE!), retry: false });

it("asks", async () => {
  await client.getMasterchainInfo(); // fails
});
it("asks for several things", async () => {
  await Promise.all([client.getMasterchainInfo(), client.v3.blocks({})]); // fails
});
async function seqno() {
  const wallet = WalletContractV4.create({ workchain: 0, publicKey: Buffer.alloc(32) });
  return await new TonClient({ client }).open(wallet).getSeqno(); // fails
}
it("asks a contract by a helper", async () => {
  await seqno();
});
it("watches", async () => {
  for await (const block of watch(client).blocks()) console.log(block); // fails
});
`;

it("vitest shows the line of a test that made a call which failed", async () => {
  const { url } = await serve((_, response) => response.writeHead(401).end("{}"));
  const folder = temporaryFolder();
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@ton"), { recursive: true });
  // As installed: files that are linked would count as those of the project.
  stage("tonwire", join(modules, "tonwire"));
  for (const name of ["@ton/core", "@ton/ton", "vitest", "ws"])
    symlinkSync(join(top, "node_modules", name), join(modules, name));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  writeFileSync(join(folder, "failing.test.ts"), failing);
  const vitest = spawn(process.execPath, [join(modules, "vitest", "vitest.mjs"), "run", "--root", folder], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1", SERVICE: url },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const stderr = await text(vitest.stderr);
  const lines = failing.split("\n");
  const marked = [...stderr.matchAll(/^ +(\d+)\|.*\n +\| +\^$/gm)].map(([, at]) => lines[Number(at) - 1]);
  expect(marked, stderr).toEqual(lines.filter((line) => line.endsWith("// fails")));
});
