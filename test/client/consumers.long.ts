import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { classicTypeScript as ts } from "../helpers/classic-typescript.js";
import { examplesIn } from "../helpers/readmes.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const top = fileURLToPath(new URL("../..", import.meta.url));

const program = `
import type { Sender } from "@ton/core";
import { createClient, http, isRpcError, toNano, type JettonWallet, type Transaction } from "tonwire";
import { getAddressBalance } from "tonwire/methods";
import { TonClient } from "tonwire/ton";
import { formatAddress } from "tonwire/values";
import { startDevnet, type DevnetTrace, type RunningDevnet } from "tonwire/devnet";
import { devnetMatchers } from "tonwire/devnet/test";
import { type WatchedTransaction, watch } from "tonwire/watch";

export const devnet = (): Promise<RunningDevnet> => startDevnet({ mining: "manual", seed: "mine" });
export const fork = () => startDevnet({ fork: { network: "testnet", block: 5, time: "block" } });
export const paid = async (sender: Sender): Promise<DevnetTrace> => {
  const own = await (await devnet()).sender({ allowFailure: true });
  const opened: Sender = own;
  return own.send({ to: sender.address ?? own.address, value: toNano("1"), bounce: opened !== sender });
};
export const matchers: string[] = Object.keys(devnetMatchers);
// @ts-expect-error a fork has no such member
export const forked = () => startDevnet({ fork: { network: "testnet", at: 5 } });
// @ts-expect-error there is no such mining mode
export const never = () => startDevnet({ mining: "never" });
const client = createClient({ transport: http("http://127.0.0.1:9/jsonRPC"), retry: false });
export const seqno = (): Promise<number> => client.getMasterchainInfo().then(({ last }) => last.seqno);
export const newest = (): Promise<Transaction[]> =>
  client.v3.transactions({ limit: 1, sort: "desc" }).then(({ transactions }) => transactions);
export const balanceOf = (wallet: JettonWallet): bigint => BigInt(wallet.balance);
export const wrapped = new TonClient({ client });
export async function* amounts(account: string): AsyncGenerator<string | undefined> {
  const stream = watch(client).transactions({ accounts: [account], onReset: ({ type }) => console.log(type) });
  for await (const { transaction, cursor } of stream) yield transaction.in_msg?.value ?? cursor;
}
export const ltOf = (event: WatchedTransaction): bigint => BigInt(event.transaction.lt);
// @ts-expect-error there is no such finality
export const sure = () => watch(client).actions({ finality: "sure" });
// @ts-expect-error there is no such order
export const wrong = () => client.v3.blocks({ sort: "downwards" });
// @ts-expect-error a parameter is missing
export const missing = () => client.getAddressBalance({});

getAddressBalance(client, { address: "Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF" })
  .catch((error: unknown) => isRpcError(error, "network"))
  .then((failed) => console.log(failed, toNano("1.5"), typeof formatAddress));
`;

/** The tests that the devnet's README shows; the first one has fake timers in addition. */
const [firstTest, timeTest, sendTest, explainTest] = examplesIn("server/devnet/README.md", "ts");
const devnetTest = firstTest!
  .replace('it("pays"', 'vi.useFakeTimers({ toFake: ["Date"], now: 0 });\nit("pays"')
  .replace("expect, it }", "expect, it, vi }");

/** A user's project, with this package among its modules. */
function project(name: string, type: "module" | "commonjs"): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "node_modules", "@ton"), { recursive: true });
  mkdirSync(join(folder, "node_modules", "@types"));
  symlinkSync(top, join(folder, "node_modules", "tonwire"));
  for (const other of ["@ton/core", "@types/node"])
    symlinkSync(join(top, "node_modules", other), join(folder, "node_modules", other));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, private: true, type }));
  writeFileSync(join(folder, "main.ts"), program);
  return folder;
}

const settings = { target: "es2022", lib: ["es2023", "dom"], strict: true, types: ["node"] };

