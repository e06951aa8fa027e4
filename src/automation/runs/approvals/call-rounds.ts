import { randomUUIDv7 } from 'node:crypto';
import { beginRound, type RoundFailure, type RoundRules } from '#approvals';
import { isUuid } from '../../../platform/identifiers.ts';
import type { Scope } from '../../../platform/scope.ts';

/** Hours until a round about a call expires, if its rules do not say. */
const usualHours = 24;

/** A tool call that a round is about, of an agent or over MCP. */
export type CallInRound = {
  /** Unique among all calls. A call has one open round. */
  id: string;
  tool: string;
  arguments: unknown;
  /** The hash of the exact request. */
  hash: string;
  shown: { title: string; text: string };
  /** The person of the agent or app, or the API client. */
  requester: string;
  /** The author of the votes. */
  by: { id: string; type: 'agent' | 'client' | 'user' };
  /** Whether a person may approve the call, in addition to the rules. */
  admits: (person: string) => Promise<boolean>;
};

type Arguments = Pick<CallInRound, 'tool' | 'arguments'>;
const prefix = 'arguments/';
const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;

/** Returns the answers of a call for conditions: `tool`, and `arguments/<name>` for an argument; `arguments/data/fee` for one of its members. */
function answersOf({ tool, arguments: given }: Arguments): (field: string) => unknown {
  return (field) => {
    if (field === 'tool') return tool;
    return field.startsWith(prefix) ? field.slice(prefix.length).split('/').reduce(memberOf, given) : undefined;
  };
}

/** Returns the persons that the arguments of a call name, for `parameter:<name>`. */
const peopleOf = ({ arguments: given }: Arguments): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typeof given === 'object' && given !== null ? given : {}).flatMap(([name, value]) =>
      typeof value === 'string' && isUuid(value) ? [[name, value.toLowerCase()]] : [],
    ),
  );

/** An open round about a call, with its votes. */
export type BegunRound = { round: string; tasks: readonly string[]; expires: Date };

/**
 * Begins an approval round about a call that has no open round. Returns the round, or the reason why there is none. In
 * that case nothing changes.
 */
export async function beginCallRound(scope: Scope, call: CallInRound, given: RoundRules): Promise<BegunRound | RoundFailure> {
  const rules = { ...given.rules, expiresInHours: given.rules.expiresInHours ?? usualHours };
  const expires = new Date(scope.now.getTime() + rules.expiresInHours * 3_600_000);
  const tasks: string[] = [];
  const begun = await beginRound(
    scope,
    {
      type: 'tool_call',
      id: call.id,
      requesterId: call.requester,
      argsSha256: call.hash,
      taskType: 'tool_approval',
      documents: [],
      about: null,
      barred: false,
      people: peopleOf(call),
      answerOf: answersOf(call),
      admits: call.admits,
      taskFor: (person) => {
        const id = randomUUIDv7();
        tasks.push(id);
        return {
          id,
          title: call.shown.title,
          description: call.shown.text,
          type: 'tool_approval',
          assigned_to: person,
          created_by: call.by.id,
          created_by_type: call.by.type,
          workflow_id: null,
          step_id: null,
          document_id: null,
          due_at: expires.toISOString(),
          config: {},
        };
      },
    },
    { ...given, rules },
  );
  return 'id' in begun ? { round: begun.id, tasks, expires } : begun;
}
