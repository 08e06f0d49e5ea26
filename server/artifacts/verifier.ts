import { Shape } from "../../shared/ton/abi/json-shape.js";
import { bytesOfBase64, bytesToHex } from "../../shared/values/bytes.js";
import { trimEnd } from "../../shared/values/trim-end.js";
import { fetchText } from "../os/fetch-text.js";
import type { Artifact } from "./artifact.js";
import { type ClaimSource, maxClaimBytes } from "./claims.js";
import { cellIn, jsonIn, mapIn, sourcesIn } from "./compiled.js";
import { artifactOf, readArtifact, readCoder, stemOf } from "./formats.js";
import { PackedAbis } from "./packed.js";

const timeoutMs = 10_000;
/** Items of an answer, and bundles of a code. */
const limits = { items: 100, bundles: 4 } as const;

/** ABIs, sources and maps that a verifier has by code hash (the API of Acton's). `url`: where its API begins. */
export function verifierAt(url: string): ClaimSource[] {
  const base = trimEnd(url, "/");
  const abis = new PackedAbis();
  const asked =
    (path: string, read: (answer: Shape, hash: string) => Artifact[]): ClaimSource =>
    async (codeHash, signal) => {
      const hash = bytesToHex(bytesOfBase64(codeHash));
      const text = await fetchText(`${base}${path}?code_hash=${hash}`, {
        ...{ maxBytes: maxClaimBytes, timeoutMs, redirect: "error" },
        signal,
      });
      return read(new Shape(jsonIn(text, "the answer"), "answer"), hash);
    };
  return [
    asked("/api/v1/abi", (answer, hash) => abisIn(answer, hash, abis)),
    asked("/api/v1/verification/source", sourcesOf),
  ];
}

function abisIn(answer: Shape, hash: string, abis: PackedAbis): Artifact[] {
  const item = answer
    .member("items")
    .list(limits.items)
    .find((each) => each.member("code_hash").value === hash);
  const artifact = item && readArtifact(`${hash}.abi.json`, item.member("abi").value);
  if (!artifact?.abiJson) return [];
  const { compiler } = artifact;
  return [{ ...artifact, ...abis.keep(artifact.abiJson, (json) => readCoder(json, compiler)) }];
}

/** Sources and maps in the bundles of a verified code. A map of another code is left out. */
function sourcesOf(answer: Shape, hash: string): Artifact[] {
  if (answer.member("verified").value !== true || answer.member("code_hash").value !== hash) return [];
  return answer
    .member("bundles")
    .list(limits.bundles)
    .map((bundle, i) => {
      const members = bundle.value as Readonly<Record<string, unknown>>;
      const compiler = bundle.member("compiler");
      const map = bundle.member("source_map");
      const isOfCode =
        !map.isAbsent && bytesToHex(cellIn(map.member("code_boc64").value, "the code").hash()) === hash;
      return artifactOf(`${hash}/${i}`, "verifier", {
        contract: stemOf(compiler.member("entrypoint").name("optional")),
        compiler: `${compiler.member("language").name("optional")} ${compiler.member("version").name("optional")}`,
        sources: sourcesIn({ files: members["files"] }),
        map: isOfCode ? mapIn({ source_map: map.value }) : undefined,
      });
    });
}
