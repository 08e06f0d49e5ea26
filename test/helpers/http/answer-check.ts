import { inlined } from "../../../server/web/pages/inlined.js";
import type { JsonSchema, OpenRpcDocument, SharedOpenRpcDocument } from "../../../shared/rpc/open-rpc.js";
import type { TestService } from "../services/service.js";
import { jsonSchema, openApi30Schema } from "./openapi-30-schema.js";
import { SchemaCheck } from "./schema-check.js";

type Operation = {
  operationId: string;
  responses: { 200?: { content: { "application/json": { schema: JsonSchema } } } };
};
type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
};

/** The methods of which a document has the result, and what one has that it does not allow. */
type AnswerCheck = {
  readonly methods: ReadonlySet<string>;
  problems(method: string, result: unknown): readonly string[];
};

/** Checks by each document of a service that has schemas of results, by the document's name. */
export async function answerChecks(
  service: Pick<TestService, "get">,
): Promise<ReadonlyMap<string, AnswerCheck>> {
  const read = async (path: string) => (await service.get(path)).json;
  const checks = new Map([
    ["OpenRPC", openRpcCheck(inlined((await read("/openrpc.json")) as SharedOpenRpcDocument))],
  ]);
  for (const api of ["v2", "v3", "v4"])
    for (const version of ["3.1", "3.0"]) {
      const document = (await read(`/api/${api}/openapi.json?version=${version}`)) as OpenApi;
      checks.set(`${version} of ${api}`, openApiCheck(document, version === "3.0"));
    }
  return checks;
}

function openRpcCheck(document: OpenRpcDocument): AnswerCheck {
  const results = new Map(document.methods.map(({ name, result }) => [name, result.schema]));
  return checkOf(document, results, (_, result) => result);
}

function openApiCheck(document: OpenApi, isOlder: boolean): AnswerCheck {
  const answers = new Map<string, JsonSchema>();
  for (const { operationId, responses } of Object.values(document.paths).flatMap(Object.values<Operation>)) {
    const schema = responses[200]?.content["application/json"].schema;
    if (schema) answers.set(operationId.replace(/Post$/, ""), isOlder ? jsonSchema(schema) : schema);
  }
  return checkOf(isOlder ? openApi30Schema(document) : document, answers, (method, result) =>
    /^v[34]\./.test(method) ? result : { ok: true, result, "@extra": "1767225600:0:12" },
  );
}

function checkOf(
  document: Pick<OpenApi, "components">,
  schemas: ReadonlyMap<string, JsonSchema>,
  answerOf: (method: string, result: unknown) => unknown,
): AnswerCheck {
  const check = new SchemaCheck(document);
  return {
    methods: new Set(schemas.keys()),
    problems: (method, result) => check.problems(schemas.get(method)!, answerOf(method, result)),
  };
}
