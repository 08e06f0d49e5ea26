import { beforeEach, describe, expect, it } from "vitest";
import {
  approveBody,
  Multisig,
  newOrderBody,
  sendAction,
  updateAction,
} from "../../../server/devnet/story/contracts/multisig.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { Dictionary, uintKey } from "../../../shared/ton/cells/dictionaries/dictionary.js";
import { Answer } from "../../../shared/ton/contracts/get-method.js";
import { cellRef } from "../../../shared/ton/tlb/primitives.js";
import type { Address } from "../../../shared/values/address.js";
import { ton } from "../../helpers/chain/devnet.js";
import { ContractChain, paidTo, testAccount } from "../../helpers/contracts/contract-chain.js";

const chain = new ContractChain();
const [ann, ben, cleo, paul, stranger, payee] = [1, 2, 3, 4, 5, 6].map(testAccount) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const members = { threshold: 2, signers: [ann, ben, cleo], proposers: [paul] };
const never = 0xffffffff;
const accepted = 0x82609bf6;
const rejected = 0xafaf283e;
const [spend, spendOther] = [3n, 4n].map((amount) =>
  sendAction({ to: payee, value: amount * ton, bounce: false }),
) as [Cell, Cell];

let multisig: Multisig;
let deployments = 0n;
beforeEach(async () => {
  // A separate wallet for each test: an unknown proposer makes its address unique.
  const proposers = [...members.proposers, testAccount(100 + Number(deployments++))];
  multisig = new Multisig({ ...members, proposers });
  await chain.send({ from: ann, to: multisig.address, value: 100n * ton, init: multisig.init });
});

type Made = Partial<Parameters<typeof newOrderBody>[0]>;
const create = (from: Address, made: Made = {}, to = multisig.address) => {
  const order = { actions: [spend], from: { signer: 0 }, expiresAt: never, queryId: 1, ...made };
  return chain.send({ from, to, body: newOrderBody(order) });
};
const exitOfCreate = async (...args: Parameters<typeof create>) => (await create(...args))[0]!.exitCode;
const approve = (from: Address, signer: number, order = multisig.order(0n), at?: number) =>
  chain.send({ from, to: order, body: approveBody(signer, 2), ...(at !== undefined && { at }) });

async function multisigData(address = multisig.address) {
  const data = await Answer.of(chain, address, "get_multisig_data");
  return { nextSeqno: data.int(0), threshold: data.int(1), signers: addressesIn(data.cell(2)) };
}

function addressesIn(root: Cell): Address[] {
  const address = { store: () => {}, load: (slice: ReturnType<Cell["parse"]>) => slice.loadAddress()! };
  return [...Dictionary.loadDirect(root, uintKey(8), address).values()];
}

async function orderData(order: Address) {
  const data = await Answer.of(chain, order, "get_order_data");
  return {
    multisig: data.address(0),
    seqno: data.int(1),
    threshold: data.int(2),
    isSent: data.flag(3),
    signers: addressesIn(data.cell(4)),
    approvals: data.int(5),
    approvalsNum: data.int(6),
    expiresAt: data.int(7),
    actions: [...Dictionary.loadDirect(data.cell(8), uintKey(8), cellRef).values()].map((action) =>
      action.hashHex(),
    ),
  };
}

