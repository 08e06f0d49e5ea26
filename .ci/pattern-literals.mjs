// Finds the regular expressions in TypeScript sources.
import { SyntaxKind } from "typescript/unstable/ast";
import { filesOf } from "./project-files.mjs";

/** The comment that declares a short input, on the line of the pattern or the one above. */
const bounded = /\/\/ Bounded input: \S/;

/**
 * Regular expressions in the files of projects, which are named by the paths of their tsconfig.json: literals, and
 * calls of `RegExp`, whose `source` is undefined unless it is a constant.
 */
export function patternsOf(configs) {
  const found = [];
  for (const source of filesOf(configs)) found.push(...patternsOfFile(source));
  return found;
}

function patternsOfFile({ path, file, lines, lineOf }) {
  const found = [];
  const visit = (node) => {
    const pattern = patternOf(node);
    if (pattern) {
      const line = lineOf(node);
      const isBounded = lines.slice(Math.max(0, line - 2), line).some((text) => bounded.test(text));
      found.push({ ...pattern, path, line, isBounded });
    }
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

function patternOf(node) {
  if (node.kind === SyntaxKind.RegularExpressionLiteral) {
    const end = node.text.lastIndexOf("/");
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  }
  const makes = node.kind === SyntaxKind.NewExpression || node.kind === SyntaxKind.CallExpression;
  if (!makes || node.expression.text !== "RegExp") return undefined;
  const [source, flags] = (node.arguments ?? []).map(constantOf);
  return { source, flags: flags ?? "" };
}

function constantOf({ kind, text }) {
  const isConstant = kind === SyntaxKind.StringLiteral || kind === SyntaxKind.NoSubstitutionTemplateLiteral;
  return isConstant ? text : undefined;
}
