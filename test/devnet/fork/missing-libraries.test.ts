import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import { codeEdit, dataEdit } from "../../../server/devnet/genesis/account-edits.js";
import { newAccount } from "../../../server/devnet/genesis/genesis.js";
import { contractAddress } from "../../../server/devnet/wallets/compose.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { Account } from "../../../shared/ton/tlb/account.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { stateInitOf } from "../../../shared/ton/tlb/state-init.js";
import type { Transaction } from "../../../shared/ton/tlb/transaction.js";
import { Address } from "../../../shared/values/address.js";
import { funded, openTestChain, TestWallet, ton } from "../../helpers/chain/devnet.js";
import { DevnetOrigin, openTestFork, settleFork } from "../../helpers/chain/devnet-origin.js";
import { libraryCell } from "../../helpers/chain/library-cell.js";
import { codeOf } from "../../helpers/contracts/contracts.js";
import { ManualTimers } from "../../helpers/manual-timers.js";

// Libraries that are named after an account was imported. Without them runs end with exit code 9, "cell underflow".

/** DROP: ends well. */
const idle = codeOf("30");
/** Reads the cell to which the data refer: c4 PUSH; CTOS; LDREF; DROP; CTOS; DROP. */
const readsData = codeOf("ED44D0D430D030");
/** Reads the cell to which the body refers: DROP; LDREF; DROP; CTOS; DROP. */
const readsBody = codeOf("30D430D030");
const library = beginCell().storeUint(7, 32).endCell();
const naming = (cell: Cell) => beginCell().storeRef(cell).endCell();
const sender = new Address(0, new Uint8Array(32).fill(9));

describe("libraries on a fork", () => {
  let network: DevnetChain;
  let origin: DevnetOrigin;
  let fork: DevnetChain;
  let timers: ManualTimers;
  let ann: TestWallet;
  beforeAll(async () => {
    network = await openTestChain({ accounts: funded([new TestWallet("ann")]) });
  });
  beforeEach(async () => {
    origin = new DevnetOrigin(network);
    timers = new ManualTimers();
    ann = new TestWallet("ann");
    fork = await openTestFork(origin, { timers });
  });
  afterEach(() => fork.close());

  /** A contract of the network. */
  function placed(code: Cell, data: Cell = Cell.empty): Address {
    const init = stateInitOf(code, data);
    const address = contractAddress(init);
    const account = newAccount({ address, balance: ton, init: { code, data } }, origin.start.utime);
    const entry = {
      account: CellOf.of(Account, account),
      lastTransHash: new Uint8Array(32),
      lastTransLt: 0n,
    };
    origin.placed.set(address.toRaw(), entry);
    return address;
  }

  function exitOf({ value }: CellOf<Transaction>): number | undefined {
    const description = value.description.value;
    return description.kind === "ord" && description.computePh.kind === "vm"
      ? description.computePh.exitCode
      : undefined;
  }

  async function run(to: Address, body?: Cell): Promise<number | undefined> {
    const { injected } = await fork.inject({ from: sender, to, value: ton, bounce: false, body });
    return exitOf(injected[0]!.transaction);
  }

  const isPublished = (cell: Cell) => fork.masterchain.state.totals.value.libraries.has(cell.hash());

  it("come when a code is set that consists of one", async () => {
    origin.published.push(idle);
    const address = placed(idle);
    await fork.step({ edits: [codeEdit(address, libraryCell(idle))] });
    expect(isPublished(idle)).toBe(false);
    expect(await run(address)).toBe(0);
    expect(isPublished(idle)).toBe(true);
  });

  it("come when data name one, on import and later", async () => {
    origin.published.push(library);
    const address = placed(readsData, naming(libraryCell(library)));
    expect(await run(address)).toBe(0);
    const other = beginCell().storeUint(8, 32).endCell();
    origin.published.push(other);
    await fork.step({ edits: [dataEdit(address, naming(libraryCell(other)))] });
    expect(await run(address)).toBe(0);
    expect([library, other].map(isPublished)).toEqual([true, true]);
  });

  it("come when a message names one, also from a wallet and to a contract that it deploys", async () => {
    origin.published.push(library);
    const body = naming(libraryCell(library));
    const init = stateInitOf(readsBody, Cell.empty);
    const to = contractAddress(init);
    await fork.sendMessage(ann.pay({ to, value: ton, bounce: false, init, body }));
    await settleFork(fork);
    expect(fork.account(0, to.hash)!.account.value!.storage.state.kind).toBe("active");
    expect(isPublished(library)).toBe(true);
    expect(await run(to, body)).toBe(0);
  });

  it("come with the libraries that they name themselves", async () => {
    const outer = beginCell().storeRef(libraryCell(library)).endCell();
    origin.published.push(outer, library);
    // Reads two cells deep: c4 PUSH; CTOS; LDREF; DROP; CTOS; LDREF; DROP; CTOS; DROP.
    const address = placed(codeOf("ED44D0D430D0D430D030"), naming(libraryCell(outer)));
    expect(await run(address)).toBe(0);
    expect([outer, library].map(isPublished)).toEqual([true, true]);
  });

  it("hold messages back, and no blocks, while the network does not answer", async () => {
    const address = placed(readsData, Cell.empty);
    await run(address);
    await fork.step({ edits: [dataEdit(address, naming(libraryCell(library)))] });
    await fork.sendMessage(ann.pay({ to: ann.address, value: 1n, bounce: false }));
    await settleFork(fork);
    origin.published.push(library);
    origin.isGone = true;
    const balance = fork.account(0, address.hash)!.account.value!.storage.balance.coins;
    await fork.sendMessage(ann.pay({ to: address, value: ton, bounce: false }));
    const { seqno } = fork.head;
    for (let block = 0; block < 3; block++) await fork.step();
    await fork.fork!.imports.answered();
    expect(fork.head.seqno).toBe(seqno + 3);
    expect(fork.hasWork).toBe(true);
    expect(fork.account(0, address.hash)!.account.value!.storage.balance.coins).toBe(balance);
    await expect(run(address)).rejects.toMatchObject({ kind: "unavailable" });

    origin.isGone = false;
    const back = new Promise<void>((resolve) => void fork.fork!.imports.progress.add(() => resolve()));
    timers.pass(60_000);
    await back;
    await settleFork(fork);
    expect(fork.hasWork).toBe(false);
    expect(fork.account(0, address.hash)!.account.value!.storage.balance.coins).toBeGreaterThan(balance);
    expect(await run(address)).toBe(0);
  });

  it("that the network does not have fail as they do there, and are asked for once", async () => {
    const address = placed(readsData, naming(libraryCell(library)));
    expect(await run(address)).toBe(9);
    origin.isGone = true;
    expect(await run(address)).toBe(9);
    expect(isPublished(library)).toBe(false);
  });
});
