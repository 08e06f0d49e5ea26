import { AbiError } from "./abi-error.js";
import { Shape } from "./json-shape.js";
import {
  type AbiType,
  type ContractAbi,
  type Declaration,
  type EnumMember,
  type Field,
  type GetMethod,
  type PlainKind,
  type Prefix,
  plainKinds,
  type ThrownError,
  type TypeIndex,
  type UnionVariant,
} from "./model.js";

const schemaVersion = "1.0";
/** Bounds of a table. The ABIs of real contracts have some hundred types. */
const limits = { types: 16_384, declarations: 4096, members: 65_536, items: 255 } as const;
/** A method's arguments, results and the parts of a union are values of the machine's stack. */
const maxWidth = 255;

const plain: ReadonlySet<string> = new Set<PlainKind>(plainKinds.slice(0, plainKinds.indexOf("sliceRef")));

/** Whether JSON is an ABI of Tolk's compiler, of any version of the schema. */
export function isTolkAbi(json: unknown): boolean {
  return typeof json === "object" && json !== null && Object.hasOwn(json, "abi_schema_version");
}

/** Reads and checks the ABI that Tolk's compiler writes. Throws an AbiError if it is malformed or too large. */
export function readTolkAbi(json: unknown): ContractAbi {
  return new TolkReader(new Shape(json, "abi")).read();
}

class TolkReader {
  readonly #root: Shape;
  readonly #types: readonly Shape[];
  /** Fields, variants, members and items so far. */
  #members = 0;

  constructor(root: Shape) {
    this.#root = root;
    const version = root.member("abi_schema_version").value;
    if (version !== schemaVersion)
      throw new AbiError(`the schema of an ABI is ${schemaVersion}, not ${String(version).slice(0, 20)}`);
    this.#types = root.member("unique_types").list(limits.types);
  }

  read(): ContractAbi {
    const root = this.#root;
    const declarations = this.#declarations();
    const messages = (member: string) =>
      root
        .member(member)
        .list(limits.declarations)
        .map((message) => this.#index(message.member("body_ty_idx")));
    const types = this.#types.map((type) => this.#type(type));
    for (const [i, type] of types.entries())
      if (type.kind === "struct" || type.kind === "alias" || type.kind === "enum")
        if (declarations.get(type.name)?.kind !== type.kind)
          this.#types[i]!.refuse(`${type.kind} ${type.name} is not declared`);
    return {
      contract: root.member("contract_name").name("optional"),
      compiler:
        `${root.member("compiler_name").name("optional")} ${root.member("compiler_version").name("optional")}`.trim(),
      types,
      declarations,
      instances: this.#instances(types, declarations),
      messages: {
        incoming: messages("incoming_messages"),
        external: messages("incoming_external"),
        outgoing: messages("outgoing_messages"),
        events: messages("emitted_events"),
      },
      storage: this.#storage(),
      getMethods: root
        .member("get_methods")
        .list(limits.declarations)
        .map((method) => this.#getMethod(method)),
      errors: this.#errors(),
    };
  }

  #type(type: Shape): AbiType {
    const kind = type.member("kind").name();
    if (plain.has(kind)) return { kind: kind as PlainKind };
    switch (kind) {
      case "intN":
        return { kind, n: type.member("n").integer(1, 257) };
      case "uintN":
        return { kind, n: type.member("n").integer(1, 256) };
      case "bitsN":
        return { kind, n: type.member("n").integer(0, 1023) };
      case "varintN":
      case "varuintN": {
        const n = type.member("n").integer(16, 32);
        return n === 16 || n === 32 ? { kind, n } : type.refuse("variable integers are of 16 or 32");
      }
      case "nullable":
        return {
          kind,
          inner: this.#index(type.member("inner_ty_idx")),
          width: widthOf(type),
          typeId: typeIdOf(type),
        };
      case "cellOf":
      case "arrayOf":
      case "lispListOf":
        return { kind, inner: this.#index(type.member("inner_ty_idx")) };
      case "mapKV":
        return {
          kind,
          key: this.#index(type.member("key_ty_idx")),
          value: this.#index(type.member("value_ty_idx")),
        };
      case "tensor":
      case "shapedTuple":
        return { kind, items: this.#indices(type.member("items_ty_idx")) };
      case "union":
        return {
          kind,
          variants: this.#counted(type.member("variants").list(limits.items)).map((each) =>
            this.#variant(each),
          ),
          width: widthOf(type),
        };
      case "StructRef":
        return this.#reference(type, "struct", "struct_name");
      case "AliasRef":
        return this.#reference(type, "alias", "alias_name");
      case "EnumRef":
        return this.#reference(type, "enum", "enum_name");
      case "genericT":
        return { kind: "raw", name: type.member("name_t").name() };
      default:
        return { kind: "raw", name: kind };
    }
  }

  #reference(type: Shape, kind: "struct" | "alias" | "enum", member: string): AbiType {
    return {
      kind,
      name: type.member(member).name(),
      arguments: this.#indices(type.member("type_args_ty_idx")),
    };
  }

  #variant(variant: Shape): UnionVariant {
    return {
      type: this.#index(variant.member("variant_ty_idx")),
      prefix: prefixOf(variant),
      isImplicit: variant.member("is_prefix_implicit").value === true,
      typeId: typeIdOf(variant),
    };
  }

