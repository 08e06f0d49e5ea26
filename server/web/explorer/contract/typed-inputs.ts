import { toNano } from "../../../../client/values/amounts.js";
import type { AbiCoder } from "../../../../shared/ton/abi/coder.js";
import type { AbiType, Field, TypeIndex } from "../../../../shared/ton/abi/model.js";
import { ifJson } from "../../../../shared/values/json.js";
import { type Content, html, type Markup } from "../../pages/markup.js";
import { areaField, checkField, choiceField, textField, type Values } from "../devnet/control-form.js";
import { claimed } from "../parts/text.js";

/** Fields of a form for a value, and the value that they have in the form of `AbiCoder`; undefined if none is given. */
type TypedInput = {
  readonly markup: Markup;
  /** Throws a TypeError if a field is invalid. */
  read(values: Values): unknown;
};

/** Limits of a form: nesting, and fields in all. Parts beyond them are given as JSON. */
const limits = { depth: 6, fields: 100 } as const;

/** Makes the inputs of one form. */
export class TypedInputs {
  readonly #coder: AbiCoder;
  /** Values of the accounts that address fields suggest. */
  readonly #accounts: string | undefined;
  #fields = 0;

  constructor(coder: AbiCoder, accounts?: string) {
    this.#coder = coder;
    this.#accounts = accounts;
  }

  /** An object by the names of the fields; those that are not given are absent. */
  record(fields: readonly Field[], path = "value", depth = 0): TypedInput {
    if (!this.#hasRoomFor(fields)) return json({ path, label: "fields" }, html`All fields`);
    const inputs = fields.map(({ name, type, fallback }, place) => ({
      name,
      ...this.input(type, { path: `${path}.${place}`, label: name, fallback }, depth),
    }));
    return {
      markup: html`${inputs.map(({ markup }) => markup)}`,
      read: (values) => {
        const read = inputs.map(({ name, read }) => [name, read(values)] as const);
        return Object.fromEntries(read.filter(([, value]) => value !== undefined));
      },
    };
  }

  input(type: TypeIndex, place: Place, depth: number): TypedInput {
    const shape = this.#coder.behindAliases(type);
    const title = html`${claimed(place.label, 60)} <span class="type">${claimed(this.#coder.nameOf(type), 60)}</span>`;
    if (++this.#fields > limits.fields || depth > limits.depth) return json(place, title);
    switch (shape.kind) {
      case "cellOf":
      case "tupled":
        return this.input(shape.inner, place, depth + 1);
      case "nullable":
        return this.#nullable(shape.inner, { place, title }, depth);
      case "struct":
        return this.#structure(type, { place, title }, depth);
      case "union":
        return this.#union(type, { place, title }, depth);
      case "tensor":
      case "shapedTuple":
        return this.#tensor(shape.items, { place, title }, depth);
      case "arrayOf":
      case "lispListOf":
      case "mapKV":
        return json(place, title);
      default:
        return this.#plain(shape, place, title);
    }
  }

  #structure(type: TypeIndex, { place, title }: Titled, depth: number): TypedInput {
    const { markup, read } = this.record(this.#coder.fieldsOf(type) ?? [], place.path, depth + 1);
    return { markup: group(title, markup), read };
  }

  #hasRoomFor({ length }: readonly unknown[]): boolean {
    return this.#fields + length <= limits.fields;
  }

  #tensor(items: readonly TypeIndex[], { place, title }: Titled, depth: number): TypedInput {
    if (!this.#hasRoomFor(items)) return json(place, title);
    const inputs = items.map((type, i) =>
      this.input(type, { path: `${place.path}.${i}`, label: String(i + 1) }, depth + 1),
    );
    return {
      markup: group(
        title,
        inputs.map(({ markup }) => markup),
      ),
      read: (values) => inputs.map(({ read }) => read(values)),
    };
  }

  /** Plain values are null if their field is empty; others are asked for by a box. */
  #nullable(inner: TypeIndex, { place, title }: Titled, depth: number): TypedInput {
    const { kind } = this.#coder.behindAliases(inner);
    if (!composed.has(kind)) {
      const { markup, read } = this.#plain(this.#coder.behindAliases(inner), place, title, "null");
      return { markup, read: (values) => read(values) ?? null };
    }
    const { markup, read } = this.input(inner, place, depth + 1);
    const box = `${place.path}.given`;
    return {
      markup: html`<div class="maybe">${checkField(box, html`With ${claimed(place.label, 60)}`, false)}${markup}</div>`,
      read: (values) => (values[box] === undefined ? null : read(values)),
    };
  }

