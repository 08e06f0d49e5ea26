// Requests that importers of API clients make of a document, with variables, which a user of the client sends.

type Variables = Readonly<Record<string, string>>;
type Pair = readonly [name: string, value: string];

export type CollectedRequest = {
  readonly method: string;
  /** With variables, as `{{baseUrl}}/api/v3/transactions`. */
  readonly url: string;
  /** Whether it is switched on. */
  readonly query: readonly Pair[];
  readonly headers: readonly Pair[];
};

export type Collection = {
  /** Value that the importer has set. */
  readonly variables: Variables;
  /** Name and value of the header in which all requests have the key, unless each has its own. */
  readonly auth?: Pair;
  readonly requests: readonly CollectedRequest[];
};

const baseOfUrl = /^\{\{.*?\}\}/;

/** Method and path of a request, as in `GET /api/v3/transactions`. */
export const operationOf = ({ method, url }: CollectedRequest): string =>
  `${method} ${url.replace(baseOfUrl, "")}`;

/** Target of a collection's requests. */
export function hostOf({ variables, requests }: Collection): string {
  return filled(baseOfUrl.exec(requests[0]!.url)![0], variables);
}

/** Sends a request of a collection as it is, with the variables that a user sets; resolves with the status. */
export async function send(
  { requests, auth, variables }: Collection,
  operation: string,
  own: Variables,
): Promise<number> {
  const request = requests.find((each) => operationOf(each) === operation)!;
  const all = { ...variables, ...own };
  const url = new URL(filled(request.url, all));
  for (const [name, value] of request.query) url.searchParams.append(name, filled(value, all));
  const headers = new Headers();
  for (const [name, value] of [...request.headers, ...(auth ? [auth] : [])])
    headers.append(name, filled(value, all));
  return (await fetch(url, { method: request.method, headers })).status;
}

/** Text with the values of its variables, which may have variables too. */
function filled(text: string, variables: Variables): string {
  const next = text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => variables[name] ?? whole);
  return next === text ? text : filled(next, variables);
}
