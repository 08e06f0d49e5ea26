import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Workshop } from "../harness/workshop.js";
import type { versions } from "../versions.js";
import type { CollectedRequest, Collection } from "./collections.js";

/** An API client's importer of OpenAPI documents. */
type Importer = {
  readonly client: string;
  readonly tool: keyof typeof versions.npm;
  /** Variables of its collections in which a user puts the API key. */
  readonly keys: readonly string[];
  /** Variable for the service's URL, which the user sets if the document's server is `/`. */
  readonly withoutHost: string;
  collect(workshop: Workshop, file: string): Promise<Collection>;
};

type Switched = { readonly disabled?: boolean; readonly enabled?: boolean };

const isOn = ({ disabled = false, enabled = !disabled }: Switched) => enabled;

export const importers: readonly Importer[] = [
  {
    client: "Postman",
    tool: "openapi-to-postmanv2",
    keys: ["apiKey"],
    withoutHost: "/",
    async collect(workshop, file) {
      const output = `${file}.postman.json`;
      // As by "Enable optional parameters: off" in its import settings; else each has a placeholder such as `<string>`.
      const options = ["-O", "enableOptionalParameters=false"];
      await workshop.run("npx", ["--no-install", "openapi2postmanv2", "-s", file, "-o", output, ...options]);
      const { item, variable, auth } = read<PostmanCollection>(workshop, output);
      const { key, value } = Object.fromEntries(auth.apikey.map((each) => [each.key, each.value]));
      return {
        variables: Object.fromEntries(variable.map((each) => [each.key, each.value])),
        auth: [key!, value!],
        requests: leaves(item, (each) => each.item).map(({ request }) => ofPostman(request!)),
      };
    },
  },
  {
    client: "Bruno",
    tool: "@usebruno/cli",
    keys: ["apiKey"],
    withoutHost: "",
    async collect(workshop, file) {
      const output = `${file}.bruno.json`;
      const args = ["import", "openapi", "--source", file, "--output-file", output];
      await workshop.run("npx", ["--no-install", "bru", ...args, "--collection-name", "tonwire"]);
      const { items, environments, root } = read<BrunoCollection>(workshop, output);
      const { key, value } = root.request.auth.apikey;
      return {
        variables: Object.fromEntries(environments[0]!.variables.map((each) => [each.name, each.value])),
        auth: [key, value],
        requests: leaves(items, (each) => each.items).map(({ request }) => ofBruno(request!)),
      };
    },
  },
  {
    client: "Insomnia",
    tool: "insomnia-importers",
    keys: ["apiKey", "xApiKey"],
    withoutHost: "http://",
    async collect(workshop, file) {
      const output = `${file}.insomnia.json`;
      await workshop.run("npx", ["--no-install", "insomnia-import", file, output]);
      const { resources } = read<InsomniaExport>(workshop, output);
      const of = (type: string) => resources.filter(({ _type }) => _type === type);
      return {
        variables: Object.assign({}, ...of("environment").map(({ data }) => data)),
        requests: of("request").map(ofInsomnia),
      };
    },
  },
];

const read = <T>({ folder }: Workshop, name: string) =>
  JSON.parse(readFileSync(join(folder, name), "utf8")) as T;

/** The entries of a tree of folders that are no folders. */
function leaves<T>(entries: readonly T[], inside: (entry: T) => readonly T[] | undefined): T[] {
  return entries.flatMap((entry) => {
    const inner = inside(entry);
    return inner ? leaves(inner, inside) : [entry];
  });
}

type Named = Switched & { readonly name: string; readonly value: string };
type Keyed = Switched & { readonly key: string; readonly value: string };

type PostmanItem = { readonly item?: readonly PostmanItem[]; readonly request?: PostmanRequest };
type PostmanRequest = {
  readonly method: string;
  readonly url: {
    readonly host: readonly [string];
    readonly path: readonly string[];
    readonly query: readonly Keyed[];
  };
  readonly header?: readonly Keyed[];
};
type PostmanCollection = {
  readonly item: readonly PostmanItem[];
  readonly variable: readonly Keyed[];
  readonly auth: { readonly apikey: readonly Keyed[] };
};

function ofPostman({ method, url: { host, path, query }, header = [] }: PostmanRequest): CollectedRequest {
  const pairs = (all: readonly Keyed[]) => all.filter(isOn).map(({ key, value }) => [key, value] as const);
  return { method, url: [...host, ...path].join("/"), query: pairs(query), headers: pairs(header) };
}

const pairsOf = (all: readonly Named[]) => all.filter(isOn).map(({ name, value }) => [name, value] as const);

type BrunoItem = { readonly items?: readonly BrunoItem[]; readonly request?: BrunoRequest };
type BrunoRequest = {
  readonly method: string;
  readonly url: string;
  readonly params: readonly Named[];
  readonly headers: readonly Named[];
};
type BrunoCollection = {
  readonly items: readonly BrunoItem[];
  readonly environments: readonly [{ readonly variables: readonly Named[] }];
  readonly root: { readonly request: { readonly auth: { readonly apikey: { key: string; value: string } } } };
};

const ofBruno = ({ method, url, params, headers }: BrunoRequest): CollectedRequest => ({
  method,
  url,
  query: pairsOf(params),
  headers: pairsOf(headers),
});

type InsomniaResource = {
  readonly _type: string;
  readonly data: Record<string, string>;
  readonly method: string;
  readonly url: string;
  readonly parameters: readonly Named[];
  readonly headers: readonly Named[];
};
type InsomniaExport = { readonly resources: readonly InsomniaResource[] };

const ofInsomnia = ({ method, url, parameters, headers }: InsomniaResource): CollectedRequest => ({
  method,
  url,
  query: pairsOf(parameters),
  headers: pairsOf(headers),
});
