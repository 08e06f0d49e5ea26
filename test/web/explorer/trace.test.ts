import { describe, expect, it } from "vitest";
import { AnswerNames } from "../../../server/web/explorer/actions/answer-names.js";
import { Names } from "../../../server/web/explorer/parts/names.js";
import { foldEqual, leadsToFailure } from "../../../server/web/explorer/trace/fold.js";
import { type Layout, layoutInColumns, layoutInRows } from "../../../server/web/explorer/trace/layout.js";
import { shortAmount } from "../../../server/web/explorer/trace/step-texts.js";
import { type Step, stepsOf } from "../../../server/web/explorer/trace/steps.js";
import { totalsOf } from "../../../server/web/explorer/trace/totals.js";
import { linesIn, stepsIn } from "../../../server/web/explorer/trace/visible.js";
import { accountOf, drawnSteps, type MadeStep, madeTrace } from "../../helpers/made-trace.js";
import { pseudoRandom } from "../../helpers/pseudo-random.js";

/** A tree that grows with the numbers. */
function randomTree(seed: number): MadeStep {
  const numbers = pseudoRandom(seed);
  const random = () => numbers.next().value;
  const grow = (depth: number): MadeStep => ({
    children: Array.from({ length: depth > 6 ? 0 : Math.floor(random() * 4) }, () => grow(depth + 1)),
    lonely: Array.from({ length: Math.floor(random() * 10) }, (_, index) =>
      index % 2 ? null : accountOf("3"),
    ),
  });
  return grow(0);
}

/** The description of a transaction whose contract ended with a code. */
const ended = (exit_code: number) => ({
  type: "ord",
  aborted: true,
  compute_ph: { skipped: false, success: false, exit_code },
});

const wide: MadeStep = { children: Array.from({ length: 5000 }, () => ({ children: [{}] })) };
let deep: MadeStep = {};
for (let depth = 1; depth < 5000; depth++) deep = { children: [deep] };

const layouts: [string, (steps: readonly Step[]) => Layout][] = [
  ["in columns", (steps) => layoutInColumns(steps, 1166)],
  ["in rows", (steps) => layoutInRows(steps, 326)],
];

describe("Steps of a trace", () => {
  it.each([
    ["wide", wide, 10_001],
    ["deep", deep, 5000],
  ])("are bounded for a %s trace, and count all that they leave out", (_, tree, transactions) => {
    for (const limit of [1, 7, 120]) {
      const steps = stepsOf(madeTrace(tree), limit);
      const shown = steps.filter(({ kind }) => kind === "transaction");
      expect(shown.length).toBe(limit);
      expect(steps.length).toBeLessThanOrEqual(2 * limit);
      const hidden = steps
        .filter(({ kind }) => kind === "more")
        .reduce((sum, { messages }) => sum + messages, 0);
      expect(shown.length + hidden).toBe(transactions);
    }
  });

  it("come with their parents before them, each child once", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const steps = stepsOf(madeTrace(randomTree(seed)), 40);
      for (const [index, { parent, depth, children }] of steps.entries()) {
        expect(parent ?? -1).toBeLessThan(index);
        if (parent !== undefined) expect(steps[parent]).toMatchObject({ depth: depth - 1 });
        for (const child of children) expect(steps[child]!.parent).toBe(index);
      }
      expect(steps.flatMap(({ children }) => children).sort((a, b) => a - b)).toEqual(
        steps.slice(1).map((_, index) => index + 1),
      );
    }
  });

  it("distinguish messages that leave the chain from pending ones", () => {
    const steps = stepsOf(madeTrace({ lonely: [null, accountOf("3")], children: [{}] }), 10);
    expect(steps.map(({ kind }) => kind)).toEqual(["transaction", "transaction", "event", "pending"]);
  });

  it("are none where the answer has no tree", () => {
    const { trace: _, ...rest } = madeTrace({});
    expect(stepsOf(rest, 10)).toEqual([]);
    for (const [, layout] of layouts) expect(layout([])).toMatchObject({ places: [] });
  });
});

