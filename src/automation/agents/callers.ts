import { consentsOf, consentTo, endConsent, putConsent } from '#access';
import { recordAudit } from '../../platform/journal/record.ts';
import { isTeamManager, type ReadScope, type Scope } from '../../platform/scope.ts';
import { lockedAgent, usableAgent } from './access.ts';
import { callerAllowed, callerEnded } from './events.ts';
import type { AgentCaller } from './schemas.ts';

const agentConsents = (id: string) => ({ type: 'assistant', id }) as const;
type Consent = Awaited<ReturnType<typeof consentsOf>>[number];
const present = ({ id: clientId, user_id: onBehalfOf, created_at: since }: Consent): AgentCaller => ({ clientId, onBehalfOf, since });

/** Lists the API clients that may start an agent: those of the caller, or all for managers of the team. Throws 404. */
export async function listCallers(scope: ReadScope, id: string): Promise<AgentCaller[]> {
  const { id: agent } = await usableAgent(scope, id);
  const { actor } = scope;
  const all = await consentsOf(scope, agentConsents(agent));
  return all.filter((one) => isTeamManager(actor) || ('id' in actor && one.user_id === actor.id)).map(present);
}

/** Lets an API client start an agent on behalf of the caller. Throws 404, 409 `consent_of_another`, `consent_limit`. */
export async function allowCaller(scope: Scope, id: string, clientId: string): Promise<AgentCaller> {
  const { id: agent } = await lockedAgent(scope, id);
  const { added, ...made } = await putConsent(scope, agentConsents(agent), clientId);
  if (added) await recordAudit(scope, callerAllowed, agent, { clientId: made.id });
  return present(made);
}

/** Ends the consent to an API client. Throws 404. */
export async function endCaller(scope: Scope, id: string, clientId: string): Promise<void> {
  const { id: agent } = await lockedAgent(scope, id);
  const ended = await endConsent(scope, agentConsents(agent), clientId);
  await recordAudit(scope, callerEnded, agent, { clientId: ended.id, onBehalfOf: ended.user_id });
}

/** Returns the member on whose behalf an API client starts an agent; undefined without their consent. */
export const callerOfAgent = (scope: Scope, agent: string, client: string): Promise<string | undefined> =>
  consentTo(scope, agentConsents(agent), client);
