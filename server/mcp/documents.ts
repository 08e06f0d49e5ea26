import type { JsonSchema, OpenRpcDocument } from "../../shared/rpc/open-rpc.js";
import { maxAnswerBytes } from "./answers/answer.js";

/** Documents of the service that a model can read. */
export type DocumentSource = {
  /** Texts in Markdown; paths are below `tonwire://`. */
  texts(): Promise<readonly DocumentText[]>;
  openRpc(): Promise<OpenRpcDocument>;
};

type DocumentText = { readonly path: string; readonly title: string; readonly text: string };

type Resource = {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly mimeType: string;
};

const scheme = "tonwire://";
const markdown = "text/markdown";
const methodPrefix = `${scheme}openrpc/`;

/** The template of the description of one method. */
export const methodTemplate = {
  uriTemplate: `${methodPrefix}{name}`,
  name: "method",
  title: "A method of the API",
  description:
    "Parameters, result, errors and examples of a method as in OpenRPC, such as tonwire://openrpc/v3.actions.",
  mimeType: "application/json",
} as const;

/** Every document, long ones in parts. */
export async function listResources(source: DocumentSource): Promise<Resource[]> {
  return (await partsOf(source)).map(({ uri, title }) => ({
    uri,
    name: uri.slice(scheme.length),
    title,
    mimeType: markdown,
  }));
}

/** The text of a resource; undefined if there is none with this URI. */
export async function readResource(
  uri: string,
  source: DocumentSource,
): Promise<{ mimeType: string; text: string } | undefined> {
  if (uri.startsWith(methodPrefix)) {
    const text = methodText(uri.slice(methodPrefix.length), await source.openRpc());
    return text === undefined ? undefined : { mimeType: methodTemplate.mimeType, text };
  }
  const part = (await partsOf(source)).find((each) => each.uri === uri);
  return part && { mimeType: markdown, text: part.text };
}

async function partsOf(source: DocumentSource) {
  return (await source.texts()).flatMap(({ path, title, text }) => {
    const parts = split(text);
    return parts.map((part, index) => ({
      uri: `${scheme}${path}${index === 0 ? "" : `/${index + 1}`}`,
      title: parts.length === 1 ? title : `${title} (part ${index + 1} of ${parts.length})`,
      text: part,
    }));
  });
}

/** A text in parts that each fit into an answer, divided before headings where that is possible, else between lines. */
function split(text: string): string[] {
  const parts: string[] = [];
  let part = "";
  for (const section of text.split(/(?=^#{1,3} )/m)) {
    if (Buffer.byteLength(part) + Buffer.byteLength(section) > maxAnswerBytes && part !== "") {
      parts.push(part);
      part = "";
    }
    for (const line of section.split(/(?<=\n)/)) {
      if (Buffer.byteLength(part) + Buffer.byteLength(line) > maxAnswerBytes && part !== "") {
        parts.push(part);
        part = "";
      }
      part += line;
    }
  }
  return [...parts, part];
}

/** A method with the schemas that it refers to, as many as fit. */
function methodText(name: string, { methods, components }: OpenRpcDocument): string | undefined {
  const method = methods.find((each) => each.name === name);
  if (!method) return undefined;
  const all = components.schemas as Readonly<Record<string, JsonSchema>>;
  const shown: Record<string, JsonSchema> = {};
  const left: string[] = [];
  const text = () =>
    JSON.stringify({ method, schemas: shown, ...(left.length > 0 && { schemas_left_out: left }) });
  const waiting = namesIn(method);
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const schema = all[next];
    if (schema === undefined || next in shown || left.includes(next)) continue;
    shown[next] = schema;
    if (Buffer.byteLength(text()) > maxAnswerBytes) {
      delete shown[next];
      left.push(next);
    } else waiting.push(...namesIn(schema));
  }
  if (Buffer.byteLength(text()) <= maxAnswerBytes) return text();
  const { result: _, examples: __, ...short } = method;
  return JSON.stringify({ method: short, left_out: ["result", "examples"] });
}

function namesIn(value: unknown): string[] {
  const references = JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]{1,200})"/g);
  return [...new Set([...references].map(([, name]) => name!))];
}