describe("a multisig wallet", () => {
  it("returns its members, and the addresses of its orders", async () => {
    const data = await Answer.of(chain, multisig.address, "get_multisig_data");
    expect([data.int(0), data.int(1), addressesIn(data.cell(2))]).toEqual([0n, 2n, members.signers]);
    expect(addressesIn(data.cell(3))[0]).toEqual(paul);
    for (const seqno of [0n, 7n]) {
      const answer = await Answer.of(chain, multisig.address, "get_order_address", [
        { type: "int", value: seqno },
      ]);
      expect(answer.address(0)).toEqual(multisig.order(seqno));
    }
  });

  it("takes orders from its members only, in time, and in the order of their numbers", async () => {
    expect(await exitOfCreate(stranger)).toBe(1061);
    expect(await exitOfCreate(ben, { from: { signer: 0 } })).toBe(1061);
    expect(await exitOfCreate(ann, { from: { signer: 9 } })).toBe(1061);
    expect(await exitOfCreate(ann, { from: { proposer: 0 } })).toBe(1061);
    expect(await exitOfCreate(ann, { expiresAt: chain.now - 1 })).toBe(1064);
    expect(await exitOfCreate(ann, { seqno: 1n })).toBe(1063);
    expect(await exitOfCreate(ann, { seqno: 0n })).toBe(0);
    expect(await exitOfCreate(paul, { from: { proposer: 0 } })).toBe(0);
    expect(await multisigData()).toMatchObject({ nextSeqno: 2n });
  });

  it("executes an order once enough signers have approved it", async () => {
    await create(ann);
    const order = multisig.order(0n);
    expect(await orderData(order)).toEqual({
      multisig: multisig.address,
      seqno: 0n,
      threshold: 2n,
      isSent: false,
      signers: members.signers,
      approvals: 1n,
      approvalsNum: 1n,
      expiresAt: BigInt(never),
      actions: [spend.hashHex()],
    });
    const sent = await approve(cleo, 2);
    expect(sent.filter(({ to }) => to.equals(cleo)).map(({ op }) => op)).toEqual([accepted]);
    expect(paidTo(payee, sent)).toBe(3n * ton);
    expect(await orderData(order)).toMatchObject({ isSent: true, approvals: 5n, approvalsNum: 2n });
    const again = await approve(ben, 1);
    expect(again.at(-1)).toMatchObject({ op: rejected });
    expect(paidTo(payee, again)).toBe(0n);
  });

  it("takes a proposer's order as one without approvals", async () => {
    await create(paul, { from: { proposer: 0 }, actions: [spend, spendOther] });
    expect(await orderData(multisig.order(0n))).toMatchObject({ approvals: 0n, approvalsNum: 0n });
    await approve(ann, 0);
    expect(paidTo(payee, await approve(ben, 1))).toBe(7n * ton);
  });

  it("counts no approval of strangers, of the same signer twice, or too late", async () => {
    const expiresAt = chain.now + 100;
    await create(ann, { expiresAt });
    const order = multisig.order(0n);
    expect((await approve(stranger, 1))[0]).toMatchObject({ exitCode: 106 });
    expect((await approve(ben, 2))[0]).toMatchObject({ exitCode: 106 });
    expect((await approve(ann, 0)).at(-1)).toMatchObject({ op: rejected });
    expect((await approve(ben, 1, order, expiresAt + 1)).at(-1)).toMatchObject({ op: rejected });
    expect(await orderData(order)).toMatchObject({ isSent: false, approvals: 1n });
  });

  it("replaces its members by an order, after which older orders are void", async () => {
    await create(ann, { actions: [spend] });
    await create(ann, { actions: [updateAction({ threshold: 1, signers: [stranger], proposers: [] })] });
    await approve(ben, 1, multisig.order(1n));
    expect(await multisigData()).toEqual({ nextSeqno: 2n, threshold: 1n, signers: [stranger] });
    const void_ = await approve(ben, 1, multisig.order(0n));
    expect(void_.find(({ to }) => to.equals(multisig.address))).toMatchObject({ exitCode: 1065 });
    expect(paidTo(payee, void_)).toBe(0n);
    expect(paidTo(payee, await create(stranger))).toBe(3n * ton);
  });

  it("keeps its members when an order asks for impossible ones", async () => {
    await create(ann, { actions: [updateAction({ threshold: 3, signers: [stranger], proposers: [] })] });
    const sent = await approve(ben, 1);
    expect(sent.find(({ to }) => to.equals(multisig.address))).toMatchObject({ exitCode: 1067 });
    expect(await multisigData()).toMatchObject({ threshold: 2n, signers: members.signers });
  });

  it("executes requests of its orders only", async () => {
    const signersHash = (await Answer.of(chain, multisig.address, "get_multisig_data")).cell(2).hash();
    const forged = beginCell()
      .storeUint(0x75097f5d, 32)
      .storeUint(1, 64)
      .storeUint(0n, 256)
      .storeUint(never, 48)
      .storeUint(2, 8)
      .storeBytes(signersHash)
      .storeRef(Dictionary.empty(uintKey(8), cellRef).set(0, spend).root!);
    const execute = forged.endCell();
    expect(await chain.exitCode({ from: ann, to: multisig.address, body: execute })).toBe(1061);
    expect(await chain.exitCode({ from: ann, to: multisig.address, body: internalExecution })).toBe(1061);
  });
});

const internalExecution = beginCell()
  .storeUint(0xa32c59bf, 32)
  .storeUint(1, 64)
  .storeRef(Dictionary.empty(uintKey(8), cellRef).set(0, spend).root!)
  .endCell();

describe("a multisig wallet without numbering", () => {
  it("leaves the number to the creator; the same order again is an approval", async () => {
    const free = new Multisig(members, { freeSeqnos: true });
    await chain.send({ from: ann, to: free.address, value: 100n * ton, init: free.init });
    expect(await multisigData(free.address)).toMatchObject({ nextSeqno: -1n });
    await create(ann, { seqno: 99n }, free.address);
    expect(await orderData(free.order(99n))).toMatchObject({ seqno: 99n, approvals: 1n });
    const other = await create(ben, { seqno: 99n, from: { signer: 1 }, actions: [spendOther] }, free.address);
    expect(other.find(({ to }) => to.equals(free.order(99n)))).toMatchObject({ exitCode: 114 });
    const again = await create(ben, { seqno: 99n, from: { signer: 1 } }, free.address);
    expect(paidTo(payee, again)).toBe(3n * ton);
  });
});

describe("an order", () => {
  it("is made by its wallet only", async () => {
    await create(ann);
    const init = beginCell().storeUint(0x9c73fba2, 32).storeUint(1, 64).storeUint(1, 8);
    const body = init.storeRef(Cell.empty).storeUint(never, 48).storeRef(spend).storeBit(false).endCell();
    expect(await chain.exitCode({ from: ann, to: multisig.order(0n), body })).toBe(106);
    expect(await chain.exitCode({ from: ann, to: multisig.order(0n), body: internalExecution })).toBe(0xffff);
  });
});