  #declarations(): Map<string, Declaration> {
    const declarations = new Map<string, Declaration>();
    for (const given of this.#root.member("declarations").list(limits.declarations)) {
      const declaration = this.#declaration(given);
      if (declaration) declarations.set(declaration.name, declaration);
    }
    return declarations;
  }

  /** `undefined` for a kind of later versions, which no type of this one refers to. */
  #declaration(given: Shape): Declaration | undefined {
    const kind = given.member("kind").name();
    const name = given.member("name").name();
    const packsItself = !given.member("custom_pack_unpack").isAbsent;
    switch (kind) {
      case "struct": {
        const prefix = given.member("prefix");
        return {
          kind,
          name,
          prefix: prefix.isAbsent ? undefined : prefixOf(prefix),
          cells: [this.#fields(given.member("fields"))],
          packsItself,
        };
      }
      case "alias":
        return { kind, name, target: this.#index(given.member("target_ty_idx")), packsItself };
      case "enum": {
        const members = this.#counted(given.member("members").list(limits.declarations));
        return {
          kind,
          name,
          encoding: this.#index(given.member("encoded_as_ty_idx")),
          members: members.map(
            (member): EnumMember => ({
              name: member.member("name").memberName(),
              value: member.member("value").bigInteger(),
            }),
          ),
          packsItself,
        };
      }
      default:
        return undefined;
    }
  }

  #fields(list: Shape): Field[] {
    const fields = this.#counted(list.list(limits.declarations)).map((field): Field => {
      // What clients see of a field may have another type than the contract's own.
      const client = field.member("client_ty_idx");
      return {
        name: field.member("name").memberName(),
        type: this.#index(client.isAbsent ? field.member("ty_idx") : client),
        description: field.member("description").description(),
        fallback: fallbackOf(field.member("default_value").value),
      };
    });
    if (new Set(fields.map(({ name }) => name)).size !== fields.length)
      list.refuse("two fields have one name");
    return fields;
  }

  #instances(
    types: readonly AbiType[],
    declarations: ReadonlyMap<string, Declaration>,
  ): Map<TypeIndex, readonly TypeIndex[]> {
    const instances = new Map<TypeIndex, readonly TypeIndex[]>();
    for (const given of this.#root.member("struct_instantiations").list(limits.types)) {
      const at = this.#index(given.member("ty_idx"));
      const type = types[at]!;
      const declared = type.kind === "struct" ? declarations.get(type.name) : undefined;
      const fields = this.#indices(given.member("monomorphic_fields_ty_idx"), limits.declarations);
      if (declared?.kind !== "struct" || declared.cells[0]?.length !== fields.length)
        given.refuse("the structure has another number of fields");
      instances.set(at, fields);
    }
    for (const given of this.#root.member("alias_instantiations").list(limits.types)) {
      const at = this.#index(given.member("ty_idx"));
      if (types[at]!.kind !== "alias") given.refuse("the type is no alias");
      instances.set(at, [this.#index(given.member("monomorphic_target_ty_idx"))]);
    }
    return instances;
  }

  #storage(): TypeIndex[] {
    const storage = this.#root.member("storage");
    if (storage.isAbsent) return [];
    return ["storage_ty_idx", "storage_at_deployment_ty_idx"]
      .map((form) => storage.member(form))
      .filter((form) => !form.isAbsent)
      .map((form) => this.#index(form));
  }

  #getMethod(method: Shape): GetMethod {
    return {
      name: method.member("name").name(),
      id: method.member("tvm_method_id").integer(-(2 ** 31), 2 ** 31 - 1),
      parameters: this.#fields(method.member("parameters")),
      returns: this.#index(method.member("return_ty_idx")),
      description: method.member("description").description(),
    };
  }

  #errors(): Map<number, ThrownError> {
    const errors = new Map<number, ThrownError>();
    for (const error of this.#root.member("thrown_errors").list(limits.declarations)) {
      const code = error.member("err_code").integer(-(2 ** 31), 2 ** 31 - 1);
      const name = error.member("name").name("optional");
      // A code can be thrown by its number in one place, and by its name in another.
      if (!errors.get(code)?.name)
        errors.set(code, { name, description: error.member("description").description() });
    }
    return errors;
  }

  #index(place: Shape): TypeIndex {
    return place.integer(0, this.#types.length - 1);
  }

  #indices(list: Shape, max: number = limits.items): TypeIndex[] {
    return this.#counted(list.list(max)).map((place) => this.#index(place));
  }

  #counted(items: Shape[]): Shape[] {
    this.#members += items.length;
    if (this.#members > limits.members)
      throw new AbiError(`an ABI has at most ${limits.members} members of types`);
    return items;
  }
}

function prefixOf(given: Shape): Prefix {
  const len = given.member("prefix_len").integer(0, 64);
  const num = given.member("prefix_num").bigInteger();
  return num === BigInt.asUintN(len, num) ? { num, len } : given.refuse("the prefix does not fit its length");
}

function widthOf(type: Shape): number {
  const width = type.member("stack_width");
  return width.isAbsent ? 1 : width.integer(0, maxWidth);
}

function typeIdOf(type: Shape): bigint | undefined {
  const id = type.member("stack_type_id");
  return id.isAbsent ? undefined : BigInt(id.integer(0, Number.MAX_SAFE_INTEGER));
}

/** A constant in the form in which callers give values; `undefined` for those that have none, which callers give. */
function fallbackOf(constant: unknown): { json: unknown } | undefined {
  if (typeof constant !== "object" || constant === null) return undefined;
  const { kind, v, str, addr, inner } = constant as Partial<Record<string, unknown>>;
  switch (kind) {
    case "int":
    case "bool":
      return { json: v };
    case "string":
      return { json: str };
    case "address":
      return { json: addr };
    case "null":
      return { json: null };
    case "castTo": {
      // Only one level: constants nest as deep as their file.
      const isCast =
        typeof inner === "object" && inner !== null && "kind" in inner && inner.kind === "castTo";
      return isCast ? undefined : fallbackOf(inner);
    }
    default:
      return undefined;
  }
}
