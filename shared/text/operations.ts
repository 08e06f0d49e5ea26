/** The parts of a message, or of one in transit, that name its operation. */
type Operation = {
  readonly opcode?: unknown;
  readonly decoded_opcode?: unknown;
  readonly init_state?: unknown;
  readonly message_content?: unknown;
};

/** Smaller opcodes are chosen by hand and shared by many contracts; others are hashes. */
const leastDistinct = 0x10000;

/**
 * The operations that have the message's opcode. A request to Telegram's wallet has its opcode behind a signature, whose first
 * bits may be the opcode of another.
 */
export function operationNames(message: Operation): readonly string[] {
  const request = tgWalletRequest(message);
  if (request !== undefined) return [request];
  const { decoded_opcode: names } = message;
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

/** The name of a signed request to Telegram's wallet; `undefined` for other messages. */
export function tgWalletRequest(message: Operation): string | undefined {
  if (bodyType(message) !== "tg_wallet_signed") return undefined;
  const name = (decodedOf(message)?.["request"] as Body | undefined)?.["@type"];
  return typeof name === "string" ? name : undefined;
}

function bodyType(message: Operation): unknown {
  return decodedOf(message)?.["@type"];
}

type Body = Readonly<Record<string, unknown>>;

function decodedOf({ message_content: content }: Operation): Body | null | undefined {
  return (content as { decoded?: Body | null } | null | undefined)?.decoded;
}