  #union(type: TypeIndex, { place, title }: Titled, depth: number): TypedInput {
    const all = this.#coder.variantsOf(type) ?? [];
    if (!this.#hasRoomFor(all)) return json(place, title);
    const variants = all.map((variant, i) => {
      const path = `${place.path}.${i}`;
      const input =
        variant.form === "null"
          ? undefined
          : variant.form === "structure"
            ? this.record(this.#coder.fieldsOf(variant.type) ?? [], path, depth + 1)
            : this.input(variant.type, { path, label: "value" }, depth + 1);
      return { ...variant, input };
    });
    const name = `${place.path}.variant`;
    const choices = variants.map(
      ({ form, label }, i) => [String(i), form === "null" ? "null" : label.slice(0, 60)] as const,
    );
    return {
      markup: html`<div data-union>${choiceField(name, title, choices)}${variants.map(
        ({ input }, i) => html`<div data-variant="${i}"${i > 0 && html` hidden`}>${input?.markup}</div>`,
      )}</div>`,
      read: (values) => {
        const variant = variants[Number(values[name])];
        if (!variant?.input) return null;
        const value = variant.input.read(values);
        return variant.form === "structure"
          ? { "@type": variant.label, ...(value as object) }
          : { "@type": variant.label, value };
      },
    };
  }

  #plain(type: AbiType, place: Place, title: Markup, absent?: string): TypedInput {
    const { path, fallback } = place;
    const given = (read: (text: string) => unknown) => (values: Values) => {
      const text = values[path];
      return text === undefined ? undefined : read(text);
    };
    const field = (
      options: Parameters<typeof textField>[2],
      read: (text: string) => unknown = (text) => text,
    ) => {
      const usual = fallback === undefined ? undefined : String(fallback.json).slice(0, 60);
      const placeholder = absent ?? usual ?? options?.placeholder;
      return {
        markup: textField(path, title, { ...options, ...(placeholder !== undefined && { placeholder }) }),
        read: given(read),
      };
    };
    switch (type.kind) {
      case "bool":
        return {
          markup: choiceField(path, title, this.#choices(["false", "true"], absent ?? fallback)),
          read: given((text) => text === "true"),
        };
      case "enum": {
        const declared = this.#coder.abi.declarations.get(type.name);
        const members =
          declared?.kind === "enum" ? declared.members.slice(0, 255).map(({ name }) => name) : [];
        return {
          markup: choiceField(path, title, this.#choices(members, absent ?? fallback)),
          read: given((text) => text),
        };
      }
      case "coins":
        return field({ placeholder: "TON", inputmode: "decimal" }, (text) => toNano(text).toString());
      case "address":
      case "addressOpt":
      case "addressAny":
        return field({
          placeholder: "EQ… or 0:…",
          ...(this.#accounts !== undefined && { list: this.#accounts }),
        });
      case "string":
      case "text": {
        const { markup, read } = field({});
        const isOptional = absent !== undefined || fallback !== undefined;
        return { markup, read: (values) => read(values) ?? (isOptional ? undefined : "") };
      }
      case "void":
      case "nullLiteral":
        return { markup: html``, read: () => null };
      default:
        return field(placeholders.get(type.kind) ?? { inputmode: "numeric" });
    }
  }

  /** The choices of a list. One that may stay open has an empty one before. */
  #choices(names: readonly string[], open: unknown): (readonly [string, string])[] {
    const choices = names.map((name) => [name, name.slice(0, 60)] as const);
    return open === undefined ? choices : [["", "–"], ...choices];
  }
}

/** Where an input is in its form. */
type Place = {
  /** Name of its field, and beginning of the names of its parts. */
  readonly path: string;
  readonly label: string;
  /** The value that is taken if none is given. */
  readonly fallback?: Field["fallback"];
};

type Titled = { readonly place: Place; readonly title: Markup };

const composed: ReadonlySet<AbiType["kind"]> = new Set<AbiType["kind"]>([
  "nullable",
  "cellOf",
  "tupled",
  "struct",
  "union",
  "tensor",
  "shapedTuple",
  "arrayOf",
  "lispListOf",
  "mapKV",
]);

const boc = { placeholder: "te6cck…, base64" };
const placeholders: ReadonlyMap<string, { readonly placeholder: string }> = new Map([
  ...["cell", "slice", "builder", "remaining", "raw", "alias", "sliceRef", "builderRef"].map(
    (kind) => [kind, boc] as const,
  ),
  ["remainingCell", boc],
  ["remainingBuilder", boc],
  ["bitsN", { placeholder: "hex" }],
  ["addressExt", { placeholder: "hex" }],
]);

function group(title: Content, content: Content): Markup {
  return html`<fieldset><legend>${title}</legend>${content}</fieldset>`;
}

/** A value of which no form is made. */
function json({ path, label }: Place, title: Markup): TypedInput {
  return {
    markup: areaField(path, title, "JSON"),
    read: (values) => {
      const text = values[path];
      if (text === undefined) return undefined;
      const value = ifJson(text);
      if (value === undefined) throw new TypeError(`${label.slice(0, 60)} is given as JSON`);
      return value;
    },
  };
}

/** Shows the fields of the chosen variant of each union below a place. */
export function followUnions(place: HTMLElement): void {
  place.addEventListener("change", ({ target }) => {
    const choice = target as HTMLElement;
    const union = choice.closest("label")?.parentElement;
    if (!(choice instanceof HTMLSelectElement) || union?.dataset["union"] === undefined) return;
    for (const variant of union.querySelectorAll<HTMLElement>(":scope > [data-variant]"))
      variant.hidden = variant.dataset["variant"] !== choice.value;
  });
}
