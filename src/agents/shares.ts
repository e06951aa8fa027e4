import { randomUUIDv7 } from 'node:crypto';
import { holdMember } from '#teams';
import { isUuid, notFound, pathId } from '../platform/identifiers.ts';
import { recordAct } from '../platform/journal/record.ts';
import { problems } from '../platform/problems.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import { lockedAgent, personOf, usableAgent } from './access.ts';
import { agentShared, agentUnshared } from './events.ts';
import { presentShare } from './present.ts';
import type { Share, ShareBody } from './schemas.ts';
import * as queries from './share-queries.ts';

/** Who an agent was given to. Errors: 404. */
export async function listShares(scope: ReadScope, id: string): Promise<Share[]> {
  const { id: agent } = await usableAgent(scope, id);
  return (await scope.db.all(queries.listShares, { team: scope.team, agent })).map(presentShare);
}

/** Gives an agent to a member or to all members, to be used. A second share with the same stays the first. Errors: 400, 404. */
export async function shareAgent(scope: Scope, id: string, { userId, team: all }: ShareBody): Promise<Share> {
  if ((userId === undefined) === (all === undefined))
    throw problems.validation_failed('Name one of `userId` and `team`: an agent is given to a person or to all members.', {
      errors: [{ name: 'userId', pointer: '/userId', reason: 'or `team` must be given, and not both', rule: 'required' }],
    });
  await usableAgent(scope, id);
  const user = userId === undefined ? null : await memberFor(scope, userId);
  const { id: agent } = await lockedAgent(scope, id);
  const { team, now: at } = scope;
  const [made] = await scope.db.all(queries.putShare, { team, agent, id: randomUUIDv7(), user, by: personOf(scope), at });
  if (!made) throw notFound('agent');
  await recordAct(scope, agentShared, agent, withWhom(made));
  return presentShare(made);
}

async function memberFor(scope: Scope, userId: string): Promise<string> {
  const member = isUuid(userId) && (await scope.db.first(holdMember, { team: scope.team, id: userId.toLowerCase() }));
  if (!member) throw problems.member_not_found('`userId` names no active member of your team. List the members and check it.');
  return member.id;
}

/** What ends with a share of an agent. */
export type ShareEnds = (scope: Scope, agent: string) => Promise<void>;

/** Ends a share, and what whoever cannot use the agent without it has under way. Errors: 404. */
export async function unshareAgent(scope: Scope, ends: readonly ShareEnds[], id: string, shareId: string): Promise<void> {
  const { id: agent } = await lockedAgent(scope, id);
  const [ended] = await scope.db.all(queries.deleteShare, { team: scope.team, agent, id: pathId(shareId, 'share') });
  if (!ended) throw notFound('share of this agent');
  await recordAct(scope, agentUnshared, agent, withWhom(ended));
  for (const end of ends) await end(scope, agent);
}

const withWhom = ({ user_id: userId }: queries.ShareRow) => (userId === null ? { team: true } : { userId });