describe.each(layouts)("A layout %s", (name, layout) => {
  it("puts no box onto another one, and every child after its parent", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const steps = stepsOf(madeTrace(randomTree(seed)), 60);
      const { places, width, height } = layout(steps);
      expect(places.length).toBe(steps.length);
      for (const [index, { x, y, width: w, height: h }] of places.entries()) {
        expect(x >= 0 && y >= 0 && x + w <= width && y + h <= height).toBe(true);
        for (const other of places.slice(index + 1))
          expect(
            x + w <= other.x || other.x + other.width <= x || y + h <= other.y || other.y + other.height <= y,
          ).toBe(true);
        const { parent } = steps[index]!;
        if (parent === undefined) continue;
        const before = places[parent]!;
        expect(name === "in columns" ? x > before.x + before.width : y > before.y + before.height).toBe(true);
      }
    }
  });

  it("shows traces of up to five columns as a whole on a page of 1,280 px, and deeper ones in full width", () => {
    const deepestOf = (depth: number) => {
      let tree: MadeStep = {};
      for (let left = 1; left < depth; left++) tree = { children: [tree] };
      return layoutInColumns(stepsOf(madeTrace(tree), 120), 1166);
    };
    const widths = [1, 2, 3, 4, 5].map((depth) => deepestOf(depth).width);
    expect(widths.filter((width) => width > 1166)).toEqual([]);
    expect(deepestOf(1).places[0]!.width).toBe(190);
    expect(deepestOf(6).places[0]!.width).toBe(190);
    expect(Math.min(...deepestOf(5).places.map(({ label }) => label.width))).toBeGreaterThan(60);
  });

  it("has boxes also where there is no room yet", () => {
    for (const place of layoutInRows(stepsOf(madeTrace(deep), 20), 0).places)
      expect(place.width).toBeGreaterThan(100);
  });

  it("stays within the width of a phone if it is made for one, however deep the trace is", () => {
    const { width, places } = layoutInRows(stepsOf(madeTrace(deep), 120), 326);
    expect(width).toBe(326);
    for (const place of places) {
      expect(place.width).toBeGreaterThan(150);
      expect(place.x + place.width).toBeLessThanOrEqual(326);
    }
  });
});

describe("A picture of a trace", () => {
  const draw = (step: MadeStep, names = new AnswerNames({})) => {
    return drawnSteps(stepsOf(madeTrace(step), 100), names);
  };

  it("marks failures, with the exit code explained", () => {
    const picture = draw({ children: [{ description: ended(13) }, {}] });
    expect(picture.match(/class="step bad"/g)).toHaveLength(1);
    expect(picture.match(/class="step good"/g)).toHaveLength(2);
    expect(picture).toContain("exit code 13: out of gas");
  });

  it("explains exit codes as the contract that ended with them defines them", () => {
    const interfaces = ["wallet_v5r1"];
    const entry = { user_friendly: null, domain: null, interfaces };
    const wallet = accountOf("a");
    const picture = draw(
      { account: wallet, description: ended(136), children: [{ description: ended(136) }] },
      new AnswerNames({ address_book: { [wallet]: entry } }),
    );
    expect(picture).toContain("exit code 136: the message has expired");
    expect(picture).toContain("exit code 136, which the contract defines");
  });

  it("names failures in the action phase by the codes of that phase", () => {
    const description = {
      type: "ord",
      aborted: true,
      compute_ph: { skipped: false, success: true, exit_code: 0 },
      action: { success: false, result_code: 37 },
    };
    expect(draw({ description })).toContain(
      "actions failed, exit code 37: there are not enough coins for a message",
    );
  });

  it("does not mark a payment to an account without code, unless it came back", () => {
    const skipped = { type: "ord", aborted: true, compute_ph: { skipped: true, reason: "no_state" } };
    expect(draw({ description: skipped })).toContain('class="step none"');
    expect(draw({ description: { ...skipped, bounce: { type: "ok" } } })).toContain('class="step bad"');
  });

  it("describes each step exactly to screen readers", () => {
    const picture = draw({
      children: [
        { message: { value: "1234567890123456789", decoded_opcode: "jetton_transfer" }, fees: "3108223" },
      ],
    });
    expect(picture).toContain(", jetton transfer, 1,234,567,890.123456789 TON, success, fee 0.003108223 TON");
    expect(picture).toContain("≈1,234,567,890…");
  });

  it("shows untrusted text as text, cut to its box", () => {
    const hostile = `</text><script>alert(1)</script>\u202e${"W".repeat(500)}`;
    const names = new AnswerNames({
      address_book: { [accountOf("2")]: { user_friendly: null, domain: hostile, interfaces: [hostile] } },
    });
    const picture = draw({ message: { decoded_opcode: hostile } }, names);
    expect(picture).not.toMatch(/<script|\u202e|W{40}/);
  });

  it("names a jetton wallet by its jetton and its owner", () => {
    const [wallet, master, owner] = [accountOf("2"), accountOf("3"), accountOf("4")];
    const known = new Names();
    known.set(owner, { name: "Wallet of Gus", kind: "wallet" });
    const walletInfo = { type: "jetton_wallets", extra: { jetton: master, owner } };
    const metadata = {
      [wallet]: { is_indexed: true, token_info: [walletInfo] },
      [master]: { is_indexed: true, token_info: [{ type: "jetton_masters", symbol: "ACORN" }] },
    };
    const nameOf = (names: AnswerNames) => names.account(wallet);
    expect(nameOf(new AnswerNames({ metadata }, known))).toEqual({
      text: "ACORN of Wallet of Gus",
      isName: true,
    });
    expect(nameOf(new AnswerNames({ metadata })).text).toMatch(/^ACORN of EQ\w{4}…\w{4}$/);
    // Contracts may claim to be each other's wallets.
    const circle = {
      ...metadata,
      [owner]: {
        is_indexed: true,
        token_info: [{ ...walletInfo, extra: { jetton: master, owner: wallet } }],
      },
    };
    expect(nameOf(new AnswerNames({ metadata: circle })).text).toMatch(/^ACORN of EQ\w{4}…\w{4}$/);
    expect(nameOf(new AnswerNames({ metadata: { [wallet]: metadata[wallet]! } })).isName).toBe(false);
  });

  it("draws names that its explorer knows", () => {
    const known = new Names();
    known.set(accountOf("2"), { name: "Wallet of Gus", kind: "wallet" });
    expect(draw({}, new AnswerNames({}, known))).toMatch(
      /Wallet of Gus<\/text>\s*<text class="note"[^>]*>wallet · fee 0.001</,
    );
  });
});

