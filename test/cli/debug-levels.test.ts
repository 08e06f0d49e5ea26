import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { globalConfigText } from "../../server/chain/gateway/global-config.js";
import { serveChain } from "../../server/chain/serve/serve.js";
import type { DevnetChain } from "../../server/devnet/chain/devnet-chain.js";
import { balanceEdit, dataEdit } from "../../server/devnet/genesis/account-edits.js";
import { ChainStore } from "../../server/devnet/storage/chain-store.js";
import { ServedDevnet } from "../../server/devnet/storage/served-devnet.js";
import { externalMessage } from "../../server/devnet/wallets/compose.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { Address } from "../../shared/values/address.js";
import { bytesToHex } from "../../shared/values/bytes.js";
import { openTestChain, ton } from "../helpers/chain/devnet.js";
import { zeroStateOf } from "../helpers/chain/trusted.js";
import { compile } from "../helpers/contracts/tolk.js";
import { folderInRun } from "../helpers/once-per-run.js";
import { openGateway } from "../helpers/peers/gateway-line.js";
import { tonwire } from "../helpers/services/command.js";
import { startService, type TestService } from "../helpers/services/service.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";

/** Stores the same data for each message, whatever it had. */
const forgetful = `
  import "@stdlib/gas-payments"
  fun onExternalMessage() {
    acceptExternalMessage();
    contract.setData(beginCell().storeUint(7, 32).endCell());
  }`;
const contract = new Address(0, new Uint8Array(32).fill(0x5d));
const numberCell = (value: number): Cell => beginCell().storeUint(value, 32).endCell();

describe("the exit code of tonwire debug tells the level of the proof", () => {
  let service: TestService;
  /** Transactions of the contract, whose account was edited before them in their block. */
  let hashes: { sameEnd: string; otherEnd: string };
  beforeAll(async () => {
    const storage = new ChainStore();
    const init = { code: await compile(forgetful), data: numberCell(5) };
    const chain = await openTestChain({ accounts: [{ address: contract, balance: ton, init }], storage });
    await chain.begin();
    const edited = async (number: number, edit: ReturnType<typeof dataEdit>) => {
      await chain.sendTrusted(serializeBoc(externalMessage(contract, numberCell(number))));
      await chain.step({ edits: [edit], noMessages: false });
      return bytesToHex(chain.account(contract.workchain, contract.hash)!.lastTransHash);
    };
    hashes = {
      sameEnd: await edited(1, dataEdit(contract, numberCell(6))),
      otherEnd: await edited(2, balanceEdit(contract, 2n * ton)),
    };
    service = await serviceOn(chain, storage);
    return async () => {
      await service.close();
      await chain.close();
    };
  });

  const debug = (hash: string) => tonwire(["debug", hash, "--url", service.url, "--key", service.key]);

  it("3 if only the state after the run is the chain's", async () => {
    const { code, stdout, stderr } = await debug(hashes.sameEnd);
    expect([code, stderr]).toEqual([3, ""]);
    expect(stdout).toContain("proof: only the account's state after the run is the chain's");
    expect(stdout).toContain("last steps:");
  });

  it("4 if the run ends in another state than the chain's", async () => {
    const { code, stdout, stderr } = await debug(hashes.otherEnd);
    expect([code, stderr]).toEqual([4, ""]);
    expect(stdout).toContain("proof: the run is not the chain's");
    expect(stdout).toContain("last steps:");
  });
});

/** A service with an index that reads a chain by a liteserver. */
async function serviceOn(chain: DevnetChain, storage: ChainStore): Promise<TestService> {
  const unasked = () => Promise.reject(new Error("the service runs and sends nothing here"));
  const lite = serveChain(new ServedDevnet(storage), {
    methods: { runMethod: unasked, randomBytes: (count) => new Uint8Array(count) },
    sendMessage: unasked,
    now: () => chain.lastUtime,
  });
  const { gateway, address } = await openGateway(lite);
  const globalConfig = join(folderInRun("tonwire-debug-levels-"), "devnet.json");
  writeFileSync(globalConfig, globalConfigText({ ...address, zeroState: await zeroStateOf(lite) }));
  const service = await startService({ index: true, globalConfig });
  await untilIndexed(service, chain.head.seqno);
  return {
    ...service,
    async close() {
      await service.close();
      await gateway.close();
    },
  };
}
