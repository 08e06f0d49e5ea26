import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";

// The parts of an OpenAPI 3.1 document that are read to derive others from it.

export type Parameter = {
  name: string;
  in: "query" | "header" | "path";
  description?: string;
  required?: boolean;
  schema: JsonSchema;
};
export type Reference = { $ref: string };
export type Content = { schema: JsonSchema; examples?: Record<string, { value: unknown }> };
/** A content by its type, such as `application/json`. */
export type Media = Record<string, Content>;
export type Response = {
  description: string;
  headers?: Record<string, { description: string; schema: JsonSchema }>;
  content?: Media;
};
export type Operation = {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  deprecated?: true;
  security?: readonly object[];
  parameters?: readonly (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: Media };
  responses: Record<string, Response>;
  callbacks?: Record<string, Record<string, PathItem>>;
};
export type PathItem = Partial<Record<"get" | "post", Operation>>;

export type OpenApiDocument = {
  openapi: string;
  info: object;
  servers: readonly object[];
  security: readonly object[];
  tags: readonly object[];
  paths: Record<string, PathItem>;
  webhooks?: Record<string, PathItem>;
  components: {
    schemas: Record<string, JsonSchema>;
    parameters: Record<string, Parameter>;
    securitySchemes: object;
  };
};
