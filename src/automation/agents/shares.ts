import { principalOf, putShare, revokeShare, sharesOf } from '#access';
import { recordAudit } from '../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { lockedAgent, usableAgent } from './access.ts';
import { agentShared, agentUnshared } from './events.ts';
import { presentShare } from './present.ts';
import { lockAgent } from './queries.ts';
import type { Share, ShareBody } from './schemas.ts';

const kind = { type: 'assistant', noun: 'agent' } as const;

/** Lists the shares of an agent. Throws 404. */
export async function listShares(scope: ReadScope, id: string): Promise<Share[]> {
  const { id: agent } = await usableAgent(scope, id);
  return (await sharesOf(scope, kind.type, agent)).map((row) => presentShare(agent, row));
}

/** Shares an agent with a member, a group or the whole team. Throws 400 and 404. */
export async function shareAgent(scope: Scope, id: string, input: ShareBody): Promise<Share> {
  const { id: agent } = await usableAgent(scope, id);
  const row = await putShare(scope, { ...kind, id: agent, owner: null, hold: lockAgent }, input, ['user']);
  await recordAudit(scope, agentShared, agent, principalOf(row));
  return presentShare(agent, row);
}

/** A callback for the end of a share of an agent. */
export type ShareEnds = (scope: Scope, agent: string) => Promise<void>;

/** Revokes a share, and ends the runs in progress of people who lose access to the agent. Throws 404. */
export async function unshareAgent(scope: Scope, ends: readonly ShareEnds[], id: string, shareId: string): Promise<void> {
  const { id: agent } = await lockedAgent(scope, id);
  const row = await revokeShare(scope, { ...kind, id: agent }, shareId);
  await recordAudit(scope, agentUnshared, agent, principalOf(row));
  for (const end of ends) await end(scope, agent);
}
