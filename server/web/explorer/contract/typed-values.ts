import type { AbiCoder } from "../../../../shared/ton/abi/coder.js";
import type { TypeIndex } from "../../../../shared/ton/abi/model.js";
import { isJsonObject } from "../../../../shared/values/json.js";
import { type Content, html, type Markup } from "../../pages/markup.js";
import { integer } from "../get-methods/stack-values.js";
import { addressLink } from "../parts/address.js";
import { count, ton } from "../parts/amount.js";
import type { Names } from "../parts/names.js";
import { claimed } from "../parts/text.js";

/** Limits of a shown value: items of each list, nesting, and parts in all. */
const limits = { items: 100, depth: 24, parts: 2000 } as const;
/** Structures are open up to this depth. */
const openDepth = 3;
const maxText = 500;

/** Shows values, in the form of `AbiCoder`, by their types. */
export class TypedValues {
  readonly #coder: AbiCoder;
  readonly #names: Names;

  constructor(coder: AbiCoder, names: Names) {
    this.#coder = coder;
    this.#names = names;
  }

  markup(value: unknown, type: TypeIndex): Markup {
    return new Tree(this.#coder, this.#names).branch(value, type, 0);
  }
}

type Json = Readonly<Record<string, unknown>>;

class Tree {
  readonly #coder: AbiCoder;
  readonly #names: Names;
  #parts = 0;

  constructor(coder: AbiCoder, names: Names) {
    this.#coder = coder;
    this.#names = names;
  }

  branch(value: unknown, index: TypeIndex, depth: number): Markup {
    if (++this.#parts > limits.parts || depth > limits.depth) return html`<span class="aside">…</span>`;
    const type = this.#coder.behindAliases(index);
    const below = (each: unknown, of: TypeIndex) => this.branch(each, of, depth + 1);
    switch (type.kind) {
      case "nullable":
      case "cellOf":
      case "tupled":
        return value === null ? nothing : this.branch(value, type.inner, depth);
      case "struct":
        return isJsonObject(value) ? this.#structure(value, index, depth) : this.#plain(value, type.kind);
      case "union":
        return this.#variant(value, index, depth);
      case "arrayOf":
      case "lispListOf":
        return this.#list(value, () => type.inner, depth);
      case "tensor":
      case "shapedTuple":
        return this.#list(value, (place) => type.items[place], depth);
      case "mapKV":
        if (!isJsonObject(value)) return this.#plain(value, type.kind);
        return folded(
          html`map of ${count(Object.keys(value).length)}`,
          this.#definitions(value, ([key, each]) => [below(key, type.key), below(each, type.value)]),
          depth,
        );
      default:
        return this.#plain(value, type.kind);
    }
  }

  #structure(value: Json, index: TypeIndex, depth: number): Markup {
    const fields = (this.#coder.fieldsOf(index) ?? []).filter(({ name }) => Object.hasOwn(value, name));
    const list = html`<dl class="typed">${fields.map(
      ({ name, type }) =>
        html`<div><dt>${claimed(name, 60)} <span class="type">${claimed(this.#coder.nameOf(type), 60)}</span></dt><dd>${this.branch(value[name], type, depth + 1)}</dd></div>`,
    )}</dl>`;
    if (fields.length === 0) return html`<span class="aside">no fields</span>`;
    return depth === 0 ? list : folded(claimed(this.#coder.nameOf(index), 60), list, depth);
  }

  /** The fields of a variant are beside its label, other values in `value`. */
  #variant(value: unknown, index: TypeIndex, depth: number): Markup {
    if (value === null) return nothing;
    const label = isJsonObject(value) ? value["@type"] : undefined;
    const variant = this.#coder.variantsOf(index)?.find((each) => each.label === label);
    if (!variant || !isJsonObject(value)) return this.#plain(value, "union");
    if (variant.form === "structure") return this.#structure(value, variant.type, Math.max(depth, 1));
    return html`<span class="type">${claimed(variant.label, 60)}</span> ${this.branch(value["value"], variant.type, depth + 1)}`;
  }

  #list(value: unknown, typeAt: (place: number) => TypeIndex | undefined, depth: number): Markup {
    if (!Array.isArray(value)) return this.#plain(value, "list");
    const items = value.slice(0, limits.items).map((each: unknown, place) => {
      const type = typeAt(place);
      return html`<li>${type !== undefined && this.branch(each, type, depth + 1)}</li>`;
    });
    return folded(
      html`${count(value.length)} ${value.length === 1 ? "item" : "items"}${cut(value.length)}`,
      html`<ol class="values">${items}</ol>`,
      depth,
    );
  }

  #definitions(value: Json, entryOf: (entry: [string, unknown]) => readonly [Markup, Markup]): Markup {
    const entries = Object.entries(value);
    return html`<dl class="typed">${entries.slice(0, limits.items).map((entry) => {
      const [key, shown] = entryOf(entry);
      return html`<div><dt>${key}</dt><dd>${shown}</dd></div>`;
    })}</dl>${cut(entries.length)}`;
  }

  #plain(value: unknown, kind: string): Markup {
    if (value === null || value === undefined)
      return kind.startsWith("address") ? html`<span class="none">nobody</span>` : nothing;
    if (typeof value !== "string") return html`<code>${claimed(JSON.stringify(value), maxText)}</code>`;
    if (kind === "string" || kind === "text") return html`<q class="comment">${claimed(value, maxText)}</q>`;
    if (kind.startsWith("address")) return addressLink(value, { names: this.#names });
    if (isBag(value)) return cell(value, kind);
    if (/^-?\d{1,80}$/.test(value)) return kind === "coins" ? ton(value) : number(BigInt(value));
    return html`<code>${claimed(value, maxText)}</code>`;
  }
}

const nothing = html`<span class="aside">null</span>`;
/** Larger numbers are hashes and keys more often than counts. */
const largestCount = 2n ** 53n;

function number(value: bigint): Markup {
  const isCount = value < largestCount && value > -largestCount;
  return isCount ? html`<span class="amount">${count(value)}</span>` : integer(value);
}

function folded(title: Content, content: Content, depth: number): Markup {
  return html`<details class="fold"${depth < openDepth && html` open`}><summary>${title}</summary>${content}</details>`;
}

function cut(length: number): Markup | false {
  return length > limits.items && html`<span class="aside">, the first ${limits.items}</span>`;
}

/** Begins with the tag of bags of cells. */
function isBag(text: string): boolean {
  return text.startsWith("te6c");
}

function cell(boc: string, kind: string): Markup {
  const name = kind.startsWith("slice") ? "slice" : kind.startsWith("builder") ? "builder" : "cell";
  return html`<details class="fold" data-boc="${boc}"><summary>${name} <span class="aside">${count(Math.round((boc.length * 3) / 4))} bytes</span></summary></details>`;
}
