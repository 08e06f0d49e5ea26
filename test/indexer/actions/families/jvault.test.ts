import { describe, expect, it } from "vitest";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import { bigUintKey, Dictionary } from "../../../../shared/ton/cells/dictionaries/dictionary.js";
import type { ValueCodec } from "../../../../shared/ton/cells/dictionaries/dictionary-codec.js";
import { actionsOf, jettonTransfer, walletOf, walletsOf } from "../../../helpers/index/made-jettons.js";
import { account, accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith, maybe } from "../../../helpers/made-cells.js";

const [alice, pool, stakeWallet, usd, other, stakeJetton] = accounts(
  "alice, pool, stake wallet, usd, another jetton, stake jetton",
);
const known = walletsOf([alice, pool], [usd, other]);

const message = (to: string, opcode: number, sends: readonly MadeMessage[] = []): MadeMessage => ({
  to,
  body: bodyOf(opcode),
  sends,
});
const excess = message(alice, 0xd53276db);
const bounce = message(pool, 0xffffffff);
const update = message(stakeWallet, 0xae9307ce, [excess]);
const asks = (...sends: readonly MadeMessage[]) => message(pool, 0xf5c5baa3, sends);
const referrer = (...sends: readonly MadeMessage[]) => message(account("referrer"), 0x55c35b40, sends);
const chain = referrer(referrer(referrer(message(account("referrer"), 0x076ee4e0, [excess]))));
const from = (request: MadeMessage): MadeMessage => ({ to: alice, sends: [request] });

type Actions = ReturnType<typeof actionsOf>;
const typesOf = (actions: Actions) => actions.map(({ type }) => type);
/** The row that is no part of another one and begins first. */
const first = (actions: Actions) => actions.find(({ parent_action_id }) => parent_action_id === undefined);
const failed = (made: MadeMessage): MadeMessage => ({ ...made, isAborted: true });

describe("A stake at JVault", () => {
  const period = cellWith([0xc89a3ee4, 32], [86400, 32]);
  const stakes = (leadsTo: readonly MadeMessage[], payload: Cell | undefined = period) =>
    from(jettonTransfer({ from: alice, to: pool, master: usd, amount: 50n, payload, leadsTo }));
  const receives = (...sends: readonly MadeMessage[]) => message(stakeWallet, 0xd68a4ac1, sends);
  const returned = jettonTransfer({ from: pool, to: alice, master: usd, amount: 50n });
  const stake = {
    type: "jvault_stake",
    success: true,
    source: alice,
    source_secondary: walletOf(alice, usd),
    destination: pool,
    asset: usd,
    amount: 50n,
    jvault_stake_data: { period: 86400n, stake_wallet: stakeWallet },
  };

  it.each([
    ["by itself", [asks(update)], 8],
    ["with referrers", [asks(chain, update)], 13],
    ["with a referrer who is not there", [asks(failed(referrer(bounce)), update)], 10],
    ["with referrers that end without an update", [asks(referrer(referrer()), update)], 10],
  ])("is the transfer and the pool's messages, %s", (_, sends, transactions) => {
    const actions = actionsOf(stakes([receives(...sends)]), known);
    const action = first(actions);
    const parts = actions.filter((each) => each !== action);
    expect(action).toMatchObject({ ...stake, tx_hashes: { length: transactions } });
    expect(new Set(parts.map(({ ancestor_type }) => String(ancestor_type)))).toEqual(
      new Set(["jvault_stake"]),
    );
  });

  it("includes the data that the pool sets", () => {
    const setData = message(account("another stake wallet"), 0x383411ea, [excess]);
    const action = first(actionsOf(stakes([setData, receives(asks(update))]), known));
    expect(action).toMatchObject({ ...stake, tx_hashes: { length: 10 } });
  });

  it("fails if the stake is cancelled, with the refund, and if a call fails", () => {
    const refused = { ...stake, success: false };
    const cancelled = (...sends: readonly MadeMessage[]) => receives(message(pool, 0x9eada1d9, sends));
    expect(first(actionsOf(stakes([cancelled(returned)]), known))).toMatchObject({
      ...refused,
      tx_hashes: { length: 8 },
    });
    expect(first(actionsOf(stakes([cancelled()]), known))).toMatchObject(refused);
    expect(first(actionsOf(stakes([receives(failed(asks(update)))]), known))).toMatchObject(refused);
    expect(first(actionsOf(stakes([failed(receives(asks(update)))]), known))).toMatchObject(refused);
  });

  it("is none without an answer of the pool, a period or known wallets", () => {
    const whole = [receives(asks(update))];
    expect(typesOf(actionsOf(stakes([receives()]), known))).not.toContain("jvault_stake");
    expect(typesOf(actionsOf(stakes([receives(asks(chain))]), known))).not.toContain("jvault_stake");
    expect(typesOf(actionsOf(stakes(whole, Cell.empty), known))).not.toContain("jvault_stake");
    const short = cellWith([0xc89a3ee4, 32]);
    expect(typesOf(actionsOf(stakes(whole, short), known))).not.toContain("jvault_stake");
    expect(typesOf(actionsOf(stakes(whole), {}))).not.toContain("jvault_stake");
  });
});

