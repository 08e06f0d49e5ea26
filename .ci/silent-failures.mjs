// A failure that is dropped says why: `catch {` without the error, and a handler of a rejection that does nothing, have a
// comment in their block, on their line or on the line above. `server/observe/fallback.ts` reports failures that matter.
import { dirname, join, relative } from "node:path";
import { SyntaxKind } from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";

const top = dirname(import.meta.dirname);
const projects = ["shared", "client", "server", "server/http/pages", "server/http/explorer"];
const given = process.argv.slice(2);
const configs = given.length > 0 ? given : projects.map((project) => join(top, project, "tsconfig.json"));

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
function saysWhy(node, file, lines) {
  const start = node.getStart(file);
  const line = file.text.slice(0, start).split("\n").length;
  return /\/\/ \S|\/\*\*? \S/.test(
    [...lines.slice(Math.max(0, line - 2), line), node.getText(file)].join("\n"),
  );
}

const seen = new Set();
let bad = 0;
const api = new API();
try {
  for (const config of configs) {
    const snapshot = api.updateSnapshot({ openProject: config });
    const { rootFiles, program } = snapshot.getProject(config);
    for (const path of rootFiles) {
      if (seen.has(path)) continue;
      seen.add(path);
      const file = program.getSourceFile(path);
      const lines = file.text.split("\n");
      const visit = (node) => {
        const dropped = droppedBy(node);
        if (dropped && !saysWhy(dropped, file, lines)) {
          bad++;
          const line = file.text.slice(0, dropped.getStart(file)).split("\n").length;
          console.error(`${relative(top, path)}:${line}: a failure is dropped, and no comment says why`);
        }
        node.forEachChild(visit);
      };
      visit(file);
    }
    snapshot.dispose();
  }
} finally {
  api.close();
}
if (seen.size === 0) console.error("there are no files in these projects");
process.exit(bad === 0 && seen.size > 0 ? 0 : 1);
