// Checks that no value at module level is mutable: no `let`, no collection, object or instance that functions change, and no
// constant whose functions share a variable of the function that made them. Exceptions have a comment "// Module state: why":
// a value on its line or the line above, the values made by a function or class with the comment, and a file that begins
// with it. CONTRIBUTING.md has the reasons that count.
// With arguments it reads these projects, by the paths of their tsconfig.json.
import { dirname, relative, resolve } from "node:path";
import { NodeFlags, SyntaxKind } from "typescript/unstable/ast";
import { Changes, isFunction, namesOf, unwrapped } from "./changed-names.mjs";
import { filesOf, publishedConfigs, top } from "./project-files.mjs";

const given = process.argv.slice(2);

const modules = new Map();
for (const source of filesOf(given.length > 0 ? given : publishedConfigs))
  modules.set(source.path, readModule(source));

function readModule({ path, file, lines, lineOf }) {
  const module = {
    path,
    file,
    isMarked: (node) => isMarked(lines, lineOf(node), file),
    variables: [],
    declared: new Map(),
    imported: new Map(),
  };
  for (const statement of file.statements) {
    if (statement.kind === SyntaxKind.ImportDeclaration) noteImports(module, statement);
    if (statement.kind === SyntaxKind.VariableStatement)
      for (const variable of variablesOf(statement.declarationList))
        module.variables.push({ ...variable, line: lineOf(variable.node) });
    if (statement.name?.text) module.declared.set(statement.name.text, statement);
  }
  for (const { name, value } of module.variables) if (value) module.declared.set(name, value);
  return module;
}

function isMarked(lines, line, { statements: [first], text }) {
  const head = text.slice(0, first.pos === 0 ? first.getStart() : first.pos);
  return [head, ...lines.slice(Math.max(0, line - 2), line)].some((part) =>
    /\/\/ Module state: \S/.test(part),
  );
}

function noteImports({ path, imported }, { moduleSpecifier, importClause }) {
  if (!moduleSpecifier.text.startsWith(".")) return;
  const from = resolve(dirname(path), moduleSpecifier.text).replace(/\.js$/, ".ts");
  for (const { propertyName, name } of importClause?.namedBindings?.elements ?? [])
    imported.set(name.text, { from, name: (propertyName ?? name).text });
}

function variablesOf({ flags, declarations }) {
  const isLet = (flags & NodeFlags.Const) === 0;
  return declarations.flatMap((node) =>
    namesOf(node.name).map((name) => ({ name, value: node.initializer, isLet, node })),
  );
}

/** The declaration of a name and the module where it stands; undefined if that is not in the projects. */
function declarationOf(name, module) {
  const own = module.declared.get(name);
  if (own) return { node: own, module };
  const { from, name: there } = module.imported.get(name) ?? {};
  const other = modules.get(from);
  return other && declarationOf(there, other);
}

/** Whether the value of an expression has state that changes later. */
function isStateful(expression, module) {
  const node = unwrapped(expression);
  const { kind } = node;
  if (kind === SyntaxKind.CallExpression && node.expression.name?.text.startsWith("allocUnsafe")) return true;
  const makes = kind === SyntaxKind.NewExpression || kind === SyntaxKind.CallExpression;
  if (makes && node.expression.kind === SyntaxKind.Identifier) {
    const declaration = declarationOf(node.expression.text, module);
    return declaration !== undefined && keepsState(declaration);
  }
  if (kind === SyntaxKind.ArrayLiteralExpression)
    return node.elements.some((element) => isStateful(element, module));
  if (kind === SyntaxKind.ObjectLiteralExpression)
    return node.properties.some(({ initializer }) => initializer && isStateful(initializer, module));
  return false;
}

const known = new Map();

/** Whether instances of a class change, or functions that a function returns share something that changes. */
function keepsState(declaration) {
  const { node } = declaration;
  if (!known.has(node)) {
    // A function that calls itself.
    known.set(node, false);
    known.set(node, !declaration.module.isMarked(node) && changesLater(declaration));
  }
  return known.get(node);
}

function changesLater(declaration) {
  const { node } = declaration;
  if (node.kind === SyntaxKind.ClassDeclaration) return changesItself(declaration);
  return isFunction(node) && sharesVariables(node);
}

function changesItself({ node, module }) {
  const changes = new Changes();
  for (const member of node.members)
    if (member.kind === SyntaxKind.Constructor) changes.readInner(member.body);
    else if (member.body || member.initializer) changes.read(member.body ?? member.initializer);
  if (changes.ofThis) return true;
  const base = node.heritageClauses?.find(({ token }) => token === SyntaxKind.ExtendsKeyword)?.types[0]
    .expression;
  const declaration = base?.text && declarationOf(base.text, module);
  return declaration !== undefined && declaration !== "" && keepsState(declaration);
}

function sharesVariables({ body }) {
  if (body?.kind !== SyntaxKind.Block) return false;
  const own = body.statements
    .filter(({ kind }) => kind === SyntaxKind.VariableStatement)
    .flatMap(({ declarationList }) => variablesOf(declarationList).map(({ name }) => name));
  const changes = new Changes(own);
  changes.readInner(body);
  return changes.names.size > 0;
}

/** Variables, by path and name, that functions of any file change. */
const changed = new Set();
for (const module of modules.values()) {
  const changes = new Changes([...module.variables.map(({ name }) => name), ...module.imported.keys()]);
  changes.readInner(module.file);
  for (const name of changes.names) {
    const { from, name: there } = module.imported.get(name) ?? { from: module.path, name };
    changed.add(`${from} ${there}`);
  }
}

let bad = 0;
for (const module of modules.values())
  for (const { name, value, isLet, line, node } of module.variables) {
    const isState = isLet || changed.has(`${module.path} ${name}`) || (value && isStateful(value, module));
    if (!isState || module.isMarked(node)) continue;
    bad++;
    console.error(`${relative(top, module.path)}:${line}: ${name} is mutable state of a module`);
  }
if (modules.size === 0) console.error("there are no files in these projects");
process.exit(bad === 0 && modules.size > 0 ? 0 : 1);
