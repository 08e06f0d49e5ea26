import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Executor } from "../../../server/chain/executor/executor.js";
import { requestedMessage } from "../../../server/contracts/wallet-order.js";
import { contractCode } from "../../../server/devnet/contracts/codes.js";
import { electorAddress } from "../../../server/devnet/genesis/initial-config.js";
import { SingleNominator } from "../../../server/devnet/story/contracts/single-nominator.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { ton } from "../../helpers/chain/devnet.js";
import { sharedExecutor } from "../../helpers/chain/shared-executor.js";
import { ContractChain, paidTo } from "../../helpers/contracts/contract-chain.js";
import { LoneContract, type Ran } from "../../helpers/contracts/lone-contract.js";
import { recoverBody, stakeBody, stakeOrderBody } from "../../helpers/elections/election-bodies.js";
import { electionConfig, firstSetTime, stakeHolder, testKey } from "../../helpers/elections/elections.js";
import { letterComment, loneValidatorSet, stakingRequest } from "../../helpers/elections/staking-requests.js";

const [owner, stranger] = [stakeHolder(11, 0), stakeHolder(12, 0)];
const [validator, another] = [stakeHolder(1), stakeHolder(2)];
const stakeAt = firstSetTime + 65_536;
const funds = 100_000n * ton;

const withdrawal = (amount: bigint) => stakingRequest(0x1000).storeCoins(amount).endCell();
const newValidator = (to = another) => stakingRequest(0x1001).storeAddress(to).endCell();

const chain = new ContractChain();
let executor: Executor;
let contract: LoneContract;
let now: number;

beforeAll(async () => {
  executor = await sharedExecutor();
});

beforeEach(() => {
  now = firstSetTime + 10;
  const { init, address } = new SingleNominator({ owner, validator });
  contract = new LoneContract({
    ...{ executor, address, balance: funds, config: electionConfig({ current: loneValidatorSet(1) }).root! },
    ...{ code: init.code!, data: init.data! },
  });
});

const receive = (from: typeof owner, body?: Cell, value = 2n * ton): Ran =>
  contract.receive({ from, value, at: ++now, ...(body && { body }) });
const stake = (amount: bigint, queryId = 1n) =>
  stakeOrderBody(amount, { key: testKey(3), source: contract.address, stakeAt, queryId });
const sentOf = ({ sent }: Ran) => sent.map(({ to, value }) => [to, value]);
const rolesNow = () =>
  contract.get("get_roles", now).stack.map((role) => {
    if (role.type !== "slice") throw new Error(`a role is a ${role.type}`);
    return role.cell.parse().loadAddress()?.toString();
  });

describe("A single nominator", () => {
  it("stakes on its validator's order, and forwards the request to the elector", () => {
    const order = stake(90_000n * ton);
    const ran = receive(validator, order);
    expect(sentOf(ran)).toEqual([[electorAddress.toRaw(), 90_000n * ton]]);
    const plain = stakeBody({ key: testKey(3), source: contract.address, stakeAt });
    expect(ran.sent[0]!.body.hashHex()).toBe(plain.hashHex());
    expect(ran.sent[0]!.bounce).toBe(true);
  });

  it.each([
    ["more than it has without its reserve", () => receive(validator, stake(funds - ton + 1n))],
    ["without a query id", () => receive(validator, stake(10_000n * ton, 0n))],
    ["without the fees", () => receive(validator, stake(10_000n * ton), ton)],
  ])("refuses to stake %s", (_, order) => {
    const { exitCode, sent } = order();
    expect(exitCode).toBeGreaterThan(1);
    // The order comes back.
    expect(sent.map(({ to, bounced }) => [to, bounced])).toEqual([[validator.toRaw(), true]]);
  });

  it("passes on its validator's wish to recover", () => {
    const { sent } = receive(validator, recoverBody(7n));
    expect(sent.map(({ to, body }) => [to, body.hashHex()])).toEqual([
      [electorAddress.toRaw(), recoverBody(7n).hashHex()],
    ]);
  });

  it("pays its owner, and keeps one TON", async () => {
    const { init, address } = new SingleNominator({ owner, validator });
    await chain.send({ from: owner, to: address, value: 1000n * ton, init });
    const withdraw = async (body: Cell) =>
      paidTo(owner, await chain.send({ from: owner, to: address, value: 2n * ton, body }));
    const first = await withdraw(withdrawal(900n * ton));
    expect(first).toBeGreaterThan(901n * ton);
    expect(first).toBeLessThan(902n * ton);
    const rest = await withdraw(letterComment("w"));
    expect(rest).toBeGreaterThan(100n * ton);
    expect(rest).toBeLessThan(101n * ton);
    expect(chain.balance(address)).toBeGreaterThan((99n * ton) / 100n);
    expect(chain.balance(address)).toBeLessThan(ton + 1n);
    const [refused] = await chain.send({ from: owner, to: address, body: withdrawal(ton) });
    expect(refused!.exitCode).toBeGreaterThan(1);
  });

  it("takes another validator from its owner, whom it obeys from then on", () => {
    receive(owner, newValidator());
    expect(rolesNow()).toEqual([owner, another].map(String));
    expect(receive(validator, stake(10_000n * ton)).sent).toEqual([]);
    expect(receive(another, stake(10_000n * ton)).sent).toHaveLength(1);
  });

  it("sends any message for its owner", () => {
    const message = requestedMessage({ to: stranger, value: 5n * ton, body: letterComment("x") });
    const body = stakingRequest(0x7702).storeUint(1, 8).storeRef(message).endCell();
    expect(sentOf(receive(owner, body))).toEqual([[stranger.toRaw(), 5n * ton]]);
  });

  it("takes another code from its owner", () => {
    const code = contractCode("nominator-pool");
    receive(owner, stakingRequest(0x9903).storeRef(code).endCell());
    expect(contract.code.hashHex()).toBe(code.hashHex());
  });

  it.each([
    ["a withdrawal", withdrawal(ton)],
    ["a withdrawal of all", letterComment("w")],
    ["another validator", newValidator()],
    ["another code", stakingRequest(0x9903).storeRef(Cell.empty).endCell()],
    ["a message", stakingRequest(0x7702).storeUint(1, 8).storeRef(Cell.empty).endCell()],
    ["a recovery", recoverBody(1n)],
    ["nothing", undefined],
    ["half an opcode", beginCell().storeUint(1, 16).endCell()],
  ])("keeps its coins when strangers request %s", (_, body) => {
    const before = contract.balance;
    const data = contract.data.hashHex();
    const { exitCode, sent } = receive(stranger, body);
    expect([exitCode, sent]).toEqual([0, []]);
    expect(contract.balance).toBeGreaterThan(before);
    expect(contract.data.hashHex()).toBe(data);
    expect(contract.code.hashHex()).toBe(contractCode("single-nominator").hashHex());
  });

  it.each([
    ["the owner", owner],
    ["the validator", validator],
    ["the elector", electorAddress],
  ])("takes coins from %s", (_, from) => {
    for (const body of [undefined, letterComment("x"), stakingRequest(0xf96f7324).endCell()])
      expect(receive(from, body)).toMatchObject({ exitCode: 0, sent: [] });
    expect(contract.balance).toBeGreaterThan(funds + 5n * ton);
  });

  it("refuses its validator the owner's operations", () => {
    for (const body of [withdrawal(ton), letterComment("w"), newValidator()])
      expect(receive(validator, body).sent).toEqual([]);
    expect(rolesNow()).toEqual([owner, validator].map(String));
  });
});
