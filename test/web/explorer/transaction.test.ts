import { describe, expect, it } from "vitest";
import type { Transaction } from "../../../client/api.js";
import { AnswerNames } from "../../../server/web/explorer/actions/answer-names.js";
import { lineOf } from "../../../server/web/explorer/parts/message-line.js";
import { Names } from "../../../server/web/explorer/parts/names.js";
import { failureOf, outcomeOf } from "../../../server/web/explorer/parts/outcome.js";
import { traceSummary } from "../../../server/web/explorer/trace/summary.js";
import { messageView } from "../../../server/web/explorer/transaction/message.js";
import { operationOf } from "../../../server/web/explorer/transaction/message-names.js";
import { phases } from "../../../server/web/explorer/transaction/phases.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { tgWalletOpcodes } from "../../../shared/values/tg-wallet.js";
import { madeTrace } from "../../helpers/made-trace.js";

/** The phases of a transaction whose compute phase has these members. */
function shown(compute: object, contract: readonly string[] = []): string {
  const run = {
    ...{ skipped: false, success: true, exit_code: 0, gas_fees: "1", vm_steps: 5 },
    ...compute,
  };
  return phases({ type: "ord", compute_ph: run } as unknown as Transaction["description"], contract).text;
}

describe("phases of a transaction", () => {
  it("name the limit of gas, unless there was none before the message was accepted", () => {
    expect(shown({ gas_used: "3308", gas_limit: "10000" })).toContain("3,308 of 10,000");
    const external = shown({ gas_used: "3308", gas_limit: "0", gas_credit: "10000" });
    expect(external).toContain("3,308");
    expect(external).not.toContain("of 0");
  });

  it("explain exit codes by the contract", () => {
    const failed = { success: false, exit_code: 36, gas_used: "1", gas_limit: "1" };
    expect(shown(failed, ["wallet_v4r2"])).toContain("exit code 36: the message has expired");
    expect(shown(failed)).toContain("exit code 36, which the contract defines");
  });

  it("name exit codes by the contract's ABI, as cut and escaped text", () => {
    const failed = { success: false, exit_code: 36, gas_used: "1", gas_limit: "1", exit_source: {} };
    const named = { ...failed, exit_name: "<b>\u202e", exit_meaning: `${"y".repeat(300)}.` };
    expect(shown(named, ["wallet_v4r2"])).toContain(`exit code 36, &lt;b&gt;\ufffd: ${"y".repeat(200)}…<`);
    const inTact = { ...failed, exit_name: "36", exit_meaning: "Too late." };
    expect(shown(inTact)).toContain("exit code 36: Too late<");
  });
});

describe("the outcome of a transaction", () => {
  const compute_ph = { skipped: false, success: true, exit_code: 137 };
  const description = { type: "ord", aborted: false, compute_ph, action: { success: true } };
  const all = madeTrace({ description, children: [{ description }] }).transactions!;
  const [first, second] = Object.values(all).map((each) => outcomeOf(each, ["tg_wallet"]));

  it("is bad if its contract threw after it had committed its data, for an order from outside", () => {
    expect(first).toMatchObject({ kind: "bad", brief: "exit 137: errors not ignored" });
    expect(first!.text).toBe(
      "exit code 137: an external message must ignore errors of the messages that it sends",
    );
    expect(second).toMatchObject({ kind: "good" });
  });
});

describe("an order of a wallet that left out an action", () => {
  const compute_ph = { skipped: false, success: true, exit_code: 0 };
  const action = { success: true, result_code: 0, skipped_actions: 1 };
  const description = { type: "ord", aborted: false, compute_ph, action };
  const trace = madeTrace({ description, children: [{ description }] });

  it("is a failure as for the service, of the order alone", () => {
    const [order, further] = Object.values(trace.transactions!).map((each) => outcomeOf(each));
    expect(order).toEqual({ kind: "bad", text: "left out 1 action that failed", brief: "1 left out" });
    expect(further).toMatchObject({ kind: "good" });
  });

  it("is counted in the trace, and has the link to its reason", () => {
    const { text } = traceSummary({ ...trace, start_utime: 1, end_utime: 2 });
    expect(text).toMatch(/<strong>1<\/strong> failed <a class="why-link" [^>]+>Why\?<\/a>/);
  });
});

