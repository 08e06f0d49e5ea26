import { describe, expect, it } from "vitest";
import type { AfterPass } from "../../../server/indexer/actions/after-pass.js";
import { BlockKind } from "../../../server/indexer/actions/block-kind.js";
import { classify } from "../../../server/indexer/actions/classify.js";
import { ContractLookups } from "../../../server/indexer/actions/contracts.js";
import { cancel, type Match, type Matcher } from "../../../server/indexer/actions/matcher.js";
import {
  anyBlock,
  call,
  either,
  lazy,
  log,
  made,
  type Pattern,
  repeat,
  transfer,
} from "../../../server/indexer/actions/pattern.js";
import { Explanation } from "../../../server/indexer/actions/recorder.js";
import type { Trace } from "../../../server/indexer/actions/trace.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { account, accounts, comment, type MadeMessage, traceOf } from "../../helpers/index/made-trace.js";
import { bodyOf } from "../../helpers/made-cells.js";
import { classifyWithLookups } from "./classify-with-lookups.js";

const excess = 0xd53276db;
const bounced = 0xffffffff;

/** A message with an opcode; accounts are named by it. */
function message(opcode: number, ...sends: MadeMessage[]): MadeMessage {
  return { to: account(`account of ${opcode}`), body: bodyOf(opcode), sends };
}

const external = (...sends: MadeMessage[]): MadeMessage => ({ to: account("wallet"), sends });

/** A matcher whose block shows, as the amount of its row, which one it is. */
function matcher(pattern: Pattern, options: Partial<Matcher> & { number?: bigint } = {}): Matcher {
  const { number = 1n, ...rest } = options;
  return { name: `matcher ${number}`, pattern, build: () => kind.build(number), ...rest };
}
const burnt = (amount: bigint) => ({
  owner: undefined,
  owner_jetton_wallet: undefined,
  asset: undefined,
  amount,
});
const kind = new BlockKind("made", { type: "jetton_burn", row: burnt });
const outerKind = new BlockKind("outer", { type: "jetton_burn", row: burnt });
const leaf = new BlockKind("leaf", {
  type: "jetton_mint",
  isLeaf: true,
  row: (amount: bigint) => ({
    asset: undefined,
    receiver: undefined,
    receiver_jetton_wallet: undefined,
    amount,
    ton_amount: undefined,
  }),
});

/** Rows as text: type or opcode, and under each, more to the right, its parts. */
function rowsOf(trace: Trace, matchers: readonly Matcher[]): string[] {
  const { actions, error } = classify(trace, new ContractLookups(), { matchers });
  if (error !== undefined) throw error;
  return actions.map(({ ancestor_type, opcode, amount, type }) => {
    const name = opcode === undefined ? type : `0x${opcode.toString(16)}`;
    return `${"  ".repeat(ancestor_type.length)}${name}${amount === undefined ? "" : ` ${amount}`}`;
  });
}

