import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { beforeAll, describe, expect, it, test } from "vitest";
import { beginCell } from "../../../server/cells/builder.js";
import { Executor } from "../../../server/chain/executor/executor.js";
import { methodId } from "../../../server/chain/executor/method-id.js";
import { openNativeLibrary } from "../../../server/chain/executor/native-library.js";
import { ExecutorPool } from "../../../server/chain/executor/pool.js";
import type { TransactionRequest } from "../../../server/chain/executor/requests.js";
import { configWith } from "../../../server/config/settings.js";
import { contractCode } from "../../../server/devnet/contracts/codes.js";
import { createService } from "../../../server/process/service.js";
import {
  account,
  configOfVersion,
  externalMessage,
  internalMessage,
  testTime,
} from "../../helpers/sample-chain.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { deployed, describeExecutor } from "./executor-cases.js";

const library = process.env["TONWIRE_TVM_LIBRARY"];
/** Known to every library, as the functions that are needed are not older. */
const config = configOfVersion(8);

describe("a library that cannot be used", () => {
  it("is named if there is no such file", async () => {
    const path = join(import.meta.dirname, "missing.so");
    await expect(openNativeLibrary(path)).rejects.toMatchObject({
      isSetupError: true,
      message: expect.stringContaining(`The TVM library ${path} cannot be loaded`),
    });
  });

  it("is named if the file is no library", async () => {
    const path = fileURLToPath(import.meta.url);
    await expect(openNativeLibrary(path)).rejects.toMatchObject({
      isSetupError: true,
      message: expect.stringContaining(`The TVM library ${path} cannot be loaded`),
    });
  });

  it("is named with the functions that it lacks", async () => {
    const other = otherLibrary();
    await expect(openNativeLibrary(other)).rejects.toMatchObject({
      isSetupError: true,
      message: expect.stringMatching(/^The TVM library .+ lacks .+ transaction_emulator_create,/),
    });
  });

  it("is not opened without koffi; the error explains how to install it", () => {
    // A separate module outside of the tree does not find the package.
    const folder = temporaryFolder();
    buildSync({
      entryPoints: [
        fileURLToPath(new URL("../../../server/chain/executor/native-library.ts", import.meta.url)),
      ],
      outfile: join(folder, "library.mjs"),
      bundle: true,
      external: ["koffi"],
      platform: "node",
      format: "esm",
    });
    const script = `
      import { openNativeLibrary } from ${JSON.stringify(pathToFileURL(join(folder, "library.mjs")).href)};
      await openNativeLibrary("any.so").catch(({ message, isSetupError }) => console.log(isSetupError, message));`;
    const said = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect(said).toBe(
      "true A TVM library needs the package koffi, which is not installed: npm install koffi\n",
    );
  });
});

it("a service does not start with a library that cannot be used", async () => {
  const service = createService(
    configWith({
      tvmLibrary: join(import.meta.dirname, "missing.so"),
      port: 0,
      adminPort: 0,
      index: false,
      logLevel: "silent",
    }),
  );
  await expect(service.listen()).rejects.toMatchObject({
    isSetupError: true,
    message: expect.stringMatching(/^The TVM library .+missing\.so cannot be loaded/),
  });
  await service.close();
});

/** koffi itself: a library that the machine has. */
function otherLibrary(): string {
  const folder = fileURLToPath(new URL("../../../node_modules/@koromix", import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return join(folder, files.find((file) => file.endsWith(".node"))!);
}

if (library === undefined) test.skip("a native library: TONWIRE_TVM_LIBRARY does not name one", () => {});
else
  describe("natively", async () => {
    const native = { native: { library, runsMethods: true } };
    const { setExtraCurrencies } = await openNativeLibrary(library);
    describeExecutor({
      create: () => Executor.create(native),
      config,
      isNative: true,
      isPlain: false,
      hasExtraCurrencies: setExtraCurrencies !== undefined,
    });

    const seed = new Uint8Array(32).fill(7);
    const environment = { config, now: testTime, randSeed: seed };
    const code = contractCode("wallet v4 r2");
    const data = beginCell().storeUint(42, 32).storeUint(1, 32).storeBytes(seed).storeBit(false).endCell();
    const seqno = {
      ...{ ...environment, code, data, address: account, balance: 5n },
      ...{ methodId: methodId("seqno"), stack: [] },
    };
    let wasm: Executor;
    let transfer: TransactionRequest;
    beforeAll(async () => {
      wasm = await Executor.create();
      const { address, shardAccount } = deployed(wasm, { code, data, config });
      const message = externalMessage(address, transferOf(internalMessage({ value: 7n })));
      transfer = { ...environment, shardAccount, message, lt: 2n ** 63n + 5n, ignoreSignatures: true };
    });

    it("a wallet's transfer is the same transaction as in WebAssembly, and leaves the same account", async () => {
      const [ours, theirs] = [await Executor.create(native), wasm].map((executor) => {
        const result = executor.runTransaction(transfer);
        if (result.outcome !== "done") throw new Error(result.reason);
        const { transaction, shardAccount, actions } = result;
        return [transaction, shardAccount, actions!].map((cell) => cell.hashHex());
      });
      expect(ours).toEqual(theirs);
    });

    it.each([true, false])("threads of a pool load it, too, for get-methods: %s", async (runsMethods) => {
      const pool = new ExecutorPool({ threads: 2, tvm: { native: { library, runsMethods } } });
      const expected = wasm.runMethod(seqno);
      const wanted = wasm.runTransaction(transfer);
      if (wanted.outcome !== "done") throw new Error(wanted.reason);
      const methods = await Promise.all(Array.from({ length: 20 }, () => pool.runMethod(seqno)));
      const transactions = await Promise.all(Array.from({ length: 20 }, () => pool.runTransaction(transfer)));
      await pool.close();
      for (const result of methods) expect(result).toEqual(expected);
      for (const result of transactions)
        expect(result.outcome === "done" && result.transaction.hashHex()).toBe(wanted.transaction.hashHex());
    });
  });

/** The body of an external message to a wallet v4, with a signature of zeros. */
function transferOf(message: ReturnType<typeof internalMessage>) {
  const body = beginCell()
    .storeBytes(new Uint8Array(64))
    .storeUint(1, 32)
    .storeUint(2 ** 32 - 1, 32);
  return body.storeUint(42, 32).storeUint(0, 8).storeUint(3, 8).storeRef(message).endCell();
}
