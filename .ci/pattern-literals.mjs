// Finds the regular expressions in TypeScript sources.
import { SyntaxKind } from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";

/** A comment with which a place says that its input has few characters, on the line of the pattern or the one above. */
const bounded = /\/\/ Bounded input: \S/;

/**
 * Regular expressions of the files of projects, which are named by the paths of their tsconfig.json: literals, and those
 * that `RegExp` makes, whose `source` is undefined unless it is a constant.
 */
export function patternsOf(configs) {
  const api = new API();
  try {
    return configs.flatMap((config) => patternsOfProject(api, config));
  } finally {
    api.close();
  }
}

function patternsOfProject(api, config) {
  const snapshot = api.updateSnapshot({ openProject: config });
  try {
    const { rootFiles, program } = snapshot.getProject(config);
    return rootFiles.flatMap((path) => patternsOfFile(path, program.getSourceFile(path)));
  } finally {
    snapshot.dispose();
  }
}

function patternsOfFile(path, file) {
  const found = [];
  const lines = file.text.split("\n");
  const visit = (node) => {
    const pattern = patternOf(node);
    if (pattern) {
      const line = file.text.slice(0, node.getStart(file)).split("\n").length;
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