describe("A pattern", () => {
  it("takes every follower that fits; the earliest block is the head", () => {
    const trace = traceOf(external(message(1, message(2), message(3), message(2))));
    const rows = rowsOf(trace, [matcher(call(1).followedBy(call(2)))]);
    expect(rows.sort()).toEqual(["  0x1", "  0x2", "  0x2", "0x3", "jetton_burn 1"]);
  });

  it("does not fit without a follower, unless it is optional", () => {
    const trace = traceOf(external(message(1, message(3))));
    expect(rowsOf(trace, [matcher(call(1).followedBy(call(2)))])).toEqual(["0x1", "0x3"]);
    const rows = rowsOf(trace, [matcher(call(1).followedBy(call(2).optional()))]);
    expect(rows.sort()).toEqual(["  0x1", "0x3", "jetton_burn 1"]);
  });

  it("counts an optional follower as absent whose own followers do not fit", () => {
    const trace = traceOf(external(message(1, message(2))));
    const pattern = call(1).followedBy(call(2).followedBy(call(3)).optional());
    expect(rowsOf(trace, [matcher(pattern)]).sort()).toEqual(["  0x1", "0x2", "jetton_burn 1"]);
  });

  it("of a list takes one follower each, the first free one in order", () => {
    const list = call(1).followedBy([call(2, 3).as("first"), call(2).as("second"), call(9).optional()]);
    const labels = (match: Match) => ["first", "second"].map((label) => match.get(label).opcode);
    const seen: unknown[] = [];
    const build = (match: Match) => {
      seen.push(labels(match));
      return kind.build(1n);
    };
    rowsOf(traceOf(external(message(1, message(3), message(2)))), [matcher(list, { build })]);
    rowsOf(traceOf(external(message(1, message(2), message(2)))), [matcher(list, { build })]);
    // The first pattern takes the block that only the second one could have used.
    rowsOf(traceOf(external(message(1, message(2), message(3)))), [matcher(list, { build })]);
    expect(seen).toEqual([
      [3, 2],
      [2, 2],
    ]);
  });

  it("is the first alternative that fits, not the best", () => {
    const trace = traceOf(external(message(1, message(2, message(3)))));
    const pattern = call(1).followedBy(either(call(2), call(2).followedBy(call(3))));
    expect(rowsOf(trace, [matcher(pattern)]).sort()).toEqual(["  0x1", "  0x2", "0x3", "jetton_burn 1"]);
    const other = call(1).followedBy(either(call(2).followedBy(call(4)), call(2).followedBy(call(3))));
    expect(rowsOf(trace, [matcher(other)])).toContain("  0x3");
  });

  it("tests the heads of alternatives only if these share a label", () => {
    const trace = traceOf(external(message(1, message(2))));
    const alternatives = either(call(2).followedBy(call(3)));
    expect(rowsOf(trace, [matcher(call(1).followedBy(alternatives))])).toEqual(["0x1", "0x2"]);
    const labelled = call(1).followedBy(alternatives.as("x"));
    expect(rowsOf(trace, [matcher(labelled)])).toContain("  0x2");
  });

  it("looks at the block before, which cannot be the root", () => {
    const trace = traceOf(external(message(1, message(2))));
    expect(rowsOf(trace, [matcher(call(2).precededBy(call(1)))])).toContain("  0x1");
    expect(rowsOf(trace, [matcher(call(2).precededBy(call(3)))])).toEqual(["0x1", "0x2"]);
    expect(rowsOf(trace, [matcher(call(2).precededBy(call(3).optional()))])).toContain("0x1");
    const first = traceOf({ ...message(1), sends: [message(2)] });
    expect(rowsOf(first, [matcher(call(1).precededBy(anyBlock()))])).toEqual(["0x2"]);
  });

  it("repeats a step up to its end, or as far as it goes", () => {
    const steps = call(1).followedBy(repeat(call(2), call(3)));
    const sorted = (root: MadeMessage) => rowsOf(traceOf(external(root)), [matcher(steps)]).sort();
    expect(sorted(message(1, message(2, message(2, message(3)))))).toEqual(
      ["  0x1", "  0x2", "  0x2", "  0x3", "jetton_burn 1"].sort(),
    );
    expect(sorted(message(1, message(2, message(4))))).toEqual(["  0x1", "  0x2", "0x4", "jetton_burn 1"]);
    expect(sorted(message(1, message(4)))).toEqual(["0x1", "0x4"]);
  });

  it("can contain itself, to a bounded depth", () => {
    const chain: Pattern = call(2).followedBy(lazy(() => chain).optional());
    const nested = (depth: number): MadeMessage => {
      let innermost = message(2);
      for (let i = 1; i < depth; i++) innermost = message(2, innermost);
      return message(1, innermost);
    };
    const build = (match: Match) => kind.build(BigInt(match.taken.length));
    const matchers = [matcher(call(1).followedBy(chain), { build })];
    expect(rowsOf(traceOf(external(nested(50))), matchers)).toContain("jetton_burn 51");
    expect(rowsOf(traceOf(external(nested(2000))), matchers)).not.toContain("jetton_burn 2001");
  });

  it("distinguishes logs, transfers and composites", () => {
    const trace = traceOf(
      external(message(1, { to: undefined, body: bodyOf(5) }, { to: account("a"), body: comment("x") })),
    );
    const pattern = call(1).followedBy([log(5), transfer()]);
    const outer = matcher(made(kind), { build: () => outerKind.build(2n) });
    expect(rowsOf(trace, [matcher(pattern), outer]).sort()).toEqual(
      ["    0x1", "    ton_transfer", "  jetton_burn 1", "jetton_burn 2"].sort(),
    );
  });
});

