// Finds the variables that code changes, and whether it changes members of `this`.
import { SyntaxKind } from "typescript/unstable/ast";

/** Methods that change a collection, a buffer or a view, or a cache. */
const changing = new Set(
  "add addAddress addSubnet clear copyWithin delete fetch fill memo pop push reverse set shift sort splice unshift write".split(
    " ",
  ),
);
/** Functions that change their first argument. */
const filling = new Set(["assign", "defineProperty", "randomFillSync", "getRandomValues"]);

const functions = new Set([
  SyntaxKind.ArrowFunction,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
  SyntaxKind.Constructor,
]);
const wrappers = new Set([
  SyntaxKind.AsExpression,
  SyntaxKind.SatisfiesExpression,
  SyntaxKind.ParenthesizedExpression,
  SyntaxKind.NonNullExpression,
]);
const accesses = new Set([SyntaxKind.PropertyAccessExpression, SyntaxKind.ElementAccessExpression]);
const counting = new Set([SyntaxKind.PlusPlusToken, SyntaxKind.MinusMinusToken]);

export const isFunction = ({ kind }) => functions.has(kind);

/** An expression without parentheses and assertions of types. */
export function unwrapped(node) {
  return wrappers.has(node.kind) ? unwrapped(node.expression) : node;
}

/** The nodes of the names that a name or a pattern declares. */
export function identifiersOf(name) {
  if (name.kind === SyntaxKind.Identifier) return [name];
  return name.elements.flatMap((element) => (element.name ? identifiersOf(element.name) : []));
}

/** The names themselves. */
export const namesOf = (name) => identifiersOf(name).map(({ text }) => text);

/**
 * The variable, or `this`, to which a chain of members belongs. For `Type.empty.set(…)`, which makes another dictionary, it
 * is the call.
 */
function rootOf(node) {
  const inner = unwrapped(node);
  return accesses.has(inner.kind) && inner.name?.text !== "empty" ? rootOf(inner.expression) : inner;
}

/** The expressions whose contents a node changes. */
function targetsOf({ kind, expression, operator, operatorToken, operand, left, arguments: given }) {
  if (kind === SyntaxKind.BinaryExpression) return isAssignment(operatorToken.kind) ? leaves(left) : [];
  if (kind === SyntaxKind.PrefixUnaryExpression || kind === SyntaxKind.PostfixUnaryExpression)
    return counting.has(operator) ? [operand] : [];
  if (kind === SyntaxKind.DeleteExpression) return [expression];
  if (kind !== SyntaxKind.CallExpression) return [];
  const called = expression.name?.text ?? expression.text;
  if (filling.has(called)) return given.slice(0, 1);
  const isMethod = expression.kind === SyntaxKind.PropertyAccessExpression;
  return isMethod && (changing.has(called) || /^set(Big|Float|Int|Uint)/.test(called))
    ? [expression.expression]
    : [];
}

const isAssignment = (kind) => kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment;

/** Targets of an assignment, those in a pattern too. */
function leaves(node) {
  if (node.kind === SyntaxKind.ArrayLiteralExpression) return node.elements.flatMap(leaves);
  if (node.kind === SyntaxKind.ObjectLiteralExpression)
    return node.properties.flatMap(({ initializer, name }) => leaves(initializer ?? name));
  return [node];
}

/** Collects the changed ones among some variables, and whether members of `this` are changed. */
export class Changes {
  names = new Set();
  ofThis = false;
  #watched;

  constructor(names = []) {
    this.#watched = new Set(names);
  }

  /** Reads all of a node. */
  read(node) {
    this.#read(node, this.#watched);
  }

  /** Reads the functions in a node, but those that are handed to a call, which mostly ends before the node does. */
  readInner(node) {
    if (!node) return;
    node.forEachChild((child) => {
      if (isFunction(child)) this.read(child);
      else if (child.kind === SyntaxKind.CallExpression) this.#readCall(child);
      else this.readInner(child);
    });
  }

  #readCall(call) {
    this.readInner(call.expression);
    for (const argument of call.arguments) if (!isFunction(argument)) this.readInner(argument);
  }

  #read(node, watched) {
    for (const target of targetsOf(node)) this.#note(target, watched);
    const inner = isFunction(node) ? without(watched, declaredIn(node)) : watched;
    node.forEachChild((child) => {
      this.#read(child, inner);
    });
  }

  #note(target, watched) {
    const root = rootOf(target);
    if (root.kind === SyntaxKind.ThisKeyword) this.ofThis = true;
    else if (watched.has(root.text)) this.names.add(root.text);
  }
}

function without(names, hidden) {
  return hidden.size === 0 ? names : new Set([...names].filter((name) => !hidden.has(name)));
}

/** Parameters and variables of a function, not those of functions in it. */
function declaredIn(node) {
  const found = new Set(node.parameters.flatMap(({ name }) => namesOf(name)));
  const visit = (child) => {
    if (isFunction(child)) return;
    if (child.kind === SyntaxKind.VariableDeclaration)
      for (const name of namesOf(child.name)) found.add(name);
    child.forEachChild(visit);
  };
  if (node.body) visit(node.body);
  return found;
}