it("Amounts of the picture show that digits are omitted", () => {
  const shown = ["0", "1000000000", "1500000000", "123456789", "1", "99999", "123456789012345678901"].map(
    shortAmount,
  );
  expect(shown).toEqual(["0", "1", "1.5", "≈0.1234", "<0.0001", "<0.0001", "≈123,456,789,012.3456"]);
});

it("Totals of a trace count each fee once", () => {
  const trace = madeTrace({
    fees: "5",
    children: [{ fees: "7", children: [{ fees: "11" }] }, { fees: "13" }],
  });
  expect(totalsOf(trace)).toEqual({
    collected: 36n,
    forwarded: 1_200_000n,
    sent: 2_000_000_000n,
    accounts: 1,
    failed: 0,
  });
});

describe("Equal messages", () => {
  const payout = (account: string, value = "10000000", rest: MadeStep = {}): MadeStep => ({
    account: accountOf(account),
    message: { value },
    ...rest,
  });
  const shapes = (root: MadeStep, isOpen: (id: string) => boolean = () => false) => {
    const { steps, groups } = foldEqual(stepsOf(madeTrace(root), 4000), isOpen);
    return { groups, shown: steps.map(({ kind, folded }) => (folded ? folded.length : kind)), steps };
  };
  it("fold to one step in the place of the first, with what follows from them", () => {
    const rest = { children: [{ message: { value: "5" } }] };
    const children = ["1", "2", "3", "4"].map((digit) => payout(digit, "10000000", rest));
    const { shown, groups, steps } = shapes({ children: [...children, payout("5", "7")] });
    expect(shown).toEqual(["transaction", 4, "transaction"]);
    expect(groups).toBe(1);
    expect(steps[1]).toMatchObject({ kind: "fold", depth: 1, parent: 0, children: [] });
    const open = shapes({ children: [...children, payout("5", "7")] }, () => true);
    expect(open.shown).toEqual(new Array(10).fill("transaction"));
    expect(open.groups).toBe(1);
  });

  it("differ by amount, operation, comment, outcome, or what follows", () => {
    const three = ["1", "2", "3"].map((digit) => payout(digit));
    for (const other of [
      payout("4", "10000001"),
      payout("4", "10000000", { message: { value: "10000000", opcode: "0x0f8a7ea5" } }),
      payout("4", "10000000", { description: ended(13) }),
      payout("4", "10000000", { children: [{}] }),
      payout("4", "10000000", {
        message: { value: "10000000", opcode: null, message_content: { hash: "other", decoded: null } },
      }),
    ])
      expect(shapes({ children: [...three, other] }).groups).toBe(0);
    expect(shapes({ children: [...three, payout("4")] }).groups).toBe(1);
  });

  it("fold in traces of any depth and width", () => {
    expect(shapes(deep).groups).toBe(0);
    expect(shapes(wide).shown.slice(0, 2)).toEqual(["transaction", 3999]);
  });

  it("keep failures apart, and the way to each failure is known", () => {
    const root = {
      children: [
        payout("1"),
        { children: [payout("2"), payout("3", "5", { description: ended(13) })] },
        payout("4"),
      ],
    };
    const steps = stepsOf(madeTrace(root), 100);
    const leads = leadsToFailure(steps);
    const marked = steps.flatMap(({ depth }, index) => (leads[index] ? [depth] : []));
    expect(marked).toEqual([0, 1, 2]);
    expect(leadsToFailure(stepsOf(madeTrace(wide), 100)).some(Boolean)).toBe(false);
  });
});

describe("The visible part of a picture", () => {
  const steps = stepsOf(madeTrace({ children: Array.from({ length: 3000 }, () => ({})) }), 4000);
  const area = { left: 0, top: 100_000, right: 1000, bottom: 101_000 };

  it.each(layouts)("has few steps %s, and each line that crosses it", (_, layout) => {
    const { places } = layout(steps);
    const visible = stepsIn(places, area);
    expect(visible.length).toBeGreaterThan(8);
    expect(visible.length).toBeLessThan(20);
    for (const index of visible)
      expect(places[index]!.y + places[index]!.height).toBeGreaterThanOrEqual(100_000);
    const leads = new Array<boolean>(steps.length).fill(false);
    const lines = linesIn(steps, places, { area, leads });
    // One line below the area stands for those of all siblings there.
    expect(lines.length).toBe(visible.length + 1);
    expect(Math.max(...lines)).toBeGreaterThan(Math.max(...visible));
    leads[2999] = true;
    expect(linesIn(steps, places, { area, leads })).toContain(2999);
  });
});