describe("Excesses and bounces", () => {
  const parts = (root: MadeMessage, pattern: Pattern, options: Partial<Matcher> = {}) =>
    rowsOf(traceOf(external(root)), [matcher(pattern, options)]).filter((row) => row.startsWith("  "));

  it("belong to the nested blocks that sent them, not to the anchor", () => {
    const root = message(1, message(2, message(excess), message(bounced)), message(excess));
    const pattern = call(1).followedBy(call(2));
    expect(parts(root, pattern).sort()).toEqual(
      ["  0x1", "  0x2", `  0x${excess.toString(16)}`, "  0xffffffff"].sort(),
    );
    expect(parts(root, pattern, { takesExcessOfAnchor: true })).toHaveLength(5);
  });

  it("are not taken where a pattern excludes them, except bounces", () => {
    const root = message(1, message(2, message(excess), message(bounced)));
    const pattern = call(1).followedBy(call(2).withoutExcess());
    expect(parts(root, pattern).sort()).toEqual(["  0x1", "  0x2", "  0xffffffff"]);
  });

  it("after a nested composite are its followers", () => {
    const trace = traceOf(external(message(1, message(2, message(3, message(excess))))));
    const inner = matcher(call(2).followedBy(call(3).withoutExcess()), { build: () => leaf.build(1n) });
    const outer = matcher(call(1).followedBy(made(leaf)), { number: 2n });
    expect(rowsOf(trace, [inner, outer])).toContain(`  0x${excess.toString(16)}`);
  });
});

describe("A composite", () => {
  it("is not made of blocks that do not hang together, and nothing changes then", () => {
    const trace = traceOf(external(message(1, message(2)), message(3)));
    const build = ({ taken, anchor }: Match) =>
      kind.build(1n, { from: [...taken, ...anchor.followers.flatMap(({ followers }) => followers)] });
    const disconnected = traceOf(external(message(1, message(9, message(2)))));
    expect(rowsOf(disconnected, [matcher(call(1), { build })])).toEqual(["0x1", "0x9", "0x2"]);
    const siblings = ({ taken, anchor }: Match) =>
      kind.build(1n, { from: [...taken, ...anchor.previous!.followers] });
    expect(rowsOf(trace, [matcher(call(1), { build: siblings })])).toEqual(["0x1", "0x3", "0x2"]);
  });

  it("has the followers of its parts and is a block for later matchers", () => {
    const trace = traceOf(external(message(1, message(2, message(4)), message(3))));
    const first = matcher(call(1).followedBy(call(2)), { build: () => leaf.build(1n) });
    const second = matcher(made(leaf).followedBy([call(3), call(4)]), { number: 2n });
    expect(rowsOf(trace, [first, second]).sort()).toEqual([
      "  0x3",
      "  0x4",
      "  jetton_mint 1",
      "jetton_burn 2",
    ]);
  });

  it("that is cancelled, or whose body cannot be read, leaves its blocks as they were", () => {
    const trace = traceOf(external(message(1)));
    const unread = matcher(call(1), { build: (match) => kind.build(BigInt(match.get("none").lt)) });
    expect(rowsOf(trace, [unread, matcher(call(1), { build: () => cancel("no") })])).toEqual(["0x1"]);
  });

  it("is tried no more in the pass that made it, while the blocks behind it are", () => {
    const trace = traceOf(external(message(1, message(1, message(1)))));
    const pairs = matcher(either(call(1).followedBy(call(1)), made(kind)));
    expect(rowsOf(trace, [pairs])).toEqual(["jetton_burn 1", "  0x1", "  0x1", "0x1"]);
  });

  it("of the same type and beginning as the one around it has no row, but its parts have", () => {
    const trace = traceOf(external(message(1, message(2))));
    const rows = rowsOf(trace, [matcher(call(1)), matcher(made(kind).followedBy(call(2)), { number: 2n })]);
    expect(rows.sort()).toEqual(["  0x1", "  0x2", "jetton_burn 2"]);
  });

  it("has the lt and the identifier of its earliest message, and the sender's transaction", () => {
    const trace = traceOf(external(message(1, message(2))));
    const [action, ...parts] = classify(trace, new ContractLookups(), {
      matchers: [matcher(call(2).precededBy(call(1)))],
    }).actions;
    expect(action).toMatchObject({
      start_lt: 1010n,
      end_lt: 1021n,
      tx_hashes: trace.transactions.map(({ hash }) => hash),
      accounts: [account("account of 1"), account("account of 2"), account("wallet")].sort(),
    });
    expect(parts.map(({ parent_action_id }) => parent_action_id)).toEqual([
      action!.action_id,
      action!.action_id,
    ]);
  });
});

