import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";

/** Validates values against schemas with references to the components of a document. */
export class SchemaCheck {
  /** Each validator checks few values, so that its code is not worth an optimisation. */
  readonly #ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  /** By the schema's text: most operations have the same refusals. */
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: { components: { schemas: Record<string, JsonSchema> } }) {
    this.#ajv.addSchema({ $id: "document:", components: { schemas: document.components.schemas } });
  }

  /** Validation errors of the value. Throws if the schema is not a valid JSON Schema. */
  problems(schema: JsonSchema, value: unknown): string[] {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document:#/components/');
    const validate = this.#validators.get(text) ?? this.#ajv.compile(JSON.parse(text));
    this.#validators.set(text, validate);
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }
}
