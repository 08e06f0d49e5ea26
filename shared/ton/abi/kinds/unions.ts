import { CellError } from "../../cells/cell-error.js";
import type { Slice } from "../../cells/slice.js";
import type { StackValue } from "../../tvm/stack.js";
import type { Kind } from "../kind.js";
import type { Prefix } from "../model.js";
import { PrefixIndex } from "../prefix-index.js";
import type { AbiRecord, AbiValue } from "../value.js";
import type { Work } from "../work.js";
import { type Inner, popFrom } from "./composed.js";
import { recordOf } from "./named.js";

export type VariantKind = {
  readonly kind: Inner;
  readonly label: string;
  /** Its type as in Tolk. */
  readonly name: () => string;
  /** Its value is null, a structure whose fields are those of the union's value, or another one. */
  readonly form: "null" | "structure" | "value";
  readonly prefix: Prefix;
  /** The prefix is the union's. Others belong to the variant itself. */
  readonly isImplicit: boolean;
  readonly typeId: bigint | undefined;
};

/** The variants of a union by all that they are chosen by: a body can have as many values of one as it has bits. */
export class Variants {
  readonly ofNull: VariantKind | undefined;
  readonly #all: readonly VariantKind[];
  readonly #byPrefix: PrefixIndex<VariantKind>;
  readonly #byLabel = new Map<unknown, VariantKind>();
  readonly #byTypeId = new Map<bigint, VariantKind>();

  constructor(all: readonly VariantKind[]) {
    this.#all = all;
    this.#byPrefix = new PrefixIndex(all, ({ prefix }) => prefix, 1);
    this.ofNull = all.find(({ form }) => form === "null");
    for (const each of all) {
      if (each.form !== "null") this.#byLabel.set(each.label, each);
      if (each.typeId !== undefined && !this.#byTypeId.has(each.typeId))
        this.#byTypeId.set(each.typeId, each);
    }
  }

  /** The first one whose prefix comes next. */
  in(from: Slice): VariantKind | undefined {
    return this.#byPrefix.fitting(from)[0];
  }

  ofTypeId(id: bigint): VariantKind | undefined {
    return this.#byTypeId.get(id);
  }

  /** The variant with this label; null has none. */
  labelled(label: unknown): VariantKind | undefined {
    return this.#byLabel.get(label);
  }

  /** For messages: the first ones. */
  get labels(): string {
    const labels = this.#all.slice(0, 20).map(({ form, label }) => (form === "null" ? "null" : label));
    return labels.join(", ");
  }
}

/** One of several types, told apart by prefixes in cells, and by the last of `width` values on the stack. */
export function union(variants: () => Variants, width: number): Kind {
  const chosen = (value: AbiValue, work: Work): VariantKind => {
    const found =
      value === undefined ? variants().ofNull : variants().labelled(recordOf(value, work)["$type"]);
    return found ?? work.refuse("the union has no such variant");
  };
  return {
    load: (from, work) => {
      const variant = variants().in(from);
      if (!variant) throw new CellError("invalid", "no variant of a union has this prefix");
      if (variant.isImplicit) from.skip(variant.prefix.len);
      return labelled(
        variant,
        work.part(variant.label, () => variant.kind().load(from, work)),
      );
    },
    store: (value, to, work) => {
      const variant = chosen(value, work);
      if (variant.isImplicit) to.storeUint(variant.prefix.num, variant.prefix.len);
      work.part(variant.label, () => variant.kind().store(contentOf(variant, value, work), to, work));
    },
    width: () => width,
    pop: (slots, work) => {
      const id = slots.at(-1);
      const variant = id?.type === "int" ? variants().ofTypeId(id.value) : undefined;
      if (!variant) return work.refuse("the stack has no known variant here");
      return labelled(
        variant,
        work.part(variant.label, () => {
          if (variant.form === "null") return undefined;
          const kind = variant.kind();
          const end = slots.length - 1;
          return popFrom(slots.slice(Math.max(0, end - kind.width()), end), kind, work);
        }),
      );
    },
    push: (value, to, work) => {
      const variant = chosen(value, work);
      const { typeId } = variant;
      if (typeId === undefined) return work.refuse("the union has no layout on the stack");
      const slots: StackValue[] = [];
      if (variant.form !== "null")
        work.part(variant.label, () => variant.kind().push(contentOf(variant, value, work), slots, work));
      for (let place = slots.length + 1; place < width; place++) to.push({ type: "null" });
      to.push(...slots, { type: "int", value: typeId });
    },
    show: (value, work) => {
      const variant = chosen(value, work);
      if (variant.form === "null") return null;
      const shown = work.part(variant.label, () =>
        variant.kind().show(contentOf(variant, value, work), work),
      );
      const name = work.form === "ton-center" ? variant.name() : variant.label;
      work.spend(name.length);
      if (work.form === "ton-center") return { $: name, value: shown };
      return variant.form === "structure" && typeof shown === "object"
        ? { "@type": name, ...shown }
        : { "@type": name, value: shown };
    },
    parse: (json, work) => {
      const isNull = json === null || json === undefined;
      const given = (isNull ? {} : json) as Readonly<Record<string, unknown>>;
      const variant = isNull ? variants().ofNull : variants().labelled(given["@type"]);
      if (!variant) return work.refuse(`@type is one of ${variants().labels}`);
      if (variant.form === "null") return undefined;
      const content = variant.form === "structure" ? given : given["value"];
      return labelled(
        variant,
        work.part(variant.label, () => variant.kind().parse(content, work)),
      );
    },
  };
}

function labelled({ form, label }: VariantKind, value: AbiValue): AbiValue {
  if (form === "null") return undefined;
  return form === "structure" ? { $type: label, ...(value as AbiRecord) } : { $type: label, value };
}

function contentOf({ form }: VariantKind, value: AbiValue, work: Work): AbiValue {
  if (form === "null") return undefined;
  const { $type: _, ...fields } = recordOf(value, work);
  return form === "structure" ? fields : fields["value"];
}
