import { bitsText } from "../../../shared/ton/bodies/bits-text.js";
import { BitString } from "../../../shared/ton/bodies/value.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { bytesToBase64, bytesToHex } from "../../../shared/values/bytes.js";
import { MadeTypes } from "./made-abi.js";

/** Random whole numbers below a bound. */
type Below = (bound: number) => number;

/** A type, and its values in the form of JSON. */
type MadeType = { index: number; width: number; isNullable: boolean; value: () => unknown };

/** Makes a table of random types with random values. */
export class RandomTypes extends MadeTypes {
  readonly #below: Below;
  #named = 0;

  constructor(below: Below) {
    super();
    this.#below = below;
  }

  /** A type of any kind whose values have a form in cells and on the stack. */
  any(depth: number): MadeType {
    const simple = [
      () => this.#number(),
      () => this.#number(),
      () => this.#one({ kind: "coins" }, () => this.#big(120).toString()),
      () => this.#one({ kind: "bool" }, () => this.#below(2) === 0),
      () => this.#one({ kind: "cell" }, () => this.#boc()),
      () => this.#one({ kind: "string" }, () => "é".repeat(this.#below(100))),
      () => this.#one({ kind: "address" }, () => this.#account()),
      () => ({
        ...this.#one({ kind: "addressOpt" }, () => this.#maybe(() => this.#account())),
        isNullable: true,
      }),
      () => this.#one({ kind: "addressExt" }, () => bitsText(this.#bits(this.#below(200)))),
      () => this.#one({ kind: "addressAny" }, () => this.#maybe(() => this.#account())),
      () => this.#bitsN(),
      () => this.#enum(),
      () => ({ ...this.#one({ kind: "nullLiteral" }, () => null), isNullable: true }),
      () => ({ ...this.#one({ kind: "void" }, () => null), width: 0 }),
    ];
    const composed = [
      () => this.#nullable(depth),
      () => this.#cellOf(depth),
      () => this.#list("arrayOf", depth),
      () => this.#list("lispListOf", depth),
      () => this.#map(depth),
      () => this.#tensor("tensor", depth),
      () => this.#tensor("shapedTuple", depth),
      () => this.#union(depth),
      () => this.#struct(depth),
      () => this.#struct(depth),
      () => this.#alias(depth),
    ];
    const all = depth > 0 ? [...simple, ...composed, ...composed] : simple;
    return all[this.#below(all.length)]!();
  }

  #one(type: Readonly<Record<string, unknown>>, value: () => unknown): MadeType {
    return { index: this.type(type), width: 1, isNullable: false, value };
  }

  #number(): MadeType {
    const n = 1 + this.#below(256);
    const variable = [16, 32][this.#below(2)]!;
    const signed = (bits: number) => BigInt.asIntN(bits, this.#big(bits)).toString();
    return [
      () => this.#one({ kind: "uintN", n }, () => this.#big(n).toString()),
      () => this.#one({ kind: "intN", n }, () => signed(n)),
      () => this.#one({ kind: "varuintN", n: variable }, () => this.#big(8 * (variable - 1)).toString()),
      () => this.#one({ kind: "varintN", n: variable }, () => signed(8 * (variable - 1))),
    ][this.#below(4)]!();
  }

  #bitsN(): MadeType {
    const n = this.#below(300);
    return this.#one({ kind: "bitsN", n }, () => bitsText(this.#bits(n)));
  }

  #enum(): MadeType {
    const name = `E${this.#named++}`;
    const encoding = this.type({ kind: "uintN", n: 8 });
    const index = this.type({ kind: "EnumRef", enum_name: name });
    const members = ["Red", "Blue"].map((member, i) => ({ name: member, value: String(i * 7) }));
    this.declarations.push({ kind: "enum", name, ty_idx: index, encoded_as_ty_idx: encoding, members });
    return { index, width: 1, isNullable: false, value: () => ["Red", "Blue", "3"][this.#below(3)] };
  }

  #nullable(depth: number): MadeType {
    const inner = this.any(depth - 1);
    const isPlain = inner.width === 1 && !inner.isNullable;
    const layout = isPlain ? {} : { stack_width: inner.width + 1, stack_type_id: 1 + this.#below(1000) };
    const index = this.type({ kind: "nullable", inner_ty_idx: inner.index, ...layout });
    // A value of null and no value look the same as JSON.
    const value = () => (this.#below(3) === 0 ? null : inner.value());
    return { index, width: isPlain ? 1 : inner.width + 1, isNullable: true, value };
  }

  #cellOf(depth: number): MadeType {
    const inner = this.any(depth - 1);
    return this.#one({ kind: "cellOf", inner_ty_idx: inner.index }, inner.value);
  }

  #list(kind: "arrayOf" | "lispListOf", depth: number): MadeType {
    const inner = this.any(depth - 1);
    const list = this.#one({ kind, inner_ty_idx: inner.index }, () => this.#many(4, inner.value));
    return { ...list, isNullable: kind === "lispListOf" };
  }

  #map(depth: number): MadeType {
    const keys = [
      { key: this.type({ kind: "intN", n: 32 }), text: () => BigInt.asIntN(32, this.#big(32)).toString() },
      { key: this.type({ kind: "uintN", n: 256 }), text: () => this.#big(256).toString() },
      { key: this.type({ kind: "address" }), text: () => this.#account() },
      { key: this.type({ kind: "bool" }), text: () => String(this.#below(2) === 0) },
      { key: this.type({ kind: "bitsN", n: 13 }), text: () => bitsText(this.#bits(13)) },
    ];
    const { key, text } = keys[this.#below(keys.length)]!;
    const value = this.any(depth - 1);
    const map = this.#one({ kind: "mapKV", key_ty_idx: key, value_ty_idx: value.index }, () =>
      Object.fromEntries(this.#many(4, () => [text(), value.value()])),
    );
    return { ...map, isNullable: true };
  }

  #tensor(kind: "tensor" | "shapedTuple", depth: number): MadeType {
    const items = this.#many(4, () => this.any(depth - 1));
    const index = this.type({ kind, items_ty_idx: items.map((item) => item.index) });
    const width = kind === "tensor" ? items.reduce((sum, item) => sum + item.width, 0) : 1;
    const isNullable = items.some((item) => item.isNullable);
    return { index, width, isNullable, value: () => items.map((item) => item.value()) };
  }

  #union(depth: number): MadeType {
    const isExplicit = this.#below(2) === 0;
    const name = `V${this.#named++}`;
    const variants = Array.from({ length: 2 + this.#below(3) }, (_, i) => {
      const prefix = { num: i, len: 3 };
      const field = this.any(depth - 1);
      const own = isExplicit ? prefix : undefined;
      const index = this.struct(`${name}_${i}`, { field: field.index }, own);
      const value = () => ({ "@type": `${name}_${i}`, field: field.value() });
      return { index, prefix, width: field.width, value };
    });
    const nothing = {
      index: this.type({ kind: "nullLiteral" }),
      prefix: { num: 7, len: 3 },
      width: 0,
      value: () => null,
    };
    const all = isExplicit ? variants : [nothing, ...variants];
    const width = Math.max(...all.map((variant) => variant.width)) + 1;
    const index = this.type({
      kind: "union",
      stack_width: width,
      variants: all.map((variant, i) => ({
        variant_ty_idx: variant.index,
        prefix_num: variant.prefix.num,
        prefix_len: variant.prefix.len,
        ...(!isExplicit && { is_prefix_implicit: true }),
        stack_type_id: variant === nothing ? 0 : 100 + i,
        stack_width: variant.width,
      })),
    });
    return { index, width, isNullable: true, value: () => all[this.#below(all.length)]!.value() };
  }

  #struct(depth: number): MadeType {
    const fields = this.#many(5, () => this.any(depth - 1)).map((field, i) => [`f${i}`, field] as const);
    const index = this.struct(
      `S${this.#named++}`,
      Object.fromEntries(fields.map(([field, { index }]) => [field, index])),
      this.#below(3) === 0 ? { num: this.#below(256), len: 8 } : undefined,
    );
    return {
      index,
      width: fields.reduce((sum, [, field]) => sum + field.width, 0),
      // A structure of one value is that value on the stack, also if it is null.
      isNullable: fields.some(([, field]) => field.isNullable),
      value: () => Object.fromEntries(fields.map(([field, { value }]) => [field, value()])),
    };
  }

  #alias(depth: number): MadeType {
    const target = this.any(depth - 1);
    const name = `A${this.#named++}`;
    const index = this.type({ kind: "AliasRef", alias_name: name });
    this.declarations.push({ kind: "alias", name, ty_idx: index, target_ty_idx: target.index });
    return { ...target, index };
  }

  #many<T>(bound: number, make: () => T): T[] {
    return Array.from({ length: this.#below(bound) }, make);
  }

  #maybe<T>(make: () => T): T | null {
    return this.#below(3) === 0 ? null : make();
  }

  #bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.#below(256));
  }

  #big(bits: number): bigint {
    return BigInt.asUintN(bits, BigInt(`0x${bytesToHex(this.#bytes(33))}`));
  }

  #bits(length: number): BitString {
    return new BitString(BigInt.asUintN(length, this.#big(264) << BigInt(this.#below(40))), length);
  }

  #account(): string {
    return `${this.#below(2) - 1}:${bytesToHex(this.#bytes(32)).toUpperCase()}`;
  }

  #boc(): string {
    return bytesToBase64(
      serializeBoc(
        beginCell()
          .storeBytes(this.#bytes(this.#below(20)))
          .endCell(),
        { crc32: false },
      ),
    );
  }
}
