import type { AbiType, ContractAbi, Declaration, Field, TypeIndex } from "../../../shared/ton/abi/model.js";
import { type WrittenAbi, writtenFormat } from "../../../shared/ton/abi/written.js";

/**
 * An ABI with the types that its messages, storage and get-methods need, numbered anew: compilers list many more. What
 * is only for people is left out.
 */
export function reachedAbi(abi: ContractAbi): WrittenAbi {
  const places = new Map<TypeIndex, TypeIndex>();
  const declared = new Map<string, WrittenAbi["declarations"]>();
  const place = (index: TypeIndex): TypeIndex => {
    const known = places.get(index);
    if (known !== undefined) return known;
    places.set(index, places.size);
    return places.size - 1;
  };
  const fields = (list: readonly Field[]) =>
    list.map(({ name, type, fallback }) => ({ name, type: place(type), fallback: plainFallback(fallback) }));
  const all = (list: readonly TypeIndex[]) => list.map(place);
  const { incoming, external, outgoing, events } = abi.messages;
  const messages = {
    incoming: all(incoming),
    external: all(external),
    outgoing: all(outgoing),
    events: all(events),
  };
  const storage = all(abi.storage);
  const getMethods = abi.getMethods.map(({ name, id, parameters, returns }) => ({
    name,
    id,
    parameters: fields(parameters),
    returns: place(returns),
  }));
  const types: AbiType[] = [];
  const instances: (readonly [TypeIndex, readonly TypeIndex[]])[] = [];
  // The map grows while types are visited.
  for (const [index, own] of places) {
    const type = abi.types[index]!;
    types.push(withPlaces(type, place));
    const instance = abi.instances.get(index);
    if (instance) instances.push([own, all(instance)]);
    if (!("name" in type) || declared.has(type.name)) continue;
    const declaration = abi.declarations.get(type.name);
    declared.set(type.name, declaration ? [withoutTexts(declaration, place, fields)] : []);
  }
  return {
    format: writtenFormat,
    types,
    declarations: [...declared.values()].flat(),
    instances,
    messages,
    storage,
    getMethods,
  };
}

function withPlaces(type: AbiType, place: (index: TypeIndex) => TypeIndex): AbiType {
  switch (type.kind) {
    case "nullable":
    case "cellOf":
    case "arrayOf":
    case "lispListOf":
    case "tupled":
      return { ...type, inner: place(type.inner) };
    case "mapKV":
      return { ...type, key: place(type.key), value: place(type.value) };
    case "tensor":
    case "shapedTuple":
      return { ...type, items: type.items.map(place) };
    case "union":
      return {
        ...type,
        variants: type.variants.map((variant) => ({ ...variant, type: place(variant.type) })),
      };
    case "struct":
    case "alias":
    case "enum":
      return { ...type, arguments: type.arguments.map(place) };
    default:
      return type;
  }
}

function withoutTexts(
  declaration: Declaration,
  place: (index: TypeIndex) => TypeIndex,
  fields: (list: readonly Field[]) => object[],
): { readonly name: string; readonly [member: string]: unknown } {
  const packsItself = declaration.packsItself || undefined;
  switch (declaration.kind) {
    case "struct":
      return { ...declaration, cells: declaration.cells.map(fields), packsItself };
    case "alias":
      return { ...declaration, target: place(declaration.target), packsItself };
    case "enum":
      return { ...declaration, encoding: place(declaration.encoding), packsItself };
  }
}

/** Values of constants are checked where they are used; here they must only be short. */
function plainFallback(fallback: Field["fallback"]): Field["fallback"] {
  const json = fallback?.json;
  return typeof json === "object" || json === undefined ? (json === null ? fallback : undefined) : fallback;
}
