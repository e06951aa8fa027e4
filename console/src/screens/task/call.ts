/** A tool call that a task asks about, as its text says. The API has it only as this text, which is deleted with the decision. */
export type CallOfTask = {
  tool: string;
  caller: string;
  arguments: readonly (readonly [name: string, value: string])[];
  target: CallTarget | undefined;
};
export type CallTarget = { kind: string; title: string; id: string };

const approvalTitle = /^Approve (\S+) for the (?:agent|API client|connected app) (.+)$/s;
const outcomeTitle = /^Did (\S+) of the agent (.+) happen\?$/s;
const target = /^Target: (\S+) “(.*)” \(([0-9a-f-]{36})\)$/s;

/** Reads the call of a task. Returns undefined if the text has another form: it is then shown as it is. */
export function callOf({ type, title, description }: { type: string; title: string; description?: string }): CallOfTask | undefined {
  if (type !== 'tool_approval' && type !== 'tool_outcome') return undefined;
  const [, tool, caller] = approvalTitle.exec(title) ?? outcomeTitle.exec(title) ?? [];
  const parts = (description ?? '').split('\n\n');
  const from = parts.findIndex((part) => /^[^\n]*:\n\{/.test(part));
  if (tool === undefined || caller === undefined || from === -1) return undefined;
  const json = parts.slice(from).join('\n\n');
  const given = readJson(json.slice(json.indexOf('\n') + 1));
  if (given === undefined) return undefined;
  const about = parts.slice(0, from).flatMap((part) => target.exec(part) ?? []);
  const [, kind = '', name = '', id = ''] = about;
  return {
    tool,
    caller,
    arguments: Object.entries(given).map(([key, value]) => [key, textOf(value)] as const),
    target: id === '' ? undefined : { kind, title: name, id },
  };
}

/** Parses the arguments. The service writes invisible characters as `\u{…}`, which stay visible as these texts. */
function readJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replaceAll(/\\(u\{|.)/g, (escape, next: string) => (next === 'u{' ? String.raw`\\u{` : escape)));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ');
  return JSON.stringify(value, null, 2);
}

/** Returns a name of the API as words: `assignedTo` and `assigned_to` as “Assigned to”, and `documentId` as “Document”, because its value is a name. */
export function wordsOf(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/(?<=.) id(?=s?$)/, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
