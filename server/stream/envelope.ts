/** Fields that accompany an event. */
export type Envelope = {
  readonly cursor: string | undefined;
  readonly finality?: string | undefined;
  readonly id?: string | undefined;
  readonly replaces?: string | undefined;
};

/** All fields except the cursor, as JSON that continues an object. */
export function envelopeMembers({ finality, id, replaces }: Envelope): string {
  let text = "";
  if (finality !== undefined) text += `,"finality":"${finality}"`;
  if (id !== undefined) text += `,"id":${JSON.stringify(id)}`;
  if (replaces !== undefined) text += `,"replaces":${JSON.stringify(replaces)}`;
  return text;
}

/** An event with its envelope, as JSON that continues an object. */
export function eventMembers(json: string, envelope: Envelope): string {
  const cursor = envelope.cursor === undefined ? "" : `,"cursor":"${envelope.cursor}"`;
  return `${cursor}${envelopeMembers(envelope)},"event":${json}`;
}
