/** Place of a type in the table of its ABI. */
export type TypeIndex = number;

/** The first bits of a value: `len` bits of this number. */
export type Prefix = { readonly num: bigint; readonly len: number };

/** A type of an ABI. The kinds are Tolk's; those of Tact map onto them. */
export type AbiType =
  | { readonly kind: PlainKind }
  | { readonly kind: "intN" | "uintN" | "varintN" | "varuintN" | "bitsN"; readonly n: number }
  /** With a type id, the last of `width` values on the stack tells whether there is a value. */
  | {
      readonly kind: "nullable";
      readonly inner: TypeIndex;
      readonly width: number;
      readonly typeId: bigint | undefined;
    }
  | { readonly kind: "cellOf" | "arrayOf" | "lispListOf"; readonly inner: TypeIndex }
  /** Tact's: in cells as itself, and on the stack a tuple of its values. */
  | { readonly kind: "tupled"; readonly inner: TypeIndex }
  | { readonly kind: "mapKV"; readonly key: TypeIndex; readonly value: TypeIndex }
  | { readonly kind: "tensor" | "shapedTuple"; readonly items: readonly TypeIndex[] }
  | { readonly kind: "union"; readonly variants: readonly UnionVariant[]; readonly width: number }
  | {
      readonly kind: "struct" | "alias" | "enum";
      readonly name: string;
      readonly arguments: readonly TypeIndex[];
    }
  /** A kind that this version does not know, or that has no values of its own, such as a type parameter. */
  | { readonly kind: "raw"; readonly name: string };

/** Kinds without parameters. */
export type PlainKind = (typeof plainKinds)[number];

export const plainKinds = [
  "int",
  "coins",
  "bool",
  "cell",
  "builder",
  "slice",
  "string",
  "remaining",
  "address",
  "addressOpt",
  "addressExt",
  "addressAny",
  "nullLiteral",
  "void",
  // Tact's: a cell of its own that is a slice or a builder on the stack, the rest of a cell as a cell or a builder, and a
  // text that is a slice on the stack.
  "sliceRef",
  "builderRef",
  "remainingCell",
  "remainingBuilder",
  "text",
] as const;

export type UnionVariant = {
  readonly type: TypeIndex;
  readonly prefix: Prefix;
  /** The prefix is the union's, not the variant's own. */
  readonly isImplicit: boolean;
  readonly typeId: bigint | undefined;
};

export type Field = {
  readonly name: string;
  readonly type: TypeIndex;
  readonly description: string;
  /** The value that is taken if none is given, in the form of JSON. */
  readonly fallback: { readonly json: unknown } | undefined;
};

export type Structure = {
  readonly kind: "struct";
  readonly name: string;
  readonly prefix: Prefix | undefined;
  /** Fields by cells: those of later cells are behind a reference at the end of the cell before. */
  readonly cells: readonly (readonly Field[])[];
  readonly packsItself: boolean;
};

type Alias = {
  readonly kind: "alias";
  readonly name: string;
  readonly target: TypeIndex;
  readonly packsItself: boolean;
};

export type EnumMember = { readonly name: string; readonly value: bigint };

type Enumeration = {
  readonly kind: "enum";
  readonly name: string;
  readonly encoding: TypeIndex;
  readonly members: readonly EnumMember[];
  readonly packsItself: boolean;
};

export type Declaration = Structure | Alias | Enumeration;

export type GetMethod = {
  readonly name: string;
  readonly id: number;
  readonly parameters: readonly Field[];
  /** Undefined if it returns nothing. */
  readonly returns: TypeIndex;
  readonly description: string;
};

export type ThrownError = {
  /** Empty for errors without a name. */
  readonly name: string;
  readonly description: string;
};

export const messageLists = ["incoming", "external", "outgoing", "events"] as const;
/** Messages that a contract receives from contracts and from outside, sends, and logs. */
export type MessageList = (typeof messageLists)[number];

/** The interface of a contract, checked: indices are within the table, and names are declared. */
export type ContractAbi = {
  readonly contract: string;
  /** Name and version, for example `tolk 1.4.2`. */
  readonly compiler: string;
  readonly types: readonly AbiType[];
  readonly declarations: ReadonlyMap<string, Declaration>;
  /** Types of the fields of a structure with type arguments, in order, or the target of such an alias. */
  readonly instances: ReadonlyMap<TypeIndex, readonly TypeIndex[]>;
  readonly messages: Readonly<Record<MessageList, readonly TypeIndex[]>>;
  /** Forms of the storage, the usual one first: at deployment it can be another one. */
  readonly storage: readonly TypeIndex[];
  readonly getMethods: readonly GetMethod[];
  readonly errors: ReadonlyMap<number, ThrownError>;
};
