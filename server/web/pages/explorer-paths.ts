/** Paths of the explorer's views. A part that begins with a colon matches any text without a slash. */
const explorerPaths = [
  "/",
  "/account/:address",
  "/tx/:hash",
  "/tx/:hash/debug",
  "/debug/:run",
  "/trace/:hash",
  "/block/:workchain/:shard/:seqno",
  "/blocks",
  "/transactions",
  "/domain/:name",
  "/address-book",
  "/validators",
  "/pools",
  "/pool/:address",
  "/config",
  "/supply",
  "/jetton/:address",
  "/nft/:address",
  "/collection/:address",
  "/devnet",
] as const;

export type ExplorerPath = (typeof explorerPaths)[number];

/** Paths available only on a devnet. */
const ofDevnet: ReadonlySet<ExplorerPath> = new Set(["/devnet"]);

/** The paths available on a network. */
export function pathsOf(network: string): readonly ExplorerPath[] {
  return explorerPaths.filter((path) => network === "devnet" || !ofDevnet.has(path));
}

/** The pattern of a path, and the values of its parameters. */
type MatchedPath = {
  readonly pattern: ExplorerPath;
  readonly params: Readonly<Record<string, string>>;
};

/** The first pattern that matches a path; `undefined` if there is none. */
export function matchPath(path: string, patterns: readonly ExplorerPath[]): MatchedPath | undefined {
  const parts = path.split("/").map(decoded);
  for (const pattern of patterns) {
    const wanted = pattern.split("/");
    if (wanted.length !== parts.length) continue;
    const params: Record<string, string> = {};
    const matches = wanted.every((part, index) => {
      if (!part.startsWith(":")) return part === parts[index];
      params[part.slice(1)] = parts[index]!;
      return parts[index] !== "";
    });
    if (matches) return { pattern, params };
  }
  return undefined;
}

/** A part of a path. One that is not encoded is shown as it is. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}
