// A failure that is dropped says why: `catch {` without the error, and a handler of a rejection that does nothing, have a
// comment in their block, on their line or on the line above. `server/observe/fallback.ts` reports failures that matter.
import { relative } from "node:path";
import { SyntaxKind } from "typescript/unstable/ast";
import { filesOf, publishedConfigs, top } from "./project-files.mjs";

const given = process.argv.slice(2);

/** The node that drops a failure: the clause, or the handler. */
function droppedBy(node) {
  if (node.kind === SyntaxKind.CatchClause) return node.variableDeclaration ? undefined : node;
  if (node.kind !== SyntaxKind.CallExpression || node.expression.kind !== SyntaxKind.PropertyAccessExpression)
    return undefined;
  const { text } = node.expression.name;
  const handler = text === "catch" ? node.arguments[0] : text === "then" ? node.arguments[1] : undefined;
  return handler && doesNothing(handler) ? handler : undefined;
}

/** `() => {}` and `() => undefined`. */
function doesNothing({ kind, parameters, body }) {
  if (kind !== SyntaxKind.ArrowFunction || parameters.length > 0) return false;
  return body.kind === SyntaxKind.Block ? body.statements.length === 0 : body.text === "undefined";
}

/** Whether a comment stands in the node, on the line where it begins or on the one above. */
function saysWhy(node, file, lines, line) {
  return /\/\/ \S|\/\*\*? \S/.test(
    [...lines.slice(Math.max(0, line - 2), line), node.getText(file)].join("\n"),
  );
}

let files = 0;
let bad = 0;
for (const { path, file, lines, lineOf } of filesOf(given.length > 0 ? given : publishedConfigs)) {
  files++;
  const visit = (node) => {
    const dropped = droppedBy(node);
    if (dropped && !saysWhy(dropped, file, lines, lineOf(dropped))) {
      bad++;
      console.error(
        `${relative(top, path)}:${lineOf(dropped)}: a failure is dropped, and no comment says why`,
      );
    }
    node.forEachChild(visit);
  };
  visit(file);
}
if (files === 0) console.error("there are no files in these projects");
process.exit(bad === 0 && files > 0 ? 0 : 1);
