import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { MadeTypes } from "../abi/made-abi.js";
import { place, testAddress } from "../contracts/contracts.js";
import type { DevnetService } from "../services/devnet-service.js";
import { sharedService } from "../services/shared-service.js";
import { untilIndexed } from "../services/until-indexed.js";
import { funcCounter, funcCounterCode } from "./func-counter.js";

export const counterAddress = testAddress("c");
const from = testAddress("d");
const operations = { reports: 1, loops: 2, fails: 4 } as const;

export type Counter = {
  service: DevnetService;
  /** Hashes of the counter's transactions: one that sends a message, one with a loop, and one that fails. */
  transactions: Record<keyof typeof operations, string>;
  close(): Promise<void>;
};

/** The counter's data and get-method, in words. */
export function counterAbi(field = "total"): string {
  const types = new MadeTypes();
  const total = types.type({ kind: "uintN", n: 32 });
  return JSON.stringify(
    types.abi({
      contract_name: "counter",
      storage: { storage_ty_idx: types.struct("Storage", { [field]: total }) },
      get_methods: [{ name: "total", tvm_method_id: 100_421, parameters: [], return_ty_idx: total }],
    }),
  );
}

export const dataOf = (total: number) => beginCell().storeUint(total, 32).endCell();

/** A devnet on which the counter in FunC has run. It knows its source map and its ABI if `isKnown`. */
export async function startCounter({ isKnown = true } = {}): Promise<Counter> {
  const service = await sharedService("indexed");
  const files = [
    { file: "counter.json", content: JSON.stringify(funcCounter) },
    { file: "counter.abi.json", content: counterAbi() },
  ];
  if (isKnown) await service.run("v3.debug.artifacts.add", { files });
  await place(service, {
    address: counterAddress,
    code: funcCounterCode,
    data: dataOf(41),
    balance: "5000000000",
  });
  const transactions: Record<string, string> = {};
  for (const [name, operation] of Object.entries(operations)) {
    const body = beginCell().storeUint(operation, 32).storeUint(9, 8).endCell();
    const message = {
      from,
      to: counterAddress,
      value: "1000000000",
      body: bytesToBase64(serializeBoc(body)),
    };
    await service.run("devnet.impersonate", message);
    await untilIndexed(service, await service.mine());
    const asked = { account: [counterAddress], limit: 1, sort: "desc" };
    const found = await service.run<{ transactions: { hash: string }[] }>("v3.transactions", asked);
    transactions[name] = found.transactions[0]!.hash;
  }
  return {
    service,
    transactions: transactions as Counter["transactions"],
    async close() {
      if (isKnown) for (const { file } of files) await service.run("v3.debug.artifacts.remove", { file });
      await service.close();
    },
  };
}
