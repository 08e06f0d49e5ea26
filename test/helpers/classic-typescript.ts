import { createRequire } from "node:module";

/**
 * The compiler API of TypeScript 5, which the package check brings along: it still has the classic module resolution and
 * a language service in the same process.
 */
interface ClassicTypeScript {
  readonly sys: {
    readFile(path: string): string | undefined;
    fileExists(path: string): boolean;
    readDirectory(path: string): string[];
    directoryExists(path: string): boolean;
    getDirectories(path: string): string[];
  };
  readonly ScriptSnapshot: { fromString(text: string): unknown };
  createLanguageService(host: object): LanguageService;
  convertCompilerOptionsFromJson(options: object, folder: string): { options: object; errors: unknown[] };
  createProgram(files: readonly string[], options: object): Program;
  flattenDiagnosticMessageText(text: unknown, newLine: string): string;
  getPreEmitDiagnostics(program: Program): readonly { messageText: unknown; file?: { fileName: string } }[];
  getDefaultLibFilePath(options: object): string;
  displayPartsToString(parts: unknown): string;
}

interface Program {
  emit(): unknown;
  getInstantiationCount(): number;
}

/** A declaration in a file, with those inside it. */
export interface NavigationTree {
  readonly text: string;
  readonly kind: string;
  readonly kindModifiers: string;
  readonly nameSpan?: { readonly start: number };
  readonly childItems?: readonly NavigationTree[];
}

interface LanguageService {
  getNavigationTree(path: string): NavigationTree;
  /** The hover text of an editor for a name. */
  getQuickInfoAtPosition(
    path: string,
    at: number,
  ): { readonly displayParts: unknown; readonly documentation?: unknown } | undefined;
}

const own = createRequire(import.meta.url);
const check = createRequire(own.resolve("@arethetypeswrong/cli/package.json"));
export const classicTypeScript: ClassicTypeScript = createRequire(check.resolve("@arethetypeswrong/core"))(
  "typescript",
);
