import { describe, expect, it } from "vitest";
import type { Candidate } from "../../server/contracts/fork-tokens/candidates.js";
import { ForkTokens } from "../../server/contracts/fork-tokens/fork-tokens.js";
import type { Call } from "../../shared/methods/define.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import { LiteError, liteErrorCode } from "../../shared/ton/lite/lite-api.js";
import { methodId } from "../../shared/ton/tvm/method-id.js";
import type { StackValue } from "../../shared/ton/tvm/stack.js";
import { Address } from "../../shared/values/address.js";
import { withResolvers } from "../../shared/values/promises.js";
import { ManualTimers } from "../helpers/manual-timers.js";

const addressAt = (n: number) => {
  const hash = Buffer.alloc(32, 0);
  hash.writeUInt32BE(n);
  return new Address(0, hash);
};
const [owner, stranger, master] = [addressAt(1), addressAt(2), addressAt(3)] as const;
const slice = (address: Address): StackValue => ({
  type: "slice",
  cell: beginCell().storeAddress(address).endCell(),
});

/** A network with a jetton that confirms every wallet: the wallets listed for an owner, and the owner they name. */
function parts(listed: readonly Address[], named = owner) {
  const timers = new ManualTimers();
  const counts = { searches: 0, runs: 0 };
  const stored: string[] = [];
  let asked: Address | undefined;
  const state = { isDown: false, gate: Promise.resolve() };
  const idOf = ({ workchain, hash: id }: Address) => ({ workchain, id });
  const all = {
    jettons: [],
    waitMs: 1000,
    timers,
    network: {
      account: async () => undefined,
      async listedTokens() {
        counts.searches++;
        await state.gate;
        return { wallets: listed.map(idOf), items: [] };
      },
    },
    reader: {
      last: {},
      transactions: async () => ({ transactions: [] }),
      async account(_block: object, address: Address) {
        if (state.isDown) throw new LiteError(liteErrorCode.notReady, "the network is down");
        return { address };
      },
    },
    runner: {
      async run({ address }: { address: Address }, { methodId: id }: { methodId: number }) {
        counts.runs++;
        const isWallet = id === methodId("get_wallet_data");
        if (isWallet) asked = address;
        const stack: StackValue[] = isWallet
          ? [{ type: "int", value: 5n }, slice(named), slice(master), { type: "cell", cell: Cell.empty }]
          : [slice(asked!)];
        return { exitCode: 0, gasUsed: 0, stack };
      },
    },
    async store(accounts: readonly Address[]) {
      stored.push(...accounts.map((each) => each.toRaw()));
    },
  };
  // Only these members are used.
  const tokens = new ForkTokens(all as never);
  return { tokens, timers, counts, stored, state };
}

const callOf = (): Call => ({ signal: new AbortController().signal, asked: new Set(), options: {} });
const candidates = (count: number) => Array.from({ length: count }, (_, n) => addressAt(100 + n));

describe("tokens of a forked network", () => {
  it("are stored with their masters, once for all calls about an owner until a revert", async () => {
    const { tokens, counts, stored } = parts([addressAt(9)]);
    const [first, second] = await Promise.all(
      [1, 2].map(() => tokens.ofOwners([owner], undefined, callOf())),
    );
    expect(first).toEqual({ partial: true, by: ["v3"] });
    expect(second).toEqual(first);
    expect(stored.sort()).toEqual([master, addressAt(9)].map((each) => each.toRaw()).sort());
    await tokens.ofOwners([owner], undefined, callOf());
    expect(counts.searches).toBe(1);
    tokens.forget();
    await tokens.ofOwners([owner], undefined, callOf());
    expect(counts.searches).toBe(2);
  });

  it("are not those of another owner", async () => {
    const { tokens, stored } = parts(candidates(20), stranger);
    expect(await tokens.ofOwners([owner], undefined, callOf())).toEqual({ partial: true, by: [] });
    expect(stored).toEqual([]);
  });

  it("are looked for among 1000 of 10,000 candidates", async () => {
    const { tokens, counts } = parts(candidates(10_000), stranger);
    expect(await tokens.ofOwners([owner], undefined, callOf())).toEqual({ partial: true, by: [] });
    expect(counts.runs).toBe(1000);
  });

  it("are looked for later again if the network does not answer, without trying all candidates", async () => {
    const { tokens, counts, state, timers } = parts(candidates(500));
    state.isDown = true;
    const call = callOf();
    const found = await tokens.ofOwners([owner], undefined, call);
    expect(found).toEqual({ partial: true, by: [], problem: "the network is down" });
    expect(call.provisional).toBe(true);
    expect(counts.runs).toBe(0);
    state.isDown = false;
    expect(await tokens.ofOwners([owner], undefined, callOf())).toEqual(found);
    timers.pass(10_001);
    const later = callOf();
    expect(await tokens.ofOwners([owner], undefined, later)).toEqual({ partial: true, by: ["v3"] });
    expect(later.provisional).toBeUndefined();
  });

  it("do not hold up an answer for longer than its share of the time, and are found after it", async () => {
    const { tokens, state, timers, counts } = parts([addressAt(9)]);
    const { promise, resolve } = withResolvers<void>();
    state.gate = promise;
    const call = callOf();
    const late = tokens.ofOwners([owner], undefined, call);
    timers.pass(1000);
    expect(await late).toMatchObject({ by: [], problem: expect.stringContaining("goes on") });
    expect(call.provisional).toBe(true);
    resolve();
    expect(await tokens.ofOwners([owner], undefined, callOf())).toEqual({ partial: true, by: ["v3"] });
    expect(counts.searches).toBe(1);
  });

  it("are looked for of four owners at once and of eight in a call", async () => {
    const { tokens, state, counts } = parts([]);
    const { promise, resolve } = withResolvers<void>();
    state.gate = promise;
    const owners = candidates(9);
    const calls = owners.slice(0, 5).map((each) => tokens.ofOwners([each], undefined, callOf()));
    await new Promise(setImmediate);
    expect(counts.searches).toBe(4);
    resolve();
    await Promise.all(calls);
    expect(counts.searches).toBe(5);
    await tokens.ofOwners(owners, undefined, callOf());
    expect(counts.searches).toBe(8);
  });

  it("are all that a call names, if it names owners and jettons, or addresses", async () => {
    const { tokens } = parts([]);
    const kind: Candidate["kind"] = "wallet";
    expect(await tokens.at(kind, [addressAt(9)], callOf())).toEqual({ partial: false, by: ["request"] });
    expect(await tokens.at(kind, candidates(65), callOf())).toMatchObject({ partial: true });
    expect(await tokens.ofOwners([owner], candidates(65), callOf())).toMatchObject({ partial: true });
  });
});
