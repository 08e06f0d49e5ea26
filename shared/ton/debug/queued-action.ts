import { beginCell } from "../cells/builder.js";
import type { Cell } from "../cells/cell.js";
import { CellError } from "../cells/cell-error.js";
import { CellOf } from "../tlb/cell-of.js";
import { ExtraCurrencyCollection } from "../tlb/currency-collection.js";
import { MessageRelaxed } from "../tlb/message.js";
import type { OutAction } from "../tlb/out-action.js";
import { ifReadable } from "../tlb/readable.js";
import { type LoggedValue, readLoggedValue } from "../tvm/logged-values.js";

/** The action that an instruction queues with this stack, bottom to top; undefined if that is not known. */
export function queuedAction(instruction: string, stack: readonly string[]): OutAction | undefined {
  return ifReadable(() => actionOf(instruction, new TopValues(stack)));
}

function actionOf(instruction: string, top: TopValues): OutAction | undefined {
  const mode = (bits: bigint) => Number(top.integer(0) & bits);
  switch (instruction) {
    case "SENDRAWMSG":
    case "SENDMSG":
      return { kind: "sendMsg", mode: mode(0xffn), outMsg: CellOf.in(MessageRelaxed, top.cell(1)) };
    case "RAWRESERVE":
      return reserve(mode(0xffn), top.integer(1), undefined);
    case "RAWRESERVEX":
      return reserve(mode(0xffn), top.integer(2), top.maybeCell(1));
    case "SETCODE":
      return { kind: "setCode", newCode: top.cell(0) };
    case "SETLIBCODE":
      return { kind: "changeLibrary", mode: mode(0x7fn), libref: { kind: "ref", library: top.cell(1) } };
    case "CHANGELIB":
      return { kind: "changeLibrary", mode: mode(0x7fn), libref: { kind: "hash", libHash: top.hash(1) } };
    default:
      return undefined;
  }
}

function reserve(mode: number, coins: bigint, others: Cell | undefined): OutAction {
  const extra = ExtraCurrencyCollection.load(beginCell().storeMaybeRef(others).endCell().parse());
  return { kind: "reserveCurrency", mode, currency: { coins, extra } };
}

/** Values of a stack by their place from the top, 0. */
class TopValues {
  readonly #texts: readonly string[];

  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  integer(at: number): bigint {
    const value = this.#value(at);
    if (value?.type !== "int" || value.value === "NaN")
      throw new CellError("invalid", "the value is no integer");
    return BigInt(value.value);
  }

  hash(at: number): Uint8Array {
    return beginCell().storeUint(this.integer(at), 256).endCell().parse().loadBytes(32);
  }

  cell(at: number): Cell {
    const found = this.maybeCell(at);
    if (!found) throw new CellError("invalid", "the value is no cell");
    return found;
  }

  maybeCell(at: number): Cell | undefined {
    const value = this.#value(at);
    return value?.type === "cell" ? value.cell : undefined;
  }

  #value(at: number): LoggedValue | undefined {
    const text = this.#texts.at(-1 - at);
    return text === undefined ? undefined : readLoggedValue(text);
  }
}
