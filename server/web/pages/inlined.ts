import type {
  ContentDescriptor,
  OpenRpcDocument,
  Reference,
  SharedOpenRpcDocument,
} from "../../../shared/rpc/open-rpc.js";

export const descriptorPrefix = "#/components/contentDescriptors/";

/** The document with shared parameters and results in their places. */
export function inlined({ methods, components, ...document }: SharedOpenRpcDocument): OpenRpcDocument {
  const { contentDescriptors, ...others } = components;
  const place = (given: ContentDescriptor | Reference): ContentDescriptor => {
    if (!("$ref" in given)) return given;
    const found = contentDescriptors[given.$ref.slice(descriptorPrefix.length)];
    if (!found) throw new Error(`the document has no ${given.$ref}`);
    return found;
  };
  return {
    ...document,
    methods: methods.map(({ params, result, ...method }) => ({
      ...method,
      params: params.map(place),
      result: place(result),
    })),
    components: others,
  };
}
