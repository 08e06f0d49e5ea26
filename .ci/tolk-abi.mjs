// ABIs in the form of Tolk's compiler 1.4, from the declarations in a contract's source: compilers before 1.4 write none. It knows
// what the devnet's own contracts use, and fails on anything else.
import { posix } from "node:path";

/** A token: a comment that documents, a word or number, a text, or a sign. */
const tokens = /\/\*\*[\s\S]*?\*\/|\/\/[^\n]*|"[^"]*"|[A-Za-z_]\w*|\d\w*|\S/g;

const plainKinds = new Map([
  ...["int", "coins", "bool", "cell", "builder", "slice", "string", "address", "void"].map((name) => [
    name,
    name,
  ]),
  ["any_address", "addressAny"],
  ["RemainingBitsAndRefs", "remaining"],
  ["tuple", "unknown"],
]);

/** Declarations of a file and of those that it imports, first declared first, and the text of all. */
function readSources(entry, read, seen = new Set()) {
  const found = { declared: new Map(), getMethods: [], texts: [] };
  if (seen.has(entry)) return found;
  seen.add(entry);
  const text = read(entry);
  for (const [, path] of text.matchAll(/^import "(?!@stdlib)([^"]+)"/gm)) {
    const inner = readSources(`${posix.join(posix.dirname(entry), path)}.tolk`, read, seen);
    for (const [name, declared] of inner.declared) found.declared.set(name, declared);
    found.texts.push(...inner.texts);
  }
  const own = new SourceReader(text).read();
  for (const [name, declared] of own.declared) found.declared.set(name, declared);
  found.getMethods.push(...own.getMethods);
  found.texts.push(text);
  return found;
}

class SourceReader {
  #tokens;
  #at = 0;
  #declared = new Map();
  #getMethods = [];

  constructor(text) {
    this.#tokens = (text.match(tokens) ?? []).filter((token) => !token.startsWith("//"));
  }

  read() {
    while (this.#at < this.#tokens.length) {
      const doc = this.#takeDoc();
      const word = this.#tokens[this.#at++];
      if (word === "struct") this.#struct(doc);
      else if (word === "type") this.#alias();
      else if (word === "const") this.#constant(doc);
      else if (word === "get") this.#getMethod(doc);
      else if (word === "enum") throw new Error("enums are not known to .ci/tolk-abi.mjs");
      else if (word === "{") this.#skipBlock();
    }
    return { declared: this.#declared, getMethods: this.#getMethods };
  }

  #struct(description) {
    const prefix = this.#if("(") && this.#take();
    if (prefix) this.#expect(")");
    const name = this.#take();
    const fields = [];
    this.#expect("{");
    while (!this.#if("}")) {
      const doc = this.#takeDoc();
      const field = this.#take();
      this.#expect(":");
      fields.push({ name: field, type: this.#type(), description: doc });
    }
    this.#declared.set(name, { kind: "struct", prefix, fields, description });
  }

  #alias() {
    const name = this.#take();
    this.#expect("=");
    this.#declared.set(name, { kind: "alias", target: this.#type() });
  }

  #constant(description) {
    const name = this.#take();
    if (this.#if("=") && /^(0x|\d)/.test(this.#peek()))
      this.#declared.set(name, { kind: "constant", value: Number(this.#take()), description });
  }

  #getMethod(description) {
    this.#expect("fun");
    const name = this.#take();
    const parameters = [];
    this.#expect("(");
    while (!this.#if(")")) {
      const parameter = this.#take();
      this.#expect(":");
      parameters.push({ name: parameter, type: this.#type() });
      this.#if(",");
    }
    this.#expect(":");
    this.#getMethods.push({ name, parameters, returns: this.#type(), description });
  }

  /** A union of types, each with `?` if it is nullable. */
  #type() {
    this.#if("|");
    const variants = [this.#single()];
    while (this.#if("|")) variants.push(this.#single());
    return variants.length === 1 ? variants[0] : { union: variants };
  }

  #single() {
    const [open] = ["(", "["].filter((sign) => this.#if(sign));
    let type = open
      ? { [open === "(" ? "tensor" : "shapedTuple"]: this.#list(open === "(" ? ")" : "]") }
      : { name: this.#take(), of: this.#if("<") ? this.#list(">") : [] };
    while (this.#if("?")) type = { nullable: type };
    return type;
  }

  #list(end) {
    const types = [];
    while (!this.#if(end)) {
      types.push(this.#type());
      this.#if(",");
    }
    return types;
  }

  #skipBlock() {
    for (let depth = 1; depth > 0; this.#at++) {
      if (this.#peek() === "{") depth++;
      if (this.#peek() === "}") depth--;
    }
  }

  #takeDoc() {
    let doc = "";
    while (this.#tokens[this.#at]?.startsWith("/**"))
      doc = this.#tokens[this.#at++]
        .slice(3, -2)
        .replace(/\s*\n\s*\*?\s*/g, " ")
        .trim();
    return doc;
  }

  #peek() {
    return this.#tokens[this.#at] ?? "";
  }

  #take() {
    return this.#tokens[this.#at++];
  }

  #if(sign) {
    const is = this.#peek() === sign;
    if (is) this.#at++;
    return is;
  }

  #expect(sign) {
    const token = this.#take();
    if (token !== sign) throw new Error(`${token} where ${sign} is expected`);
  }
}

/** Collects types in the compiler's table. */
class Table {
  types = [];
  declarations = [];
  #declared;
  #places = new Map();
  #written = new Set();

  constructor(declared) {
    this.#declared = declared;
  }

  place(type) {
    if (type.nullable) return this.#nullable(type.nullable);
    if (type.union)
      return this.#add({ kind: "union", variants: type.union.map((each) => this.#variant(each)) });
    for (const kind of ["tensor", "shapedTuple"])
      if (type[kind]) return this.#add({ kind, items_ty_idx: type[kind].map((item) => this.place(item)) });
    const { name, of } = type;
    const [, sized, n] = /^(u?int|bits|varu?int)(\d+)$/.exec(name) ?? [];
    if (sized) return this.#add({ kind: `${sized}N`, n: Number(n) });
    if (plainKinds.has(name)) return this.#add({ kind: plainKinds.get(name) });
    if (name === "dict") return this.#nullable({ name: "cell", of: [] });
    if (name === "Cell") return this.#add({ kind: "cellOf", inner_ty_idx: this.place(of[0]) });
    if (name === "lisp_list") return this.#add({ kind: "lispListOf", inner_ty_idx: this.place(of[0]) });
    if (name === "map")
      return this.#add({ kind: "mapKV", key_ty_idx: this.place(of[0]), value_ty_idx: this.place(of[1]) });
    return this.#declare(name);
  }

  #nullable(inner) {
    if (inner.name === "address") return this.#add({ kind: "addressOpt" });
    return this.#add({ kind: "nullable", inner_ty_idx: this.place(inner) });
  }

  #declare(name) {
    const declared = this.#declared.get(name);
    const isStruct = declared?.kind === "struct";
    if (!isStruct && declared?.kind !== "alias") throw new Error(`${name} is not declared`);
    const place = this.#add(
      isStruct ? { kind: "StructRef", struct_name: name } : { kind: "AliasRef", alias_name: name },
    );
    if (this.#written.has(name)) return place;
    this.#written.add(name);
    const written = { kind: declared.kind, name, ty_idx: place };
    this.declarations.push(written);
    if (isStruct)
      Object.assign(written, {
        ...(declared.prefix && { prefix: prefixOf(declared.prefix) }),
        fields: this.fields(declared.fields),
      });
    else written.target_ty_idx = this.place(declared.target);
    return place;
  }

  fields(fields) {
    return fields.map(({ name, type, description }) => ({
      name,
      ty_idx: this.place(type),
      ...(description && { description }),
    }));
  }

  #variant(type) {
    const { prefix } = this.#declared.get(type.name) ?? {};
    if (!prefix) throw new Error(`${type.name} in a union has no prefix`);
    return { variant_ty_idx: this.place(type), ...prefixOf(prefix) };
  }

