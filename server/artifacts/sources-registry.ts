import { AbiError } from "../../shared/ton/abi/abi-error.js";
import { Shape } from "../../shared/ton/abi/json-shape.js";
import { sha256 } from "../../shared/ton/cells/sha256.js";
import { readSnake } from "../../shared/ton/cells/snake.js";
import { Answer, type GetMethods, ifSuch, UnexpectedAnswer } from "../../shared/ton/contracts/get-method.js";
import type { StackValue } from "../../shared/ton/tvm/stack.js";
import type { Address } from "../../shared/values/address.js";
import { bytesOfBase64, bytesToHex, readHash } from "../../shared/values/bytes.js";
import { utf8Text } from "../../shared/values/utf8.js";
import { type ClaimSource, maxClaimBytes } from "./claims.js";
import { jsonIn, type SourceText } from "./compiled.js";
import { artifactOf, stemOf } from "./formats.js";

/** Length of a link, source files of a contract, and time for all of them, as hosts are asked one by one. */
const limits = { linkBytes: 2048, files: 64, ms: 120_000 } as const;
const contentVersion = 1;

type Registry = {
  readonly registry: Address;
  /** Name of the verifier, by whose hash items are found, such as `verifier.ton.org`. */
  readonly verifier: string;
};

type RegistryDeps = {
  /** Get-methods at the newest block. */
  methods(signal: AbortSignal): GetMethods;
  /** A document of an untrusted host. */
  download(link: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array>;
};

/**
 * Sources by a registry on the chain (TEP-91): its item of a code and a verifier has the link of `sources.json`, which lists
 * the links of the source files.
 */
export function sourcesRegistry(registry: Registry, { methods, download }: RegistryDeps): ClaimSource {
  return async (codeHash, closing) => {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(limits.ms)]);
    const link = await linkOf(codeHash, registry, methods(signal));
    if (link === undefined) return [];
    let bytesLeft = maxClaimBytes;
    const read = async (link: string) => {
      const bytes = await download(link, bytesLeft, signal);
      bytesLeft -= bytes.length;
      return new TextDecoder().decode(bytes);
    };
    const list = new Shape(jsonIn(await read(link), "sources.json"), "sources.json");
    checkCode(list, codeHash);
    const compiler = list.member("compiler").name("optional");
    const version = list.member("compilerSettings").isAbsent
      ? ""
      : list.member("compilerSettings").member(`${compiler}Version`).name("optional");
    const sources: SourceText[] = [];
    let entry: string | undefined;
    for (const source of list.member("sources").list(limits.files)) {
      const file = source.member("filename").name();
      if (source.member("isEntrypoint").value === true) entry ??= file;
      sources.push({ file, text: await read(source.member("url").description()) });
    }
    return [
      artifactOf(`${bytesToHex(bytesOfBase64(codeHash))}/${registry.verifier}`, "sources-registry", {
        contract: stemOf(entry ?? sources[0]?.file ?? ""),
        compiler: `${compiler} ${version}`.trim(),
        sources,
      }),
    ];
  };
}

/** The link of the item of a code; `undefined` if the verifier has not registered it. */
async function linkOf(
  codeHash: string,
  { registry, verifier }: Registry,
  methods: GetMethods,
): Promise<string | undefined> {
  const [id, hash] = [intOf(sha256(verifier)), intOf(bytesOfBase64(codeHash))];
  const item = (await Answer.of(methods, registry, "get_source_item_address", [id, hash])).address(0);
  const content = await ifSuch(contentOf(item, [id.value, hash.value], methods));
  if (!content) return undefined;
  if (content.loadUint(8) !== contentVersion) throw new AbiError("the version of a registered item is not 1");
  return utf8Text(readSnake(content, limits.linkBytes));
}

async function contentOf(item: Address, [id, hash]: readonly [bigint, bigint], methods: GetMethods) {
  const data = await Answer.of(methods, item, "get_source_item_data");
  if (data.int(0) !== id || data.int(1) !== hash)
    throw new UnexpectedAnswer(`the item ${item} is of another code`);
  return data.cell(3).parse();
}

/** The standard names it `codeHash`, the verifiers that exist name it `hash`. */
function checkCode(list: Shape, codeHash: string): void {
  const stated = list.member("hash").value ?? list.member("codeHash").value;
  const hash = typeof stated === "string" ? readHash(stated) : undefined;
  if (hash && bytesToHex(hash) !== bytesToHex(bytesOfBase64(codeHash)))
    throw new AbiError("sources.json is of another code");
}

function intOf(bytes: Uint8Array) {
  return { type: "int", value: BigInt(`0x${bytesToHex(bytes)}`) } as const satisfies StackValue;
}
