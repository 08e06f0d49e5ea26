import { beginCell } from "../../cells/builder.js";
import { Dictionary } from "../../cells/dictionaries/dictionary.js";
import type { KeyCodec, ValueCodec } from "../../cells/dictionaries/dictionary-codec.js";
import type { Slice } from "../../cells/slice.js";
import { type Kind, scalar } from "../kind.js";
import type { AbiValue } from "../value.js";
import type { Work } from "../work.js";
import type { Inner } from "./composed.js";
import { cellInSlot } from "./raw.js";

/** `HashmapE n V`, on the stack its root or null. As JSON an object by the texts of the keys. */
export function mapOf(key: Inner, keyBits: number, isSigned: boolean, value: Inner): Kind {
  const keyCodec = (work: Work): KeyCodec<AbiValue> => ({
    bits: keyBits,
    signed: isSigned,
    store: (each, to) => key().store(each, to, work),
    load: (from) => key().load(from, work),
  });
  // In a box, as values can be undefined, which a dictionary takes for none.
  const values = (work: Work): ValueCodec<{ each: AbiValue }> => ({
    store: ({ each }, to) => value().store(each, to, work),
    load: (from) => {
      const each = value().load(from, work);
      from.end();
      return { each };
    },
  });
  const load = (from: Slice, work: Work): AbiValue => {
    const found = new Map<AbiValue, AbiValue>();
    const entries = Dictionary.load(from, keyCodec(work), values(work)).entries();
    for (
      let next = work.part("", () => entries.next());
      !next.done;
      next = work.part("", () => entries.next())
    )
      found.set(next.value[0], next.value[1].each);
    return found;
  };
  const dictionary = (given: AbiValue, work: Work) => {
    const all = Array.from(mapIn(given, work), ([each, mapped]) => [each, { each: mapped }] as const);
    return work.part("", () => Dictionary.empty(keyCodec(work), values(work)).update(all));
  };
  return scalar({
    load,
    store: (given, to, work) => dictionary(given, work).store(to),
    fromSlot: (slot, work) => {
      const root = slot.type === "null" ? undefined : cellInSlot(slot, work);
      return load(beginCell().storeMaybeRef(root).endCell().parse(), work);
    },
    toSlot: (given, work) => {
      const { root } = dictionary(given, work);
      return root ? { type: "cell", cell: root } : { type: "null" };
    },
    show: (given, work) => {
      if (work.form === "ton-center")
        return Array.from(mapIn(given, work), ([each, mapped]) => ({
          key: work.part("", () => key().show(each, work)),
          value: work.part("", () => value().show(mapped, work)),
        }));
      const shown: [string, unknown][] = [];
      for (const [each, mapped] of mapIn(given, work)) {
        const text = String(key().show(each, work));
        work.spend(text.length);
        shown.push([text, work.part(text, () => value().show(mapped, work))]);
      }
      return Object.fromEntries(shown);
    },
    parse: (json, work) => {
      if (typeof json !== "object" || json === null || Array.isArray(json))
        return work.refuse("expected an object by key");
      const seen = new Set<string>();
      const parsed = new Map<AbiValue, AbiValue>();
      for (const [text, given] of Object.entries(json)) {
        const entry = work.part(text, () => {
          const each = key().parse(text, work);
          const canonical = String(key().show(each, work));
          if (seen.has(canonical)) return work.refuse("a key is given twice");
          seen.add(canonical);
          return [each, value().parse(given, work)] as const;
        });
        parsed.set(...entry);
      }
      return parsed;
    },
  });
}

function mapIn(value: AbiValue, work: Work): ReadonlyMap<AbiValue, AbiValue> {
  return value instanceof Map ? value : work.refuse("expected a map");
}