describe("An after-pass", () => {
  it("merges blocks, the earlier of which the later one follows", () => {
    const trace = traceOf(external(message(1, message(2, message(3)), message(4))));
    const merge: AfterPass = (tree) => {
      const [first, second] = tree.outermostBlocks().filter((block) => kind.of(block) !== undefined);
      tree.merge(second!, first!, kind.build(9n));
    };
    const { state, actions } = classify(trace, new ContractLookups(), {
      matchers: [matcher(call(1)), matcher(call(3), { number: 2n })],
      afterPasses: [merge],
    });
    expect([state, actions.map(({ opcode, amount }) => opcode ?? amount).sort()]).toEqual([
      "ok",
      [1, 2, 3, 4, 9n],
    ]);
    const merged = actions.find(({ amount }) => amount === 9n)!;
    // Covers both blocks and the transactions that sent their first messages; the earlier of these begins the action.
    expect(merged).toMatchObject({ start_lt: 1001n, end_lt: 1041n, tx_hashes: { length: 4 } });
  });
});

describe("Hostile traces", () => {
  const most = 3999;

  it("may be as deep and as wide as the limit of transactions", () => {
    let deepest = message(1);
    for (let i = 1; i < most; i++) deepest = message(1, deepest);
    const wide = Array.from({ length: most }, () => message(1));
    for (const trace of [traceOf(external(deepest)), traceOf(external(...wide))]) {
      const { state, actions } = classify(trace, new ContractLookups());
      expect([state, actions.length]).toEqual(["ok", most]);
    }
  });

  it("end after a bounded number of steps, with the rows of their messages", () => {
    // Each of the messages looks at all of them.
    const wide = message(2, ...Array.from({ length: most - 1 }, () => message(1)));
    const siblings = call(1).precededBy(call(2).followedBy([call(1), call(3)]));
    const pattern = either(siblings, call(1).precededBy(call(2).followedBy(call(3))));
    const { state, actions, error } = classify(traceOf(external(wide)), new ContractLookups(), {
      matchers: [matcher(pattern)],
    });
    expect([state, actions.length, String(error)]).toEqual([
      "failed",
      most,
      "TooManySteps: the trace takes too many steps to classify",
    ]);
  });
});

