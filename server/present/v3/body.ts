import { bitsText } from "../../../shared/ton/bodies/bits-text.js";
import { Budget, withinBudget } from "../../../shared/ton/bodies/budget.js";
import { readBodyWithin, readTypedWithin } from "../../../shared/ton/bodies/read.js";
import { BitString, type DictionaryKey, type Fields, type Value } from "../../../shared/ton/bodies/value.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { tgWalletOpcode } from "../../../shared/ton/contracts/tg-wallet.js";
import { Address } from "../../../shared/values/address.js";

/** A body in wire form: `@type`, then the fields of its scheme. */
export type DecodedBody = { "@type": string; [field: string]: unknown };

/** Maximum nesting of decoded bodies; cells in the innermost are bags of cells. */
const maxDepth = 10;

/** `undefined` if the body has no known scheme, or if its wire form would be too large. */
export function presentBody(body: Cell): DecodedBody | undefined {
  return withinBudget(() => new BodyPresenter(body).body(body));
}

/** Like `presentBody`, for a wallet request that begins with a signature instead of an opcode. */
export function presentSignedRequest(body: Cell): DecodedBody | undefined {
  return withinBudget(() => new BodyPresenter(body).signedRequest(body));
}

/** Like `presentBody`, for a request to Telegram's wallet alone, which anyone may deliver. */
export function presentTgRequest(body: Cell): DecodedBody | undefined {
  return withinBudget(() => new BodyPresenter(body).tgRequest(body));
}

/** Presents a body and the bodies in its cells, all within one budget. */
export class BodyPresenter {
  readonly budget: Budget;
  #depth = 0;

  constructor(body: Cell) {
    this.budget = new Budget(body);
  }

  body(cell: Cell): DecodedBody | undefined {
    if (isEmpty(cell)) return emptyCell();
    const signed = this.tgRequest(cell);
    if (signed) return signed;
    const body = readBodyWithin(this.budget, cell);
    return body && this.#constructed(body.name, body.fields);
  }

  tgRequest(cell: Cell): DecodedBody | undefined {
    const signed = tgWalletOpcode(cell) && readTypedWithin(this.budget, "TgWalletSigned", cell);
    return signed ? this.#constructed(signed.$type, signed) : undefined;
  }

  signedRequest(cell: Cell): DecodedBody | undefined {
    const signed = this.tgRequest(cell);
    if (signed) return signed;
    const request = readTypedWithin(this.budget, "SignedRequest", cell);
    return request && this.#constructed(request.$type, request);
  }

  #constructed(name: string, fields: Fields): DecodedBody {
    return this.#into({ "@type": name }, fields);
  }

  /** A value that was read within `budget`. */
  value(value: Value): unknown {
    if (value === undefined) return null;
    if (typeof value === "bigint") return value.toString();
    if (typeof value !== "object") return value;
    if (value instanceof Cell) return this.#cell(value);
    if (value instanceof Address) return value.toRawUpper();
    if (value instanceof Uint8Array || value instanceof BitString) return bitsText(value);
    if (value instanceof Map) return this.#dictionary(value);
    if (Array.isArray(value)) return value.map((each: Value) => this.value(each));
    // All other values are objects.
    return this.#record(value as Fields);
  }

  #record(fields: Fields): unknown {
    const { $type } = fields;
    return typeof $type === "string" ? this.#constructed($type, fields) : this.#into({}, fields);
  }

  #into<T extends Record<string, unknown>>(record: T, fields: Fields): T {
    const presented: Record<string, unknown> = record;
    for (const name in fields) if (name !== "$type") presented[name] = this.value(fields[name]);
    return record;
  }

  #dictionary(entries: ReadonlyMap<DictionaryKey, Value>): unknown {
    const presented: Record<string, unknown> = {};
    for (const [key, value] of entries) {
      const text = keyText(key);
      this.budget.spend(text.length);
      presented[text] = this.value(value);
    }
    return presented;
  }

  /** A cell as its decoded body, else as a bag of cells. */
  #cell(cell: Cell): unknown {
    if (isEmpty(cell)) return emptyCell();
    if (this.#depth < maxDepth) {
      this.#depth++;
      const body = this.body(cell);
      this.#depth--;
      if (body) return body;
    }
    const text = Buffer.from(serializeBoc(cell, { crc32: false })).toString("base64");
    this.budget.spend(text.length);
    return text;
  }
}

function isEmpty({ bits, refCount, exotic }: Cell): boolean {
  return bits === 0 && refCount === 0 && !exotic;
}

const emptyCell = (): DecodedBody => ({ "@type": "empty_cell" });

function keyText(key: DictionaryKey): string {
  if (typeof key === "bigint") return key.toString();
  return key instanceof Address ? key.toRawUpper() : bitsText(key);
}
