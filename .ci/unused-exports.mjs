// Checks that every export of a file is imported by another file of the projects, tests included. Exceptions are the entries
// of the packages, the constants of shared/forms/ and shared/schema/ after which .ci/client-types.mjs names types of the client, and exports
// with a comment "// Exported for declarations: why" on the line above, because TypeScript has to name them in declarations
// of other files.
// With arguments it reads these projects, by the paths of their tsconfig.json.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { SyntaxKind } from "typescript/unstable/ast";
import { identifiersOf } from "./changed-names.mjs";
import { configOf, filesOf, publishedConfigs, top } from "./project-files.mjs";

const given = process.argv.slice(2);
const configs = given.length > 0 ? given : [...publishedConfigs, configOf("test")];

/** Stands for every export of a file or folder. */
const all = "*";
/** Imported names by the path of the file that exports them, or of its folder. */
const imported = new Map();
const use = (path, name) => imported.set(path, (imported.get(path) ?? new Set()).add(name));

const sourceOf = (from, specifier) => resolve(from, specifier).replace(/\.js$/, ".ts");

/** The names that a statement exports. */
function exportsOf(statement) {
  if (statement.kind === SyntaxKind.ExportDeclaration)
    return (statement.exportClause?.elements ?? []).map(({ name }) => name);
  if (!statement.modifiers?.some(({ kind }) => kind === SyntaxKind.ExportKeyword)) return [];
  if (statement.kind !== SyntaxKind.VariableStatement) return [statement.name];
  return statement.declarationList.declarations.flatMap(({ name }) => identifiersOf(name));
}

/** Notes the names that an import, or an export from another file, uses. */
function noteStatement(folder, { moduleSpecifier, importClause, exportClause }) {
  if (!moduleSpecifier.text.startsWith(".")) return;
  const target = sourceOf(folder, moduleSpecifier.text);
  const { elements } = importClause?.namedBindings ?? exportClause ?? {};
  if (importClause?.name) use(target, "default");
  if (elements) for (const { propertyName, name } of elements) use(target, (propertyName ?? name).text);
  else if (!importClause || importClause.namedBindings) use(target, all);
}

/** Notes types such as `import("./file.js").Type`, and files and folders that the program loads by a path in its text. */
function noteInner(folder, node) {
  const { kind, text, argument, qualifier } = node;
  if (kind === SyntaxKind.ImportType)
    return use(sourceOf(folder, argument.literal.text), qualifier?.text ?? all);
  if (kind === SyntaxKind.StringLiteral && /^[\w./-]+\.[jt]s$/.test(text))
    for (const from of [folder, top]) use(sourceOf(from, text), all);
  if (kind === SyntaxKind.TemplateHead && text.startsWith(".")) use(resolve(folder, text), all);
  node.forEachChild((child) => noteInner(folder, child));
}

const isForDeclarations = (lineAbove) => /^\/\/ Exported for declarations: \S/.test(lineAbove);

const exported = [];
for (const { path, file, lines, lineOf } of filesOf(configs))
  for (const statement of file.statements) {
    if (statement.moduleSpecifier) noteStatement(dirname(path), statement);
    else noteInner(dirname(path), statement);
    for (const name of exportsOf(statement)) {
      const line = lineOf(name);
      if (!isForDeclarations(lines[line - 2])) exported.push({ path, name: name.text, line });
    }
  }

/** Notes the names that the scripts beside this one load from dist/. */
function noteScripts() {
  const folder = import.meta.dirname;
  for (const script of readdirSync(folder).filter((name) => name.endsWith(".mjs")))
    for (const [, names, path] of readFileSync(join(folder, script), "utf8").matchAll(
      /const \{([^}]+)\} = await compiled\("([^"]+)"\)/g,
    ))
      for (const name of names.split(",")) use(sourceOf(top, path), name.trim());
}

/** Notes the source files of the packages' entries. */
function noteEntries() {
  const { exports, bin } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
  for (const [, path] of JSON.stringify([exports, bin]).matchAll(/dist\/([^"]+\.js)"/g))
    use(sourceOf(top, path), all);
}

noteScripts();
noteEntries();
const clientTypes = new Set(
  Array.from(readFileSync(join(top, "client/api.ts"), "utf8").matchAll(/^export \w+ (\w+)/gm), ([, name]) =>
    name.toLowerCase(),
  ),
);
const schemas = ["shared/forms/", "shared/schema/"].map((folder) => join(top, folder));

function isUsed({ path, name }) {
  if (schemas.some((folder) => path.startsWith(folder)) && clientTypes.has(name.toLowerCase())) return true;
  const names = imported.get(path);
  return names?.has(name) || names?.has(all) || imported.get(dirname(path))?.has(all);
}

const unused = exported.filter((each) => !isUsed(each));
for (const { path, name, line } of unused)
  console.error(`${relative(top, path)}:${line}: no other file imports ${name}, which is exported`);
if (exported.length === 0) console.error("these projects export nothing");
process.exit(unused.length === 0 && exported.length > 0 ? 0 : 1);
