import { isRole, scopesOfRole } from '#accounts';
import { actorToday } from '#documents';
import { Problem } from '../../../platform/problems.ts';
import type { Actor, ReadScope } from '../../../platform/scope.ts';
import { scopesOf, type Tool } from '../../../platform/tools.ts';
import { readTarget, type Target } from './shown.ts';

type CalledTool = { tool: Tool; all: readonly Tool[] };
type CallOfTool = { input: Readonly<Record<string, unknown>>; target: Target | undefined };

/** Returns a member with the scopes of a tool as an actor, with the current role. Returns nothing for viewers and other persons. */
export async function memberWithScopes(
  { db, team }: Pick<ReadScope, 'db' | 'team'>,
  tool: Tool,
  person: string,
): Promise<Extract<Actor, { type: 'user' }> | undefined> {
  const actor = await actorToday({ db, team }, person);
  if (actor?.type !== 'user' || !isRole(actor.role) || actor.role === 'viewer') return undefined;
  const scopes = new Set<string>(scopesOfRole(actor.role));
  return scopesOf(tool).every((one) => scopes.has(one)) ? actor : undefined;
}

/** Whether a person may approve a call: a member with the scopes of the tool and access to its target. */
export async function mayApproveCall(scope: ReadScope, called: CalledTool, call: CallOfTool, person: string): Promise<boolean> {
  const actor = await memberWithScopes(scope, called.tool, person);
  return actor !== undefined && readsTarget({ ...scope, actor }, called, call);
}

/**
 * Whether the actor of `scope` can read the target of a call. The caller must also be able to read the target; otherwise the result would reveal
 * whether the target exists.
 */
export async function readsTarget(scope: ReadScope, { tool, all }: CalledTool, { input, target }: CallOfTool): Promise<boolean> {
  if (target === undefined) return true;
  try {
    await readTarget(scope, all, tool, input);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return false;
    throw error;
  }
}
