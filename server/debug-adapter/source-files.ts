import type { DebugProtocol } from "@vscode/debugprotocol";

/** The path of a source file on the client's machine; undefined if it is not known. */
export type PathOf = (file: string) => string | undefined;

const maxFiles = 2000;

/** Source files as compilers name them, and as clients do: by paths of their machine, or by numbers of texts that the service has. */
export class SourceFiles {
  readonly #localPath: PathOf;
  #mappedPath: PathOf = () => undefined;
  readonly #names: string[] = [];
  readonly #texts = new Map<string, string>();
  /** Paths that a client has named for files that had none. */
  readonly #claimed = new Map<string, string>();

  constructor(localPath: PathOf) {
    this.#localPath = localPath;
  }

  /** Sets the client's map of paths. */
  usePaths(map: Readonly<Record<string, string>>): void {
    this.#mappedPath = mappedPaths(map);
  }

  /** Returns whether the file is new. */
  add(file: string, text?: string): boolean {
    if (text !== undefined && !this.#texts.has(file)) this.#texts.set(file, text);
    if (this.#names.includes(file) || this.#names.length >= maxFiles) return false;
    this.#names.push(file);
    return true;
  }

  get all(): DebugProtocol.Source[] {
    return this.#names.map((file) => this.sourceOf(file));
  }

  sourceOf(file: string): DebugProtocol.Source {
    const name = file.slice(file.lastIndexOf("/") + 1);
    const path = this.#path(file);
    if (path !== undefined) return { name, path };
    const origin = this.#texts.has(file) ? undefined : "its text is not known";
    const sourceReference = this.#names.indexOf(file) + 1;
    return {
      name: file,
      sourceReference,
      ...(origin && { origin, presentationHint: "deemphasize" as const }),
    };
  }

  text(sourceReference: number): string | undefined {
    return this.#texts.get(this.#names[sourceReference - 1] ?? "");
  }

  /** The file that a client means; undefined if no code of a run is from it. */
  fileOf({ path, name, sourceReference }: DebugProtocol.Source): string | undefined {
    if (sourceReference) return this.#names[sourceReference - 1];
    const wanted = (path ?? name ?? "").replaceAll("\\", "/");
    const known = this.#names.find((file) => this.#path(file)?.replaceAll("\\", "/") === wanted);
    if (known !== undefined) return known;
    const likely = this.#names
      .filter((file) => wanted === file || wanted.endsWith(`/${file}`))
      .sort((one, other) => other.length - one.length)[0];
    if (likely !== undefined && path !== undefined && !this.#ownPath(likely)) this.#claimed.set(likely, path);
    return likely;
  }

  #path(file: string): string | undefined {
    return this.#ownPath(file) ?? this.#claimed.get(file);
  }

  #ownPath(file: string): string | undefined {
    return this.#localPath(file) ?? this.#mappedPath(file);
  }
}

/** Paths by a map from the beginnings of names to those of paths. Names that lead out of a folder have none. */
function mappedPaths(map: Readonly<Record<string, string>>): PathOf {
  const entries = Object.entries(map).sort(([one], [other]) => other.length - one.length);
  return (file) => {
    const found = entries.find(([beginning]) => file.startsWith(beginning));
    if (!found || file.split(/[/\\]/).includes("..")) return undefined;
    return found[1] + file.slice(found[0].length);
  };
}