describe("the failure of a transaction, for lists", () => {
  const briefOf = (description: object, contract?: readonly string[]) => {
    const failed = { type: "ord", aborted: true, ...description };
    const [made] = Object.values(madeTrace({ description: failed }).transactions!);
    return failureOf(made!, contract);
  };
  const threw = (run: object) => ({ compute_ph: { skipped: false, success: false, ...run } });

  it("names the exit code by the ABI, by the contract, or not at all", () => {
    const named = { exit_code: 709, exit_name: "NotOwner", exit_source: {} };
    expect(briefOf(threw(named))).toBe("exit 709: NotOwner");
    expect(briefOf(threw({ ...named, exit_name: "709" }))).toBe("exit 709");
    expect(briefOf(threw({ exit_code: 706 }), ["jetton_wallet"])).toBe("exit 706: not enough jettons");
    expect(briefOf(threw({ exit_code: 706 }))).toBe("exit 706");
    const ran = { skipped: false, success: true, exit_code: 0 };
    const failed = { compute_ph: ran, action: { success: false, result_code: 37 } };
    expect(briefOf(failed)).toBe("action 37: not enough coins");
  });
});

describe("a request to Telegram's wallet", () => {
  const request = beginCell()
    .storeBytes(new Uint8Array(64).fill(0x0f))
    .storeUint(tgWalletOpcodes.sendOne.external, 32);
  const decoded = {
    "@type": "tg_wallet_signed",
    signature: "0F".repeat(64),
    request: { "@type": "tg_wallet_send_one_external", seqno: "7" },
  };
  const requestIn = (body: string) => {
    const message = {
      ...{ source: null, opcode: "0x0f0f0f0f", decoded_opcode: null },
      message_content: { hash: "", body, decoded },
    };
    const [first] = Object.values(madeTrace({ message }).transactions!);
    return first!.in_msg!;
  };

  it("is named by its opcode, which is behind the signature", () => {
    const message = requestIn(bytesToBase64(serializeBoc(request.endCell())));
    expect(operationOf(message)).toBe("tg wallet send one external");
    expect(lineOf(message).kind).toBe("tg wallet send one external");
    const { text } = messageView(message, "Message", new AnswerNames({}, new Names()));
    expect(text).toContain('<code>0x63896e75</code> <span class="aside">behind the signature</span>');
    expect(text).not.toContain("<code>0x0f0f0f0f</code>");
  });

  it("has no opcode where its body cannot be read", () => {
    const { text } = messageView(requestIn("AA=="), "Message", new AnswerNames({}, new Names()));
    expect(text).not.toContain("behind the signature");
  });
});

describe("names of operations", () => {
  it("are spelled right where the reference misspells them", () => {
    const trace = madeTrace({ message: { decoded_opcode: "mulisig_new_order" } });
    const [transaction] = Object.values(trace.transactions!);
    expect(operationOf(transaction!.in_msg!)).toBe("multisig new order");
  });

  it("are the number of an opcode that several protocols share", () => {
    const message = {
      opcode: "0x00000001",
      decoded_opcode: "evaa_supply_master,pyth_update_guardian_set",
      message_content: { hash: "", body: "", decoded: null },
    };
    const [, child] = Object.values(madeTrace({ children: [{ message }] }).transactions!);
    expect(operationOf(child!.in_msg!)).toBe("0x00000001");
    expect(lineOf(child!.in_msg!).kind).toBe("0x00000001");
  });

  it("are those of an ABI where no protocol is known, and are marked if they are a guess", () => {
    const abi = {
      ...{ contract: "<b>Counter", trust: "own", by: "code", message: `<i>${"x".repeat(60)}` },
      fields: { by: "</pre><b>" },
    };
    const messageBy = (by: string, more = {}) => {
      const message = { opcode: "0x00000010", abi: { ...abi, by }, ...more };
      const [, child] = Object.values(madeTrace({ children: [{ message }] }).transactions!);
      return child!.in_msg!;
    };
    const viewOf = (by: string) =>
      messageView(messageBy(by), "Message", new AnswerNames({}, new Names())).text;
    const name = `<i>${"x".repeat(37)}…`;
    for (const [by, shown] of [
      ["code", name],
      ["opcode", `${name}?`],
    ] as const) {
      expect(operationOf(messageBy(by))).toBe(shown);
      expect(lineOf(messageBy(by)).kind).toBe(shown);
      expect(viewOf(by)).not.toMatch(/<i>|<b>/);
    }
    expect(viewOf("code")).toContain('<details class="fold" data-abi open><summary><bdi>');
    expect(viewOf("opcode")).toContain("data-abi><summary>A guess by the opcode alone: <bdi>");
    const known = messageBy("opcode", { opcode: "0x0f8a7ea5", decoded_opcode: "jetton_transfer" });
    expect([operationOf(known), lineOf(known).kind]).toEqual(["jetton transfer", "jetton transfer"]);
  });
});
