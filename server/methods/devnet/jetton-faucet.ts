import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { Answer, addressSlice, type GetMethods, ifSuch } from "../../../shared/ton/contracts/get-method.js";
import { readJettonMaster, readPlainWallet } from "../../../shared/ton/contracts/jetton.js";
import { accountIdOf, addressOfId } from "../../../shared/ton/lite/account-id.js";
import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { Address } from "../../../shared/values/address.js";
import { type ContractDeps, getMethodsAt } from "../../contracts/methods-at.js";
import type { DevnetControls, Receipt } from "../../devnet/control/controls.js";
import { DevnetError } from "../../devnet/devnet-error.js";
import { mintBody } from "../../devnet/story/contracts/jetton.js";

export type JettonFaucetDeps = {
  controls: Pick<DevnetControls, "contracts" | "impersonate" | "mine">;
  contracts: ContractDeps;
};

type Order = { address: Address; amount: bigint; jetton?: Address | undefined };

/** Opcodes of mint messages: most minters', and governed stablecoins'. */
const mintOpcodes = [21, 0x642b7d07];
const value = 1_000_000_000n;
/** The part of `value` for the new wallet. */
const tons = 200_000_000n;
/** The jettons arrive in the mint's block, unless it is full. */
const moreBlocks = 2;

/**
 * Makes the jetton's admin mint. Throws `DevnetError` if there is no admin, or if the jettons do not arrive. Waits for
 * the rest of the trace as the controls do.
 */
export async function giveJettons(
  { address: to, amount, jetton }: Order,
  { controls, contracts }: JettonFaucetDeps,
  maxMs: number,
  call: LiteCall,
): Promise<Receipt> {
  const at = (block: BlockIdExt) => getMethodsAt(block, contracts, call);
  const newest = at(await contracts.reader.blockAt(undefined, call));
  const master = jetton ?? (await sampleJetton(controls));
  const admin = await adminOf(newest, master);
  const wallet = (await Answer.of(newest, master, "get_wallet_address", [addressSlice(to)])).address(0);
  const before = await balanceOf(newest, wallet);
  for (const opcode of mintOpcodes) {
    const body = serializeBoc(mintBody(opcode, master, { to, amount, tons, queryId: 0 }));
    const message = { from: accountIdOf(admin), to: accountIdOf(master), value, body };
    const { end, ...receipt } = await controls.impersonate(message, maxMs);
    let block = end.block ?? receipt.block;
    for (let made = 0; ; made++) {
      if ((await balanceOf(at(block), wallet)) - before >= amount)
        return { ...receipt, end: { ...end, block } };
      if (made === moreBlocks) break;
      block = (await controls.mine(1)).block;
    }
  }
  throw new DevnetError("conflict", `the jetton ${master.toRaw()} does not mint for its admin`);
}

async function sampleJetton(controls: JettonFaucetDeps["controls"]): Promise<Address> {
  const found = (await controls.contracts()).find(({ kind }) => kind === "jetton_master");
  if (!found) throw new DevnetError("not-found", "the devnet has no sample jetton; name one as jetton");
  return addressOfId(found.account);
}

async function adminOf(methods: GetMethods, master: Address): Promise<Address> {
  const data = await ifSuch(readJettonMaster(methods, master));
  if (!data) throw new DevnetError("not-found", `${master.toRaw()} is no jetton`);
  if (!data.admin) throw new DevnetError("conflict", `the jetton ${master.toRaw()} has no admin`);
  return data.admin;
}

/** 0 if there is no wallet. */
async function balanceOf(methods: GetMethods, wallet: Address): Promise<bigint> {
  return (await ifSuch(readPlainWallet(methods, wallet)))?.balance ?? 0n;
}
