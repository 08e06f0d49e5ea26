import type {
  Media,
  OpenApiDocument,
  Operation,
  Parameter,
  PathItem,
  Reference,
  Response,
} from "../openapi-document.js";
import { jsonRpcPath } from "../openapi-parts.js";
import { mapValues } from "../subschemas.js";
import { bodyExample } from "./examples.js";
import { typeName } from "./names.js";
import { type Place, Schemas30 } from "./schemas.js";

/**
 * The OpenAPI 3.0 document that has the operations of a 3.1 document, for generators of clients: each parameter and member
 * of a body has one type, and each record a name.
 */
export function openApi30(document: OpenApiDocument): object {
  const schemas = new Schemas30(document.components.schemas);
  const { info, servers, security, tags, components } = document;
  const parameters = mapValues(components.parameters, (each) => parameter(each, schemas));
  const webhooks =
    document.webhooks && mapValues(document.webhooks, (item) => pathItem(item, schemas, "output"));
  // Its answers have no one type, which generators want: a single call has one, a batch another, notifications none.
  const { [jsonRpcPath]: _, ...documented } = document.paths;
  const paths = mapValues(documented, (item) => pathItem(item, schemas, "input", webhooks));
  return {
    openapi: "3.0.3",
    info,
    servers,
    security,
    tags,
    paths,
    components: { schemas: schemas.components, parameters, securitySchemes: components.securitySchemes },
  };
}

/** `bodies` names the sender of request bodies: callers, or the service for webhooks. */
function pathItem(
  item: PathItem,
  schemas: Schemas30,
  bodies: Place["io"],
  webhooks?: Record<string, PathItem>,
): PathItem {
  return mapValues(item as Record<string, Operation>, (each) => operation(each, schemas, bodies, webhooks));
}

function operation(
  { requestBody, responses, parameters = [], ...rest }: Operation,
  schemas: Schemas30,
  bodies: Place["io"],
  webhooks: Record<string, PathItem> | undefined,
): Operation {
  const name = typeName(rest.operationId.replace(/Post$/, ""));
  const converted = parameters.map((each) => (isReference(each) ? each : parameter(each, schemas)));
  const hasWebhooks = webhooks && rest.operationId === "v3.webhooks.createPost";
  return {
    ...rest,
    ...(converted.length > 0 && { parameters: converted }),
    ...(requestBody && {
      requestBody: {
        ...requestBody,
        content: body(requestBody.content, schemas, { io: bodies, name: `${name}Body` }),
      },
    }),
    responses: mapValues(responses, (each) => response(each, schemas, `${name}Answer`)),
    // OpenAPI 3.0 has no webhooks; callbacks take their place.
    ...(hasWebhooks && { callbacks: mapValues(webhooks, (item) => ({ "{$request.body#/url}": item })) }),
  };
}

function parameter({ schema, ...rest }: Parameter, schemas: Schemas30): Parameter {
  const converted = schemas.convert(schema, { io: "input", name: typeName(rest.name) });
  // In a query and in a header there is no null.
  const { nullable: _, description: __, ...single } = converted;
  const form = rest.in === "path" ? { style: "simple", explode: false } : { style: "form", explode: true };
  const list = single.type === "array" && form;
  return { ...rest, ...list, schema: single };
}

function response({ content, headers, ...rest }: Response, schemas: Schemas30, name: string): Response {
  return {
    ...rest,
    ...(headers && {
      headers: mapValues(headers, (each) => ({
        ...each,
        schema: schemas.convert(each.schema, { io: "output", name }),
      })),
    }),
    ...(content && { content: media(content, schemas, { io: "output", name }) }),
  };
}

function media(content: Media, schemas: Schemas30, at: Place): Media {
  return mapValues(content, ({ schema, ...rest }) => ({ ...rest, schema: schemas.named(schema, at) }));
}

/** A body, whose examples have the types that it has. */
function body(content: Media, schemas: Schemas30, at: Place): Media {
  return mapValues(media(content, schemas, at), ({ schema, examples = {} }) => ({
    schema,
    examples: mapValues(examples, ({ value }) => ({ value: bodyExample(value, schemas.resolve(schema)) })),
  }));
}

const isReference = (each: Parameter | Reference): each is Reference => "$ref" in each;