const lockWallet = walletOf(pool, usd);
const poolData = cellWith([0, 33], alice, alice, lockWallet);
const stakeData = cellWith(pool, stakeJetton);
const data = { [stakeWallet]: stakeData, [pool]: poolData };
const { [lockWallet]: _, ...withoutLockWallet } = known;
const unreadable = { ...data, [pool]: Cell.empty };

/** The withdrawn stake in its row's columns. */
const taken = {
  success: true,
  source: alice,
  source_secondary: stakeWallet,
  destination: pool,
  asset: usd,
  asset2: stakeJetton,
  amount: 30n,
  opcode: undefined,
};

describe("An unstake at JVault", () => {
  const body = bodyOf(0x499a9262, 30n, false);
  const requests = (...sends: readonly MadeMessage[]) => ({ to: stakeWallet, body, sends });
  const pays = (master = usd) => jettonTransfer({ from: pool, to: alice, master, amount: 30n });
  const unstaked = { ...taken, type: "jvault_unstake" };

  it("has the exit code of a stake wallet that did nothing, and counts as done as at the reference", () => {
    const refused = { ...failed(requests()), exitCode: 46 };
    expect(first(actionsOf(from(refused), known, data))).toMatchObject({ ...unstaked, opcode: 46 });
  });

  it("is none if another jetton is paid or the pool's jettons are unknown", () => {
    const whole = from(requests(asks(pays(), update)));
    expect(first(actionsOf(whole, known, data))?.type).toBe("jvault_unstake");
    expect(first(actionsOf(from(requests(asks(pays(other), update))), known, data))?.type).toBe(
      "call_contract",
    );
    expect(first(actionsOf(whole, known))?.type).toBe("call_contract");
    expect(first(actionsOf(whole, known, { [stakeWallet]: stakeData }))?.type).toBe("call_contract");
    expect(first(actionsOf(whole, known, unreadable))?.type).toBe("call_contract");
    expect(first(actionsOf(whole, withoutLockWallet, data))?.type).toBe("call_contract");
    const unread = { ...requests(asks(pays(), update)), body: bodyOf(0x499a9262) };
    expect(first(actionsOf(from(unread), known, data))?.type).toBe("call_contract");
  });
});

describe("A request to unstake at JVault", () => {
  const body = bodyOf(0x0168d4b7, 30n);
  const requests = (...sends: readonly MadeMessage[]) => ({ to: stakeWallet, body, sends });
  const requested = { ...taken, type: "jvault_unstake_request" };

  it("is the request and the pool's messages", () => {
    const whole = from(requests(asks(chain, update)));
    expect(first(actionsOf(whole, known, data))).toMatchObject({ ...requested, tx_hashes: { length: 10 } });
  });

  it("has no assets if they are unknown", () => {
    const whole = from(requests(asks(update)));
    const without = { ...requested, asset: undefined, asset2: undefined };
    expect(first(actionsOf(whole, known))).toMatchObject(without);
    expect(first(actionsOf(whole, known, unreadable))).toMatchObject(without);
    expect(first(actionsOf(whole, withoutLockWallet, data))).toMatchObject(without);
  });

  it("fails with one of the calls, and with the exit code of a stake wallet that did nothing", () => {
    const refused = { ...requested, success: false };
    expect(first(actionsOf(from(requests(failed(asks(update)))), known, data))).toMatchObject(refused);
    expect(first(actionsOf(from(failed(requests(asks(update)))), known, data))).toMatchObject(refused);
    const alone = from({ ...failed(requests()), exitCode: 46 });
    expect(first(actionsOf(alone, known, data))).toMatchObject({ ...refused, opcode: 46 });
    expect(typesOf(actionsOf(alone, known))).toEqual(["call_contract"]);
  });
});

describe("A claim at JVault", () => {
  const wallets = [walletOf(pool, usd), walletOf(pool, other)];
  const flag: ValueCodec<boolean> = {
    store: (value, into) => into.storeBit(value),
    load: (from) => from.loadBit(),
  };
  const keyOf = (wallet: string) => cellWith(wallet).parse().loadBigUint(267);
  const claimed = wallets.reduce(
    (all, wallet) => all.set(keyOf(wallet), true),
    Dictionary.empty(bigUintKey(267), flag),
  );
  const body = bodyOf(0x78d9f109, maybe(claimed.root));
  const claims = (...sends: readonly MadeMessage[]) =>
    from({ to: stakeWallet, body, sends: [message(pool, 0x44bc1fe3, sends)] });
  const pays = (master: string, amount: bigint) => jettonTransfer({ from: pool, to: alice, master, amount });

  it("is none without a payment or with a body that cannot be read", () => {
    expect(typesOf(actionsOf(claims(pays(usd, 7n), update), known))).toContain("jvault_claim");
    expect(typesOf(actionsOf(claims(update), known))).not.toContain("jvault_claim");
    const unread = { ...claims(pays(usd, 7n), update).sends![0]!, body: bodyOf(0x78d9f109) };
    expect(typesOf(actionsOf(from(unread), known))).not.toContain("jvault_claim");
  });
});
