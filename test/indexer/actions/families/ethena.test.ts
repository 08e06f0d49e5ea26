import { describe, expect, it } from "vitest";
import type { Contract } from "../../../../server/indexer/actions/contracts.js";
import { actionsOf, jettonTransfer, walletOf, walletsOf } from "../../../helpers/index/made-jettons.js";
import { accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, none } from "../../../helpers/made-cells.js";
import { rowsOfType } from "./shown-rows.js";

const usde = "0:086FA2A675F74347B08DD4606A549B8FDB98829CB282BC1949D3B12FBAED9DCC";
const stakedUsde = "0:D0E545323C7ACB7102653C073377F7E3C67F122EB94D430A250739F109D4A57D";
const [alice, bob, pool, locked, other] = accounts("alice, bob, pool, locked, other");

function internalTransfer(opcode: number, amount: bigint) {
  return bodyOf(opcode, amount, none, none, 0n, false);
}

/** A request to a minter, which sends something to a wallet. */
function mint(minter: string, received: MadeMessage): MadeMessage {
  const body = bodyOf(0x642b7d07, alice, 0n);
  return { to: minter, body, sends: [received] };
}

const by = (...sends: readonly MadeMessage[]): MadeMessage => ({ to: alice, sends });

describe("A deposit at Ethena", () => {
  const known = walletsOf([alice, pool], [usde, stakedUsde, other]);
  const deposit = (paid: string, minted: string) => {
    const received = { to: walletOf(alice, minted), body: internalTransfer(0x178d4519, 20n) };
    return by(
      jettonTransfer({ from: alice, to: pool, master: paid, amount: 30n, leadsTo: [mint(minted, received)] }),
    );
  };
  const rows = (root: MadeMessage, contracts = known) =>
    rowsOfType("stake_deposit", actionsOf(root, contracts));

  it("is none of other jettons, nor if a wallet is unknown", () => {
    expect(rows(deposit(usde, stakedUsde))).toHaveLength(1);
    expect(rows(deposit(other, stakedUsde))).toEqual([]);
    expect(rows(deposit(usde, other))).toEqual([]);
    const { [walletOf(alice, stakedUsde)]: _, ...others } = known;
    expect(rows(deposit(usde, stakedUsde), others)).toEqual([]);
  });
});

describe("A request of a withdrawal at Ethena", () => {
  const [wallet, lockedWallet] = [walletOf(alice, stakedUsde), walletOf(alice, locked)];
  const known = walletsOf([alice], [stakedUsde, locked]);
  const request = bodyOf(0x0f8a7ea5, 30n, stakedUsde, alice, false, 0n, false);
  const chain = (received: MadeMessage): MadeMessage =>
    by({
      to: wallet,
      body: request,
      sends: [
        {
          to: stakedUsde,
          body: internalTransfer(0x178d4519, 30n),
          sends: [{ to: pool, body: bodyOf(0x7362d09c), sends: [mint(locked, received)] }],
        },
      ],
    });
  const received = { to: lockedWallet, body: internalTransfer(0xb2583ed5, 25n) };
  const rows = (contracts: Record<string, Contract>, root = chain(received)) =>
    rowsOfType("stake_withdrawal_request", actionsOf(root, contracts));

  it("has the given and the minted amount", () => {
    expect(rows(known)).toEqual([
      {
        type: "stake_withdrawal_request",
        success: true,
        source: alice,
        source_secondary: wallet,
        destination: pool,
        asset: stakedUsde,
        amount: 30n,
        staking_data: { provider: "ethena", tokens_minted: 25n },
      },
    ]);
  });

  it.each([wallet, lockedWallet])(
    "is none if a wallet is unknown, another's or of another jetton",
    (address) => {
      const { [address]: changed, ...others } = known;
      const { owner, master } = changed!.jettonWallet!;
      expect(rows(others)).toEqual([]);
      expect(rows({ ...others, [address]: { jettonWallet: { owner: bob, master } } })).toEqual([]);
      expect(rows({ ...others, [address]: { jettonWallet: { owner, master: other } } })).toEqual([]);
    },
  );

  it("is none if nothing was minted, or if it cannot be read how much", () => {
    expect(rows(known, chain({ to: lockedWallet, body: internalTransfer(0x178d4519, 25n) }))).toEqual([]);
    expect(rows(known, chain({ to: lockedWallet, body: bodyOf(0xb2583ed5) }))).toEqual([]);
  });
});
