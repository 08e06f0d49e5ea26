/** The parts of a message, or of one in transit, that name its operation. */
type Operation = {
  readonly opcode?: unknown;
  readonly decoded_opcode?: unknown;
  readonly init_state?: unknown;
  readonly message_content?: unknown;
};

/** Smaller opcodes are chosen by hand and shared by many contracts; others are hashes. */
const leastDistinct = 0x10000;

/** The operations that have the message's opcode. */
export function operationNames({ decoded_opcode: names }: Operation): readonly string[] {
  return typeof names === "string" && names !== "" ? names.split(",") : [];
}

/**
 * The name of a message's operation; `undefined` where it would be a guess: several protocols share the opcode, or the
 * body fits no scheme and the opcode is small or begins the data of a deployment.
 */
export function operationName(message: Operation): string | undefined {
  const [name, ...others] = operationNames(message);
  if (others.length > 0) return undefined;
  if (bodyType(message) !== undefined) return name;
  const isDistinct = Number(message.opcode ?? leastDistinct) >= leastDistinct && !hasState(message);
  return isDistinct ? name : undefined;
}

/** Whether the body of a message that deploys a contract is its data, without a known operation. */
export function isDeployment(message: Operation): boolean {
  return hasState(message) && operationName(message) === undefined;
}

const hasState = ({ init_state: state }: Operation) => state !== null && state !== undefined;

function bodyType({ message_content: content }: Operation): unknown {
  const decoded = (content as { decoded?: Readonly<Record<string, unknown>> | null } | null | undefined)
    ?.decoded;
  return decoded?.["@type"];
}
