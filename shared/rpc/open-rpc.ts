import type { RefusedParam } from "./refused-param.js";

/** A JSON Schema (2020-12); only the keywords used by readers of the documents are listed. */
export type JsonSchema = {
  $ref?: string;
  $dynamicRef?: string;
  type?: string | readonly string[];
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: readonly unknown[];
  format?: string;
  pattern?: string;
  contentEncoding?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  items?: JsonSchema;
  prefixItems?: readonly JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  additionalProperties?: boolean | JsonSchema;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  [keyword: string]: unknown;
};

/** A parameter or result of a method: `Content Descriptor` of OpenRPC. */
export type ContentDescriptor = {
  name: string;
  description?: string;
  required?: boolean;
  schema: JsonSchema;
};

/** An example call: `Example Pairing` of OpenRPC. */
export type MethodExample = {
  name: string;
  params: readonly { name: string; value: unknown }[];
  result: { name: string; value: unknown };
};

/** An error of the strict dialect; `data.kind` is the `ErrorCode`. */
type MethodError = {
  code: number;
  message: string;
  data: { code: number; kind: string; param?: string; refused?: readonly RefusedParam[] };
};

/** Place of an entry in `components`. */
export type Reference = { $ref: string };

/** A method of the OpenRPC document; aliases are deprecated methods. */
export type OpenRpcMethod = {
  name: string;
  summary: string;
  description?: string;
  deprecated?: true;
  tags: readonly { name: string }[];
  paramStructure: "either";
  params: readonly ContentDescriptor[];
  result: ContentDescriptor;
  /** Errors in addition to the common ones. */
  errors: readonly Reference[];
  examples: readonly MethodExample[];
  /** REST verbs and paths of the method; absent if it is available by JSON-RPC only. */
  "x-rest"?: { verbs: readonly string[]; paths: readonly string[] };
  /** How long answers are cached: the `kind` of the method's freshness. */
  "x-freshness": string;
};

/** The document with everything in its place. */
export type OpenRpcDocument = {
  openrpc: "1.2.6";
  info: { title: string; version: string; description: string; "x-network": string };
  /** URL of JSON-RPC, if the operator has named a public one. */
  servers?: readonly { name: string; url: string }[];
  methods: OpenRpcMethod[];
  /** Errors that every method has. */
  "x-common-errors": readonly Reference[];
  /** Members of `error.data`, of any error. */
  "x-error-data": JsonSchema;
  /** Notifications from the service, by their method. */
  "x-notifications": readonly { name: string; summary: string; params: JsonSchema }[];
  components: {
    schemas: Record<string, JsonSchema>;
    errors: Record<string, MethodError>;
  };
};

/** The result of `rpc.discover`: parameters and results that several methods have are components. */
export type SharedOpenRpcDocument = Omit<OpenRpcDocument, "methods" | "components"> & {
  methods: SharedOpenRpcMethod[];
  components: OpenRpcDocument["components"] & { contentDescriptors: Record<string, ContentDescriptor> };
};

type SharedOpenRpcMethod = Omit<OpenRpcMethod, "params" | "result"> & {
  params: readonly (ContentDescriptor | Reference)[];
  result: ContentDescriptor | Reference;
};
