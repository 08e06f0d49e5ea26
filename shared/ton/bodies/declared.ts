import type { Address } from "../../values/address.js";
import type { Cell } from "../cells/cell.js";
import type { families } from "./all-families.js";
import type { layouts } from "./all-layouts.js";
import type { dedust } from "./families/dedust.js";
import type { mintedMessage } from "./families/jettons.js";
import type { messageTypes } from "./families/messages.js";
import type { multisig } from "./families/multisig.js";
import type { tgWallet } from "./families/tg-wallet.js";
import type { signedRequests } from "./families/wallets.js";
import type { BitString, DictionaryKey } from "./value.js";

// Types of the values returned by `read.ts`, derived from the text of the declarations: the type-level equivalent of
// `declaration.ts` and `types.ts`, in the same notation. The compiler parses a declaration only where its type is used.

type Family = (typeof families)[number] | (typeof layouts)[number];

/** Name of a body. */
export type BodyName = NameOf<BodyLine<Family>>;

/** Fields of the bodies of one name; a union if it has several layouts. */
export type BodyFields<Name extends BodyName> = FieldsIn<Family, Name>;

/** Types whose values also occur in separate cells, with the texts that declare them. */
type DeclaredBy = {
  /** A request to a wallet that begins with a signature. */
  SignedRequest: typeof signedRequests;
  /** An action of a multisig order. */
  Action: typeof multisig;
  /** The message that jettons are minted with. */
  MintedMessage: typeof mintedMessage;
  /** An asset traded by a DeDust pool. */
  Asset: typeof dedust;
  /** A request to Telegram's wallet. */
  TgWalletSigned: typeof tgWallet;
};
export type TypeName = keyof DeclaredBy;

/** A value of such a type. */
export type TypedValue<Name extends TypeName> = Constructed<Name, TypeLine<DeclaredBy[Name]>>;

/** Fields of the bodies of one name that a text declares; `never` if it declares none. */
type FieldsIn<Text, Name extends string> = Text extends `${string}\n${Name}#${string}`
  ? LineRecord<Extract<BodyLine<Text>, `${Name}#${string}`>, TypeLine<Text>>
  : never;

// Lines

type Lines<Text, Found = never> = Text extends `${infer First}\n${infer Rest}`
  ? Lines<Rest, Found | First>
  : Found;
type BodyLine<Text> = Exclude<Lines<Text>, `${string} = ${string}` | "">;
/** Lines that declare the types a family may use: its own and those common to all. */
type TypeLine<Text> = Extract<Lines<Text> | Lines<typeof messageTypes>, `${string} = ${string}`>;
type NameOf<Line> = Line extends `${infer Name}#${string}` ? Name : never;

/** Constructors of a type, distinguished by `$type`; `Types` are the lines that declare types. */
type Constructed<Type extends string, Types, Each = Types> = Each extends `${infer Line} = ${Type}`
  ? LineRecord<Line, Types, TagOf<Line>>
  : never;

type TagOf<Line, Name = Before<"#", Before<"$", Before<" ", Line>>>> = Name extends "_"
  ? unknown
  : { readonly $type: Name };

type LineRecord<Line, Types, Tag = unknown> = Line extends `${string} ${infer Fields}`
  ? RecordOf<FieldsAt<Fields>, Types, Tag>
  : Flat<Tag>;

// Notation. A node is a name, `{ maybe }`, `{ apply }` or a record `{ fields, mixed }`; a reference is its content.

/** Reads fields up to the end or `]`. */
type FieldsAt<Text, Fields = unknown, Mixed extends unknown[] = []> = Text extends ` ${infer Rest}`
  ? FieldsAt<Rest, Fields, Mixed>
  : Text extends ""
    ? { fields: Fields; mixed: Mixed; rest: "" }
    : Text extends `]${infer Rest}`
      ? { fields: Fields; mixed: Mixed; rest: Rest }
      : Word<Text> extends `${infer Name}:${string}`
        ? Text extends `${Name}:${infer Type}`
          ? TypeAt<Type> extends { node: infer Node; rest: infer Rest }
            ? Name extends "_"
              ? FieldsAt<Rest, Fields, [...Mixed, Node]>
              : FieldsAt<Rest, Fields & { [K in Name]: Node }, Mixed>
            : never
          : never
        : Text extends `${Word<Text> & string}${infer Rest}`
          ? FieldsAt<Rest, Fields & { [K in Word<Text> & string]: "uint64" }, Mixed>
          : never;

