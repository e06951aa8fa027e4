import { conflictOf, type Device, type Federated, linkFederated, recordConflict, type SignedIn, signInFederated } from '#accounts';
import type { Database } from '../../platform/database/database.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { enterTeam, type RunUnauthenticated } from '../../platform/scope.ts';
import type { Begun } from './browser-state.ts';
import { believed, type Vouched } from './claims.ts';
import type { Sso } from './context.ts';
import { answerRefused } from './events.ts';
import { ssoProblems } from './problems.ts';
import * as queries from './queries.ts';

/** The result of a sign-in or of linking an account. */
export type SsoOutcome = Awaited<ReturnType<typeof signInFederated>> | 'linked';
export type SsoDevice = Device & { language: string };

export const notConfigured = () =>
  ssoProblems.sso_not_configured('No connection matches. Send the `email` of a user whose team has a provider, or a valid `connectionId`.');

/** The error for a response without a pending sign-in of this browser, or with a used state. */
export const invalidState = () =>
  ssoProblems.sso_state_invalid('The response belongs to no pending sign-in of this browser, or is too old. Start the sign-in again.');

/** An active connection, with the team that it belongs to. */
export type LivingConnection<Row extends queries.ConnectionRow = queries.ConnectionRow> = { team: string; row: Row };

/** Returns a connection that may sign users in. One that was deactivated or deleted during a sign-in signs no user in. Throws 404. */
export async function livingConnection<Row extends queries.ConnectionRow>(
  database: Database,
  id: string,
  isKind: (row: queries.ConnectionRow) => row is Row,
): Promise<LivingConnection<Row>> {
  const living = await database.withoutTeam((tx) => tx.first(queries.connectionById, { id }));
  const row = living && (await database.reader(living.team_id).first(queries.findConnection, { team: living.team_id, id: living.id }));
  if (!living || !row || !isKind(row)) throw notConfigured();
  return { team: living.team_id, row };
}

/** Throws 429 after many rejected messages of a connection from a network. */
export async function checkRefusals(sso: Sso, database: Database, connection: string, ip: string | undefined): Promise<void> {
  const { throttle } = sso.accounts;
  await throttle.check(database.publicReader, throttle.refusedAnswer(connection, ip));
}

/**
 * Counts and records a rejected message of a provider, and returns its error. Attackers can start sign-ins and invent
 * responses. Each adds a permanent journal entry and work, so they are counted.
 */
export async function refused(
  sso: Sso,
  database: Database,
  inPublic: RunUnauthenticated,
  { team, connection, ip, reason }: { team: string; connection: string; ip: string | undefined; reason: string },
): Promise<Error> {
  const { throttle } = sso.accounts;
  await throttle.count(database, throttle.refusedAnswer(connection, ip));
  await inPublic((scope) => recordAudit(enterTeam(scope, team, { type: 'system' }), answerRefused, connection, { reason }));
  return ssoProblems.sso_response_invalid(
    'The response of the provider was rejected. Start again. An administrator finds the reason in the audit journal.',
  );
}

/**
 * Signs a user in, or links their account, with the verified claims of a provider.
 * Throws 404 `sso_not_configured` and the errors of {@link signInFederated}.
 */
export async function settle(
  sso: Sso,
  database: Database,
  inPublic: RunUnauthenticated,
  { begun, vouched, device }: { begun: Begun; vouched: Vouched; device: SsoDevice },
): Promise<SsoOutcome> {
  let who: Federated | undefined;
  const settled = inPublic(async (outer) => {
    const one = { team: begun.team, id: begun.connection };
    const { db } = enterTeam(outer, begun.team, { type: 'system' });
    // The provider may have taken long, so the current settings of the connection apply, and stay locked until the end.
    db.send(queries.lockConnectionShared, one);
    const now = await db.first(queries.findConnection, one);
    if (!now?.is_active || !hasVerified(now)) throw notConfigured();
    who = { ...believed(vouched, now), team: begun.team, language: device.language };
    if (!begun.link) return signInFederated(sso.accounts, outer, who, device);
    const { account, session } = begun.link;
    await linkFederated(enterTeam(outer, begun.team, { type: 'user', id: account }), session, who);
    return 'linked' as const;
  });
  return settled.catch(async (error: unknown) => {
    const person = who;
    const conflict = person && (await conflictOf(database.reader(person.team), person, error));
    if (conflict) {
      const { throttle } = sso.accounts;
      // Counted like rejected responses, because journal entries are permanent.
      await throttle.count(database, throttle.refusedAnswer(begun.connection, device.ip));
      await inPublic((outer) => recordConflict(sso.accounts, outer, person, conflict));
    }
    throw error;
  });
}

/** Whether the team has verified a domain. Without one, a connection signs no user in. */
const hasVerified = ({ domains }: queries.ConnectionRow) => domains.some(({ verifiedAt }) => verifiedAt !== undefined);

/** Returns the address that gives a page the result of a sign-in, in the fragment, which browsers do not send to servers. */
export function landing(
  begun: Begun,
  outcome: SignedIn | { challengeId: string; expiresIn: number; methods: string[] } | 'linked' | Problematic,
): string {
  const page = new URL(begun.returnTo);
  const fragment = new URLSearchParams();
  if (outcome === 'linked') fragment.set('linked', 'true');
  else if ('code' in outcome) {
    fragment.set('error', outcome.code);
    fragment.set('error_description', outcome.detail);
  } else if ('challengeId' in outcome) {
    fragment.set('challengeId', outcome.challengeId);
    fragment.set('expiresIn', String(outcome.expiresIn));
    fragment.set('methods', outcome.methods.join(','));
  }
  page.hash = fragment.toString();
  return page.href;
}

type Problematic = { code: string; detail: string };
