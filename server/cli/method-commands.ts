import { readFileSync, writeFileSync } from "node:fs";
import { type Argument, Command, createArgument, createOption, InvalidArgumentError } from "commander";
import { z } from "zod";
import type { AnyDefinition, CommandHints } from "../../shared/methods/define.js";
import { memberOf } from "../../shared/values/lookups.js";
import { flagName } from "../config/load.js";
import { SetupError } from "../errors.js";
import { addServiceOptions, callService, type ServiceFlags } from "./call-service.js";
import { resultLines } from "./result-lines.js";

export type MethodContext = { env: NodeJS.ProcessEnv; print: (line: string) => void };

/** Methods, and what their names begin with. */
export type MethodGroup = { prefix: string; methods: Readonly<Record<string, AnyDefinition>> };

type Flags = ServiceFlags & { json?: boolean };
type Params = Record<string, unknown>;

/** One parameter of a method, as the command line takes it. */
type Parameter = {
  name: string;
  /** The name of its option. */
  flag: string;
  about: string;
  required: boolean;
  isFlag: boolean;
  isBytes: boolean;
  isObject: boolean;
};

/** The method a command calls, and the member of the result that it prints. */
type Call = { method: string; definition: AnyDefinition; member?: string };

/** Adds a command for each method of a group, made from its definition. `prefix` begins the names of the methods. */
export function addMethodCommands(
  root: Command,
  { prefix, methods }: MethodGroup,
  context: MethodContext,
): void {
  for (const [name, definition] of Object.entries(methods)) {
    const { name: short, shows = [] } = definition.command ?? {};
    const call = { method: `${prefix}.${name}`, definition };
    const command = methodCommand(short ?? flagName(name), call, context);
    root.addCommand(short === undefined ? command : command.alias(flagName(name)));
    for (const member of shows) root.addCommand(methodCommand(member, { ...call, member }, context));
  }
}

function methodCommand(name: string, call: Call, context: MethodContext): Command {
  const { definition, member, method } = call;
  const about = member === undefined ? definition.summary : `Shows ${member}: ${definition.summary}`;
  const command = new Command(name).description(`${about} (${method})`);
  const { positional, options } = parametersOf(definition);
  for (const each of positional) command.addArgument(argumentOf(each));
  for (const each of options) command.addOption(optionOf(each));
  const { file } = definition.command ?? {};
  if (file !== undefined) command.addArgument(createArgument("<file>", `File of the ${file}.`));
  addServiceOptions(command)
    .option("--json", "print the result as JSON")
    .action(async () => {
      const flags = command.opts<Flags & Params>();
      const params = paramsOf(command, call, flags);
      const result = await callService(call.method, params, flags, context);
      show(command, call, result, flags, context);
    });
  return command;
}

/**
 * Required parameters stand by their place, and may be followed by the first optional one, which has a name like the others, unless a
 * file follows.
 */
function parametersOf({ params, command }: AnyDefinition) {
  const all = readParameters(params, command?.options).filter(({ name }) => name !== command?.file);
  const options = all.filter((each) => !each.required);
  const [first] = options;
  const mayFollow = first && !first.isFlag && command?.file === undefined ? [first] : [];
  return { positional: [...all.filter((each) => each.required), ...mayFollow], options };
}

function readParameters(schema: z.ZodObject, options: CommandHints["options"] = {}): Parameter[] {
  const {
    properties = {},
    required = [],
    $defs = {},
  } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).map(([name, property]) => {
    const { description = "", $ref, ...own } = property as z.core.JSONSchema.JSONSchema;
    // Schemas that have a name are references.
    const { type, contentEncoding } =
      $ref === undefined ? own : memberOf($defs, $ref.replace("#/$defs/", ""));
    const isBytes = contentEncoding === "base64";
    const isObject = type === "object";
    const about = isBytes
      ? `${description} @FILE reads the bytes of a file.`
      : `${description}${isObject ? " As JSON." : ""}`;
    const isFlag = type === "boolean";
    const flag = options[name] ?? name.replaceAll("_", "-");
    return { name, flag, about, required: required.includes(name), isFlag, isBytes, isObject };
  });
}

function argumentOf({ name, about, required }: Parameter): Argument {
  return createArgument(required ? `<${name}>` : `[${name}]`, about);
}

function optionOf({ flag, about, isFlag }: Parameter) {
  const option = createOption(`--${flag} <${isFlag ? "true|false" : "value"}>`, about);
  return isFlag ? option.argParser(readFlag) : option;
}

function readFlag(text: string): boolean {
  if (text !== "true" && text !== "false") throw new InvalidArgumentError("Allowed: true, false.");
  return text === "true";
}

/** The parameters as the service takes them: numbers may be text. */
function paramsOf(command: Command, { definition }: Call, flags: Params): Params {
  const { positional, options } = parametersOf(definition);
  const given = [
    ...positional.map((each, index) => [each, command.processedArgs[index]] as const),
    ...options.map((each) => [each, flags[optionOf(each).attributeName()]] as const),
  ].filter(([, value]) => value !== undefined);
  const params = Object.fromEntries(
    given.map(([{ name, isBytes, isObject }, value]) => {
      if (isBytes) return [name, bytesText(String(value))];
      return [name, isObject ? objectIn(name, String(value)) : value];
    }),
  );
  const { file } = definition.command ?? {};
  if (file === undefined || !Object.hasOwn(definition.params.shape, file)) return params;
  return { ...params, [file]: fileText(String(command.processedArgs[positional.length])) };
}

function objectIn(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SetupError(`--${name} is no JSON: ${(error as Error).message}`);
  }
}

function bytesText(value: string): string {
  return value.startsWith("@") ? fileText(value.slice(1)) : value;
}

function fileText(path: string): string {
  try {
    return readFileSync(path).toString("base64");
  } catch (error) {
    throw new SetupError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function show(
  command: Command,
  { definition, member }: Call,
  result: unknown,
  { json = false }: Flags,
  { print }: MethodContext,
): void {
  const shown = savedTo(command, definition, member === undefined ? result : (result as Params)[member]);
  if (json) print(JSON.stringify(shown, null, 2));
  else for (const line of resultLines(shown, amountsIn(definition.result))) print(line);
}

/** The names of a result's members that are amounts in nanotons. */
function amountsIn(schema: z.ZodType): Set<string> {
  const names = new Set<string>();
  const visit = (part: unknown) => {
    if (typeof part !== "object" || part === null) return;
    const { properties = {} } = part as { properties?: Record<string, { $ref?: string }> };
    for (const [name, { $ref }] of Object.entries(properties))
      if ($ref === "#/$defs/Nanotons") names.add(name);
    for (const each of Object.values(part)) visit(each);
  };
  visit(z.toJSONSchema(schema, { unrepresentable: "any" }));
  return names;
}

/** The result without what the command writes to a file. */
function savedTo(command: Command, { params, command: hints }: AnyDefinition, result: unknown): unknown {
  const file = hints?.file;
  if (file === undefined || Object.hasOwn(params.shape, file)) return result;
  const { [file]: content, ...rest } = result as Params;
  const path = String(command.processedArgs.at(-1));
  const bytes = Buffer.from(String(content), "base64");
  try {
    writeFileSync(path, bytes);
  } catch (error) {
    throw new SetupError(`${path} cannot be written: ${(error as Error).message}`);
  }
  return { ...rest, file: path, bytes: bytes.length };
}
