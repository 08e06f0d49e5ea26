import { beforeAll, describe, expect, it } from "vitest";
import { jettonBurnBody, jettonTransferBody } from "../../../server/devnet/story/contracts/jetton.js";
import { MintlessJetton } from "../../../server/devnet/story/contracts/mintless-jetton.js";
import { offchainContent } from "../../../server/devnet/story/contracts/token-content.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { Answer, addressSlice } from "../../../shared/ton/contracts/get-method.js";
import { readJettonMaster, readJettonWallet } from "../../../shared/ton/contracts/jetton.js";
import type { Address } from "../../../shared/values/address.js";
import { ton } from "../../helpers/chain/devnet.js";
import { ContractChain, paidTo, testAccount } from "../../helpers/contracts/contract-chain.js";

const chain = new ContractChain();
const [admin, ann, ben, late, early, stranger] = [1, 2, 3, 4, 5, 6].map(testAccount) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const always = { startFrom: 0, expireAt: 0xffffffff };
const content = offchainContent("https://tokens.example/mintless.json");
const jetton = new MintlessJetton(admin, content, [
  { owner: ann, amount: 1000n, ...always },
  { owner: ben, amount: 50n, ...always },
  { owner: late, amount: 7n, startFrom: 0, expireAt: 5 },
  { owner: early, amount: 8n, startFrom: 0xfffffff0, expireAt: 0xffffffff },
]);
/** A jetton with the same minter and another airdrop. */
const other = new MintlessJetton(admin, content, [{ owner: stranger, amount: 9999n, ...always }]);

beforeAll(async () => {
  await chain.send({ from: admin, to: jetton.address, init: jetton.init });
});

const balanceOf = async (owner: Address) => (await readJettonWallet(chain, jetton.walletOf(owner))).balance;
const isClaimed = async (owner: Address) =>
  (await Answer.of(chain, jetton.walletOf(owner), "is_claimed")).flag(0);
const supply = async () => (await readJettonMaster(chain, jetton.address)).totalSupply;

type Wish = { to?: Address; amount?: bigint; customPayload?: Cell; value?: bigint };
const transfer = (owner: Address, { to = stranger, amount = 1n, customPayload, value = ton }: Wish) =>
  chain.send({
    from: owner,
    to: jetton.walletOf(owner),
    value,
    init: jetton.walletInit(owner),
    body: jettonTransferBody({ to, amount, excessesTo: owner, forwardTons: 5n, customPayload, queryId: 3 }),
  });
const exitOfTransfer = async (...args: Parameters<typeof transfer>) => (await transfer(...args))[0]!.exitCode;

describe("a mintless jetton", () => {
  it("has a master that names its wallets", async () => {
    expect(await readJettonMaster(chain, jetton.address)).toMatchObject({ totalSupply: 1065n, admin });
    const answer = await Answer.of(chain, jetton.address, "get_wallet_address", [addressSlice(ann)]);
    expect(answer.address(0)).toEqual(jetton.walletOf(ann));
    const body = beginCell()
      .storeUint(0x2c76b973, 32)
      .storeUint(1, 64)
      .storeAddress(ann)
      .storeBit(true)
      .endCell();
    const sent = await chain.send({ from: stranger, to: jetton.address, body });
    expect(sent.map(({ to, op }) => to.equals(stranger) && op)).toContain(0xd1735400);
  });

  it("is claimed once, with a transfer that proves the owner's part", async () => {
    expect(await exitOfTransfer(ann, {})).toBe(47);
    const sent = await transfer(ann, { amount: 100n, customPayload: jetton.claim(ann) });
    expect(sent.map(({ to, op }) => to.equals(stranger) && op)).toContain(0x7362d09c);
    expect(paidTo(ann, sent)).toBeGreaterThan((9n * ton) / 10n);
    expect([await balanceOf(ann), await isClaimed(ann)]).toEqual([900n, true]);
    expect([await balanceOf(stranger), await isClaimed(stranger)]).toEqual([100n, false]);
    expect(await exitOfTransfer(ann, { customPayload: jetton.claim(ann) })).toBe(54);
    expect(await exitOfTransfer(ann, { amount: 901n })).toBe(47);
  });

  it("gives nothing for another owner's proof, for another airdrop's, or without a proof", async () => {
    // The proof of Ann's entry has others pruned, so the dictionary cannot be read there.
    expect(await exitOfTransfer(late, { customPayload: jetton.claim(ann) })).toBe(9);
    expect(await exitOfTransfer(stranger, { customPayload: other.claim(stranger) })).toBe(53);
    const noProof = beginCell().storeUint(0x0df602d6, 32).storeRef(content).endCell();
    expect(await exitOfTransfer(stranger, { customPayload: noProof })).toBe(53);
    await transfer(ben, { amount: 50n, customPayload: jetton.claim(ben) });
    expect([await balanceOf(ben), await isClaimed(ben)]).toEqual([0n, true]);
  });

  it("gives nothing before or after the time of an entry", async () => {
    expect(await exitOfTransfer(late, { customPayload: jetton.claim(late) })).toBe(57);
    expect(await exitOfTransfer(early, { customPayload: jetton.claim(early) })).toBe(56);
  });

  it("moves for its owner only, with enough money for both wallets", async () => {
    const body = jettonTransferBody({ to: stranger, amount: 1n, excessesTo: ann, queryId: 3 });
    expect(await chain.exitCode({ from: stranger, to: jetton.walletOf(ann), body })).toBe(73);
    expect(await exitOfTransfer(ann, { value: ton / 10n })).toBe(48);
    const forged = beginCell()
      .storeUint(0x178d4519, 32)
      .storeUint(1, 64)
      .storeCoins(1_000_000n)
      .storeAddress(stranger)
      .storeAddress(undefined)
      .storeCoins(0n)
      .storeBit(false)
      .endCell();
    expect(await chain.exitCode({ from: stranger, to: jetton.walletOf(ann), body: forged })).toBe(73);
  });

  it("is minted by its admin, and burned by owners", async () => {
    const body = jetton.mintBody({ to: late, amount: 70n, tons: ton / 5n, queryId: 4 });
    expect(await chain.exitCode({ from: stranger, to: jetton.address, body })).toBe(73);
    const poor = jetton.mintBody({ to: late, amount: 70n, tons: ton / 100n, queryId: 4 });
    expect(await chain.exitCode({ from: admin, to: jetton.address, body: poor })).toBe(48);
    const before = await supply();
    expect(await chain.exitCode({ from: admin, to: jetton.address, body })).toBe(0);
    expect([await balanceOf(late), (await supply()) - before]).toEqual([70n, 70n]);
    const burn = { to: jetton.walletOf(late), body: jettonBurnBody(30n, late, 5) };
    expect(await chain.exitCode({ ...burn, from: stranger })).toBe(73);
    expect(await chain.exitCode({ ...burn, from: late })).toBe(0);
    expect([await balanceOf(late), (await supply()) - before]).toEqual([40n, 40n]);
    const notification = beginCell()
      .storeUint(0x7bdd97de, 32)
      .storeUint(1, 64)
      .storeCoins(1n)
      .storeAddress(late)
      .storeAddress(undefined)
      .endCell();
    expect(await chain.exitCode({ from: late, to: jetton.address, body: notification })).toBe(73);
  });
});