type TypeAt<Text> = Text extends `^${infer Type}`
  ? TypeAt<Type>
  : Text extends `?${infer Type}`
    ? TypeAt<Type> extends { node: infer Node; rest: infer Rest }
      ? { node: { maybe: Node }; rest: Rest }
      : never
    : Text extends `[${infer Fields}`
      ? FieldsAt<Fields> extends { fields: infer F; mixed: infer M; rest: infer Rest }
        ? { node: { fields: F; mixed: M }; rest: Rest }
        : never
      : Text extends `(${infer Applied}`
        ? ApplicationAt<Applied>
        : Text extends `${Word<Text> & string}${infer Rest}`
          ? { node: Word<Text>; rest: Rest }
          : never;

type ApplicationAt<Text, Nodes extends unknown[] = []> = Text extends ` ${infer Rest}`
  ? ApplicationAt<Rest, Nodes>
  : Text extends `)${infer Rest}`
    ? { node: { apply: Nodes }; rest: Rest }
    : TypeAt<Text> extends { node: infer Node; rest: infer Rest }
      ? ApplicationAt<Rest, [...Nodes, Node]>
      : never;

/** The text before the next blank or closing bracket. */
type Word<Text> = Before<")", Before<"]", Before<" ", Text>>>;
type Before<End extends string, Text> = Text extends `${infer Start}${End}${string}` ? Start : Text;

// Values

type ValueOf<Node, Types> = Node extends string
  ? NamedValue<Node, Types>
  : Node extends { maybe: infer Inner }
    ? ValueOf<Inner, Types> | undefined
    : Node extends { apply: infer Nodes }
      ? AppliedValue<Nodes, Types>
      : RecordOf<Node, Types>;

type RecordOf<Node, Types, Tag = unknown> = Node extends { fields: infer Fields; mixed: infer Mixed }
  ? Mix<Mixed, Types, Tag & { readonly [K in keyof Fields]: ValueOf<Fields[K], Types> }>
  : never;

/** Adds the fields of the records in `_:T` fields; one of several constructors makes a union. */
type Mix<Nodes, Types, Into> = Nodes extends [infer First, ...infer Rest]
  ? ValueOf<First, Types> extends infer Value
    ? Value extends unknown
      ? Mix<Rest, Types, Into & Omit<Value, "$type">>
      : never
    : never
  : Flat<Into>;

type Flat<T> = { [K in keyof T]: T[K] };

type NamedValue<Name extends string, Types> = Name extends keyof BuiltIn
  ? BuiltIn[Name]
  : Name extends `uint${number}` | `int${number}` | `uint${number}=${number}`
    ? bigint
    : Name extends `bits${number}`
      ? Uint8Array | BitString
      : Constructed<Name, Types>;

/** The counterpart of `simple.ts`. */
type BuiltIn = {
  Bool: boolean;
  Coins: bigint;
  VarUint32: bigint;
  MsgAddress: Address | undefined;
  MsgAddressInt: Address;
  MsgAddressExt: BitString | undefined;
  AnyAddress: Address | undefined;
  None: undefined;
  Never: never;
  End: Record<never, never>;
  ChunkedText: string;
  ShortText: string;
  Text: string;
  Bytes: Uint8Array;
  Cell: Cell;
  Payload: Cell;
  bits128: Uint8Array;
  bits160: Uint8Array;
  bits256: Uint8Array;
  bits512: Uint8Array;
};

type AppliedValue<Nodes, Types> = Nodes extends ["Either", infer Left, infer Right]
  ? ValueOf<Left, Types> | ValueOf<Right, Types>
  : Nodes extends ["HashmapE" | "Hashmap", infer Bits, infer Inner]
    ? ReadonlyMap<KeyOf<Bits>, ValueOf<Inner, Types>>
    : Nodes extends ["If", string, infer Inner]
      ? ValueOf<Inner, Types> | undefined
      : Nodes extends ["Chunks", string, infer Inner]
        ? readonly ValueOf<Inner, Types>[]
        : Nodes extends ["Many" | "Chain" | "Actions", infer Inner]
          ? readonly ValueOf<Inner, Types>[]
          : never;

type KeyOf<Bits> = Bits extends "4" | "8" | "16" | "32" | "64"
  ? bigint
  : Bits extends "256"
    ? Uint8Array
    : Bits extends "267"
      ? Address
      : DictionaryKey;
