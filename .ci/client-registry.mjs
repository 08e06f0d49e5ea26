// The parts of each method that the generated files of the client contain. Used by client-types.mjs and
// client-methods.mjs.
import { z } from "zod";
import { compiled } from "./compiled.mjs";

const { registry } = await compiled("shared/methods/registry.js");
const { flatten, restPaths } = await compiled("shared/methods/define.js");

/** Methods by name: their schemas, documentation, and whether they can be called without parameters. */
export const methods = flatten(registry).map(([name, definition]) => {
  const { params, result } = definition;
  const { required = [], properties } = z.toJSONSchema(params, { io: "input", unrepresentable: "any" });
  const takesNone = Object.keys(properties).length === 0;
  return { name, params, result, takesNone, optional: required.length === 0, about: about(name, definition) };
});

function about(name, definition) {
  const { summary, description, result, network } = definition;
  const [path] = restPaths(name, definition);
  const rest = path ? `By REST: ${definition.verbs.join(" or ")} \`${path}\`.` : undefined;
  const only = network && "Exists on a devnet only.";
  const { description: returned } = z.globalRegistry.get(result) ?? {};
  const paragraphs = [summary, description, only, rest].filter(Boolean).join("\n\n");
  return returned ? `${paragraphs}\n\n@returns ${returned}` : paragraphs;
}
