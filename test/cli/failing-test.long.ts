import { join } from "node:path";
import { Address, Cell } from "@ton/core";
import { expect, it } from "vitest";
import { startDevnet } from "../../server/process/workers/devnet-library.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { bocText, place, testAddress } from "../helpers/contracts/contracts.js";
import { dataOf } from "../helpers/debug/counter-runs.js";
import { Editor } from "../helpers/debug/editor.js";
import { funcCounter, funcCounterCode, lineOf } from "../helpers/debug/func-counter.js";
import { projectWith } from "../helpers/debug/project.js";
import { examplesIn } from "../helpers/readmes.js";
import { startDevnetService } from "../helpers/services/devnet-service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const address = testAddress("c");
const document = "server/devnet/README.md";
/** The command and the configuration that the document shows; the port is one of the test's own. */
const [, optionsShown] = /^npx tonwire debug --port (?:\d+) (.+)$/m
  .exec(examplesIn(document, "sh").join("\n"))!
  .map((each) => each.split(" ")) as [string[], string[]];
const { configurations } = JSON.parse(
  examplesIn(document, "json").find((each) => each.includes('"tonwire"'))!,
) as { configurations: [object] };
const [configurationShown] = configurations;

/** What a test of a user does: it keeps the devnet in a folder, and its message fails. */
async function failIn(data: string): Promise<void> {
  const devnet = await startDevnet({ data });
  const headers = { "Content-Type": "application/json", "X-API-Key": devnet.key };
  const run = async <T>(method: string, params: object = {}): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const answer = await fetch(`${devnet.url}/jsonRPC`, { method: "POST", headers, body });
    return (await answer.json()).result as T;
  };
  await place({ run }, { address, code: funcCounterCode, data: dataOf(1), balance: "1000000000" });
  await devnet.mine();
  const sender = await devnet.sender();
  const body = Cell.fromBase64(bocText(beginCell().storeUint(4, 32).endCell()));
  const sent = sender.send({ to: Address.parse(address), value: 100_000_000n, body });
  await expect(sent).rejects.toThrow("stopped with exit code 1100");
  await devnet.close();
}

it("leads from a failing test to the line, in an editor, once a service has opened the folder of the devnet", async () => {
  const data = join(temporaryFolder(), "devnet");
  await failIn(data);
  const service = await startDevnetService({ data, index: true });
  const asked = { account: [address], limit: 1, sort: "desc" };
  const { transactions } = await service.run<{ transactions: { hash: string }[] }>("v3.transactions", asked);
  // Behind the include each line is one further down.
  const sources = Object.fromEntries(
    funcCounter.snapshot.map(({ filename, content }) => [
      filename,
      filename === "counter.fc" ? `#include "stdlib.fc";\n${content}` : content,
    ]),
  );
  const project = projectWith(sources, ["@ton-community/func-js"]);
  const editor = await Editor.open(service, ...optionsShown.map((word) => (word === "." ? project : word)));
  await editor.launch({ ...configurationShown, transaction: transactions[0]!.hash });
  expect((await editor.frames())[0]).toMatchObject({
    source: { path: join(project, "counter.fc") },
    line: lineOf("throw(1000 + n)") + 1,
  });
  const line = lineOf("throw_unless(100") + 1;
  const source = { path: join(project, "counter.fc") };
  await editor.client.setBreakpointsRequest({ source, breakpoints: [{ line }] });
  await editor.move("reverseContinue");
  expect((await editor.where()).line).toBe(line);
  await service.close();
});