  #add(type) {
    const text = JSON.stringify(type);
    if (!this.#places.has(text)) this.#places.set(text, this.types.push(type) - 1);
    return this.#places.get(text);
  }
}

function prefixOf(digits) {
  return { prefix_num: Number(digits), prefix_len: 4 * (digits.length - "0x".length) };
}

/** Distinct matches of a pattern's first group. */
const matches = (text, pattern) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name))];

/**
 * The ABI of a contract. Its storage are the structures that it reads from its data, those with most fields first; its
 * messages those that it reads from bodies, and those with a prefix that it makes; its errors constants.
 */
export function tolkAbi(entry, read, { contract, compiler, methodIds }) {
  const { declared, getMethods, texts } = readSources(entry, read);
  const text = texts.join("\n").replace(/\/\/.*$|\/\*\*[\s\S]*?\*\//gm, "");
  const table = new Table(declared);
  const bodies = (names) => names.map((name) => ({ body_ty_idx: table.place({ name, of: [] }) }));
  const incoming = matches(text, /(\w+)\.fromSlice\((?:in\.)?body/g);
  const variants = incoming.flatMap((name) => declared.get(name).target?.union ?? []).map(({ name }) => name);
  const received = new Set([...incoming, ...variants]);
  const made = matches(text, /(?<!struct (?:\(\w+\) )?)\b([A-Z]\w+) \{/g).filter(
    (name) => declared.get(name)?.prefix?.length === "0x00000000".length && !received.has(name),
  );
  const [usual, atDeployment] = matches(text, /(\w+)\.fromCell\(contract\.getData\(\)/g).sort(
    (a, b) => declared.get(b).fields.length - declared.get(a).fields.length,
  );
  const incomingMessages = bodies(incoming.filter((name) => !variants.includes(name)));
  const outgoing = bodies(made);
  const storage = {
    ...(usual && { storage_ty_idx: table.place({ name: usual, of: [] }) }),
    ...(atDeployment && { storage_at_deployment_ty_idx: table.place({ name: atDeployment, of: [] }) }),
  };
  const methods = getMethods.map(({ name, parameters, returns, description }) => ({
    tvm_method_id: methodIds.get(name),
    name,
    parameters: table.fields(parameters),
    return_ty_idx: table.place(returns),
    ...(description && { description }),
  }));
  const errors = [...declared].flatMap(([name, { kind, value, description }]) =>
    kind === "constant" && name.startsWith("ERROR_")
      ? [{ kind: "constant", name, err_code: value, ...(description && { description }) }]
      : [],
  );
  return {
    abi_schema_version: "1.0",
    compiler_name: "tolk",
    compiler_version: compiler,
    contract_name: contract,
    unique_types: table.types,
    declarations: table.declarations,
    incoming_messages: incomingMessages,
    outgoing_messages: outgoing,
    storage,
    get_methods: methods,
    thrown_errors: errors,
  };
}