describe("Deployments", () => {
  it("have rows at top level, one for the message and one for each log", () => {
    const logged: MadeMessage = { to: undefined, body: bodyOf(5) };
    const deployed: MadeMessage = { ...message(1, logged, logged), status: ["uninit", "active"] };
    const { actions } = classify(traceOf(external(deployed)), new ContractLookups(), {
      matchers: [matcher(call(1), { build: () => leaf.build(1n) })],
    });
    const deployments = actions.filter(({ type }) => type === "contract_deploy");
    expect(deployments.map(({ opcode, source, destination }) => [opcode, source, destination])).toEqual([
      [1, account("wallet"), deployed.to],
      [5, deployed.to, undefined],
      [5, deployed.to, undefined],
    ]);
    expect(deployments.map(({ parent_action_id }) => parent_action_id)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("are not detected for frozen accounts", () => {
    const thawed: MadeMessage = { ...message(1), status: ["frozen", "active"] };
    expect(rowsOf(traceOf(external(thawed)), [])).toEqual(["0x1"]);
  });
});

describe("Explanations", () => {
  it("name the matcher that took a block and the failed condition", () => {
    const trace = traceOf(external(message(1, message(2)), message(3)));
    const recorder = new Explanation();
    classify(trace, new ContractLookups(), {
      recorder,
      matchers: [
        matcher(call(1).followedBy(call(2).followedBy(call(4))), { number: 1n }),
        matcher(call(3), { number: 2n, build: () => cancel("the jetton wallet is unknown") }),
        matcher(call(1).followedBy(call(2)), { number: 3n }),
      ],
    });
    expect(
      recorder.verdicts.map((verdict) => [
        verdict.matcher,
        verdict.anchor.opcode,
        "composite" in verdict ? verdict.composite.kind.name : verdict.refusal.reason,
      ]),
    ).toEqual([
      ["matcher 1", 1, "no block after 0x00000002 is 0x00000004"],
      ["matcher 2", 3, "the jetton wallet is unknown"],
      ["matcher 3", 1, "made"],
    ]);
    expect(recorder.basicBlocks.map(({ opcode }) => opcode)).toEqual([undefined, 1, 3, 2]);
    expect(recorder.outermostBlocks.map(({ kind }) => kind.name)).toEqual([
      "call_contract",
      "made",
      "call_contract",
    ]);
  });

  /** The refusals of the only matcher, with the opcodes of the refused block and of the candidates. */
  const refusalOf = (trace: Trace, pattern: Pattern) => {
    const recorder = new Explanation();
    classify(trace, new ContractLookups(), { recorder, matchers: [matcher(pattern)] });
    return recorder.verdicts.map((verdict) => {
      if ("composite" in verdict) return "made";
      const { reason, at, candidates } = verdict.refusal;
      return [reason, at.opcode, candidates.map(({ opcode }) => opcode)];
    });
  };

  it("name the blocks of which one should have fitted", () => {
    const trace = traceOf(external(message(1, message(2), message(3))));
    expect(refusalOf(trace, call(1).followedBy(call(4)))).toEqual([
      ["no block after 0x00000001 is 0x00000004", 1, [2, 3]],
    ]);
    expect(refusalOf(trace, call(1).followedBy([call(2), call(4, 5)]))).toEqual([
      ["no free block after 0x00000001 is 0x00000004 or 0x00000005", 1, [3]],
    ]);
    expect(refusalOf(trace, call(2).precededBy(call(3)))).toEqual([
      ["the block before 0x00000002 is not 0x00000003", 2, [1]],
    ]);
  });

  it("name the condition that a block of the right opcode lacks", () => {
    const trace = traceOf(external(message(1, message(2))));
    const paid = call(2).where("with a reply", ({ followers }) => followers.length > 0);
    const late = paid.where("sent late", ({ lt }) => lt > 10_000n);
    expect(refusalOf(trace, call(1).followedBy(late))).toEqual([
      ["0x00000002 is not one with a reply", 2, []],
    ]);
  });

  it("name the condition that an anchor lacks, unless it is any transfer or call", () => {
    const trace = traceOf(external(message(1, { to: account("friend") })));
    const never = () => false;
    expect(refusalOf(trace, call(1).where("that is read", never))).toEqual([
      ["0x00000001 is not one that is read", 1, []],
    ]);
    expect(refusalOf(trace, transfer().where("that is read", never))).toEqual([]);
    expect(refusalOf(trace, call(2).where("that is read", never))).toEqual([]);
  });

  it("omit conditions of alternatives without which the match continued", () => {
    const trace = traceOf(external(message(1, message(2), message(3, message(5)), message(3))));
    const optional = call(2).followedBy(call(9)).optional();
    const second = call(3).followedBy(call(5).followedBy(call(6)).optional());
    expect(refusalOf(trace, call(1).followedBy([optional, second, call(4)]))).toEqual([
      ["no free block after 0x00000001 is 0x00000004", 1, [2, 3]],
    ]);
  });
});

describe("Look-ups of contracts", () => {
  it("are repeated until nothing is missing", async () => {
    const [first, second] = accounts("first, second");
    const asking = matcher(call(1), {
      build: (_match, contracts) => {
        const owner = contracts.jettonWallet(first)?.owner;
        return contracts.dataOf(owner) ? kind.build(7n) : cancel("unknown");
      },
    });
    const asked: unknown[] = [];
    const data: Cell = beginCell().endCell();
    const { actions } = await classifyWithLookups(
      traceOf(external(message(1))),
      async (missing) => {
        asked.push(missing);
        return {
          contracts: new Map([[first, { jettonWallet: { owner: second, master: second } }]]),
          data: new Map([[second, data]]),
        };
      },
      { matchers: [asking] },
    );
    expect(actions[0]?.amount).toBe(7n);
    expect(asked).toEqual([
      { contracts: [account("wallet"), account("account of 1")], data: [] },
      { contracts: [first], data: [] },
      { contracts: [], data: [second] },
    ]);
  });

  it("end when answers lead on without end", async () => {
    const endless = matcher(call(1), {
      build: (_match, contracts) => {
        let next: string | undefined = account("0");
        while (next) next = contracts.jettonWallet(next)?.owner;
        return kind.build(1n);
      },
    });
    let rounds = 0;
    const { state } = await classifyWithLookups(
      traceOf(external(message(1))),
      async ({ contracts }) => {
        rounds++;
        const known = contracts.map(
          (address) => [address, { jettonWallet: { owner: account(address), master: address } }] as const,
        );
        return { contracts: new Map(known), data: new Map() };
      },
      { matchers: [endless] },
    );
    expect([state, rounds]).toEqual(["ok", 8]);
  });
});
