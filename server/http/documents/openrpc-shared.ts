import type {
  ContentDescriptor,
  OpenRpcDocument,
  Reference,
  SharedOpenRpcDocument,
} from "../../../shared/rpc/open-rpc.js";
import { descriptorPrefix } from "../../web/pages/inlined.js";

/** The document with each parameter and result that several methods have in one place. */
export function sharedOpenRpc({ methods, components, ...document }: OpenRpcDocument): SharedOpenRpcDocument {
  const repeated = new RepeatedDescriptors();
  for (const { name, params, result } of methods)
    for (const descriptor of [...params, result]) repeated.count(name, descriptor);
  return {
    ...document,
    methods: methods.map((method) => ({
      ...method,
      params: method.params.map((each) => repeated.place(each)),
      result: repeated.place(method.result),
    })),
    components: { ...components, contentDescriptors: repeated.components },
  };
}

type Uses = { readonly descriptor: ContentDescriptor; readonly firstMethod: string; count: number };

class RepeatedDescriptors {
  readonly components: Record<string, ContentDescriptor> = {};
  readonly #uses = new Map<string, Uses>();
  readonly #names = new Map<string, string>();

  count(method: string, descriptor: ContentDescriptor): void {
    const text = JSON.stringify(descriptor);
    const known = this.#uses.get(text);
    if (known) known.count++;
    else this.#uses.set(text, { descriptor, firstMethod: method, count: 1 });
  }

  /** A reference to a descriptor that several methods have; otherwise the descriptor. */
  place(descriptor: ContentDescriptor): ContentDescriptor | Reference {
    const text = JSON.stringify(descriptor);
    const uses = this.#uses.get(text);
    if (!uses || uses.count === 1) return descriptor;
    const name = this.#names.get(text) ?? this.#add(text, uses);
    return { $ref: descriptorPrefix + name };
  }

  /** The first one has the name of the parameter, others also that of their first method. */
  #add(text: string, { descriptor, firstMethod }: Uses): string {
    const { name } = descriptor;
    const own = name === "result" || name in this.components ? `${firstMethod}.${name}` : name;
    this.#names.set(text, own);
    this.components[own] = descriptor;
    return own;
  }
}
