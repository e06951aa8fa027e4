import { canonicalJson, hashOfJson } from '../../../platform/canonical-json.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import type { ReadScope } from '../../../platform/scope.ts';
import { scopesOf, type Tool } from '../../../platform/tools.ts';

/** The resource that a call would change, as stored. */
export type Target = { kind: string; id: string; title: string; state: string };

const said = ['id', 'status', 'version', 'revision', 'updatedAt'];

/**
 * Reads the target of a call with the rights of `scope`, and passes it to `look` for further checks. Returns nothing if the call does not name a target.
 * Throws the errors of the read and of `look`.
 */
export async function readTarget(
  scope: ReadScope,
  all: readonly Tool[],
  { target }: Tool,
  input: Readonly<Record<string, unknown>>,
  look: (value: unknown) => Promise<unknown> = async () => undefined,
): Promise<Target | undefined> {
  const id = target && input[target.by];
  const reader = target && all.find(({ name }) => name === target.read);
  if (target === undefined || typeof id !== 'string' || !isUuid(id)) return undefined;
  if (!reader || reader.inTransaction) throw new Error(`${target.read} cannot read the target of a call`);
  const { actor } = scope;
  // A caller without the scope to read the target must not learn whether it exists, so it gets no target.
  if ('scopes' in actor && !scopesOf(reader).every((one) => actor.scopes.has(one))) return undefined;
  const value = (await reader.run(scope, { [target.as ?? target.by]: id })) as Record<string, unknown>;
  await look(value);
  const title = [value.title, value.name].find((one) => typeof one === 'string') ?? '';
  const state = canonicalJson(Object.fromEntries(said.map((name) => [name, value[name]])));
  return { kind: target.read.replace(/^get_/, ''), id, title, state };
}

/** Returns the hash of the exact request: the run, the call, its arguments, the definition of the tool, and the state of the target. */
export const requestHash = (
  run: string,
  call: { id: string; tool: string; arguments: unknown },
  tool: Pick<Tool, 'description' | 'input'>,
  target: Target | undefined,
): string =>
  hashOfJson({
    run,
    call: call.id,
    tool: call.tool,
    toolHash: hashOfJson({ description: tool.description, input: tool.input }),
    arguments: call.arguments,
    target: target ?? null,
  });

const escaped = (character: string) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
/** Characters that are invisible or change the display of others. Texts show their code point instead. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u115f\u1160\u3164\uffa0]/gu;
const plain = (text: string) => text.replaceAll(unseen, escaped);
/** Like `unseen`, but keeps line breaks. */
const plainLines = (text: string) => text.split('\n').map(plain).join('\n');

/** Writes the task text about a sent call, for the person who checks its outcome. */
export function shownOutcome(
  asker: string,
  { tool, arguments: given }: { tool: string; arguments: unknown },
): { title: string; text: string } {
  const name = plain(asker).slice(0, 200);
  const parts = [
    `The agent “${name}” called the tool ${tool} of an external server. The connection or this service failed before the response. The outcome is unknown, and the call is not sent again.`,
    'Check there whether it happened, and complete this task. Without an answer within a week the run continues with an unknown outcome.',
    `The arguments, as the model wrote them:\n${plainLines(JSON.stringify(given, null, 2))}`,
  ];
  return { title: `Did ${tool} of the agent ${name} happen?`, text: parts.join('\n\n') };
}

/** Writes the task text about a call, for its approver: the stored target, and every argument as the model wrote it. */
export function shownCall(
  asker: string,
  { tool, arguments: given }: { tool: string; arguments: unknown },
  target: Target | undefined,
  kind: 'agent' | 'API client' | 'connected app' = 'agent',
): { title: string; text: string } {
  const name = plain(asker).slice(0, 200);
  const written = kind === 'agent' ? 'as the model wrote them' : 'as it sent them';
  const parts = [
    `The ${kind} “${name}” requests approval to call the tool ${tool}. The call is not executed before the approval. Without an approval before the due date of this task it is denied.`,
    ...(target === undefined ? [] : [`Target: ${target.kind} “${plain(target.title)}” (${target.id})`]),
    `The arguments, ${written}:\n${plainLines(JSON.stringify(given, null, 2))}`,
  ];
  return { title: `Approve ${tool} for the ${kind} ${name}`, text: parts.join('\n\n') };
}