/** Compiles the program of a project; returns what the compiler objects to. */
function compile(folder: string, given: object): string[] {
  const { options, errors } = ts.convertCompilerOptionsFromJson(
    { ...settings, ...given, outDir: "out" },
    folder,
  );
  expect(errors).toEqual([]);
  const compiled = ts.createProgram([join(folder, "main.ts")], options);
  compiled.emit();
  return ts
    .getPreEmitDiagnostics(compiled)
    .map(
      ({ messageText, file }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
}

describe("a program that uses the client", () => {
  it.each([
    ["node10", "commonjs", { module: "commonjs", moduleResolution: "node10", esModuleInterop: true }],
    ["node16", "commonjs", { module: "node16", moduleResolution: "node16" }],
    ["node16", "module", { module: "node16", moduleResolution: "node16" }],
    ["nodenext", "commonjs", { module: "nodenext", moduleResolution: "nodenext" }],
    ["nodenext", "module", { module: "nodenext", moduleResolution: "nodenext" }],
    ["bundler", "module", { module: "esnext", moduleResolution: "bundler" }],
  ] as const)("compiles and runs under %s as %s", (name, type, options) => {
    const folder = project(name, type);
    expect(compile(folder, { ...options, exactOptionalPropertyTypes: true, skipLibCheck: true })).toEqual([]);
    const printed = execFileSync(process.execPath, [join(folder, "out", "main.js")], { encoding: "utf8" });
    expect(printed).toBe("true 1500000000n function\n");
  });

  it("finds no mistake in the declarations themselves", () => {
    const folder = project("strict", "commonjs");
    const options = { module: "commonjs", moduleResolution: "node10", esModuleInterop: true };
    const ours = compile(folder, options).filter((text) => !text.includes("/node_modules/@"));
    expect(ours).toEqual([]);
  });
});

/** Machines of tests can be slower than those of users, for which five seconds are enough. */
const patient = ["--testTimeout", "60000"];

describe("a project's own tests", () => {
  const node = (folder: string, ...args: string[]) =>
    execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", stdio: "pipe" });

  it("start devnets under vitest as the README shows", () => {
    const folder = project("tested", "module");
    symlinkSync(join(top, "node_modules", "vitest"), join(folder, "node_modules", "vitest"));
    writeFileSync(join(folder, "devnet.test.ts"), devnetTest);
    writeFileSync(join(folder, "time.test.ts"), timeTest!);
    writeFileSync(join(folder, "send.test.ts"), sendTest!);
    writeFileSync(join(folder, "explain.test.ts"), explainTest!);
    expect(
      node(folder, join("node_modules", "vitest", "vitest.mjs"), "run", "--root", folder, ...patient),
    ).toMatch(/Tests .*5 passed/);
  });

  it("move their Date along with the chain's time, so that wallets are not refused", () => {
    const folder = project("moved", "commonjs");
    for (const name of ["ton", "crypto"])
      symlinkSync(join(top, "node_modules/@ton", name), join(folder, "node_modules/@ton", name));
    writeFileSync(
      join(folder, "main.js"),
      `const { startDevnet } = require("tonwire/devnet");
       const { internal, TonClient, WalletContractV4 } = require("@ton/ton");
       const { mnemonicToWalletKey } = require("@ton/crypto");
       const year = 366 * 86_400;
       async function afterYear(moveDate) {
         const devnet = await startDevnet({ index: false, moveDate });
         const { mnemonic } = devnet.wallets.find(({ type }) => type === "v4r2");
         const { publicKey, secretKey } = await mnemonicToWalletKey(mnemonic.split(" "));
         const client = new TonClient({ endpoint: devnet.url + "/jsonRPC", apiKey: devnet.key });
         const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey }));
         const messages = [internal({ to: wallet.address, value: "1" })];
         const started = Date.now();
         const now = await devnet.advanceTime(year);
         const moved = [Math.abs(new Date() - 1000 * now) < 60_000, Date.now() - started >= 1000 * (year - 60)];
         const kinds = [new Date() instanceof Date, +new Date(5), typeof Date()];
         const sent = await wallet.sendTransfer({ seqno: 0, secretKey, messages }).then(() => "sent", () => "refused");
         await devnet.close();
         console.log(sent, ...moved, ...kinds, Date.now() - started < 1000 * (year - 60));
       }
       afterYear(true).then(() => afterYear(false));`,
    );
    expect(node(folder, join(folder, "main.js")).split("\n")).toEqual([
      "sent true true true 5 string true",
      "refused false false true 5 string true",
      "",
    ]);
  });

  it("start devnets as CommonJS, several at once, and close them", () => {
    const folder = project("required", "commonjs");
    writeFileSync(
      join(folder, "main.js"),
      `const { startDevnet } = require("tonwire/devnet");
       (async () => {
         const devnets = await Promise.all([startDevnet({ index: false }), startDevnet({ index: false, seed: "b" })]);
         const wallets = new Set(devnets.flatMap(({ wallets }) => wallets.map(({ address }) => address)));
         const seqnos = await Promise.all(devnets.map(({ mine }, index) => mine(index + 1)));
         console.log(new Set(devnets.map(({ url }) => url)).size, wallets.size, seqnos[1] - seqnos[0]);
         await Promise.all(devnets.map(({ close }) => close()));
         await devnets[0].close();
         await devnets[0].mine().catch(({ message }) => console.log(message));
         await startDevnet({ mining: "never", seeds: 1 }).catch(({ message }) => console.log(message));
         await startDevnet({ mining: "never" }).catch(({ message }) => console.log(message));
       })();`,
    );
    expect(node(folder, join(folder, "main.js")).split("\n")).toEqual([
      "2 14 1",
      "the devnet is closed",
      "startDevnet has no option seeds",
      'mining is "never"; allowed: interval, message, manual',
      "",
    ]);
  });
});

describe("checking a first call", () => {
  it("costs a compiler less than 2,000 instantiations of types", () => {
    const folder = project("first", "commonjs");
    const path = join(folder, "first.ts");
    writeFileSync(
      path,
      `import { createClient, http } from "tonwire";
       const client = createClient({ transport: http("/jsonRPC") });
       export const balance = client.getAddressBalance({ address: "a" });
       export const newest = client.v3.transactions({ limit: 1 }).then(({ transactions }) => transactions[0]);`,
    );
    const given = { ...settings, module: "nodenext", types: [], skipLibCheck: true };
    const { options } = ts.convertCompilerOptionsFromJson(given, folder);
    const compiled = ts.createProgram([path], options);
    expect(ts.getPreEmitDiagnostics(compiled)).toEqual([]);
    const count = compiled.getInstantiationCount();
    console.log(`${count} instantiations`);
    expect(count).toBeLessThan(2000);
  });
});
