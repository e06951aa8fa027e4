import { refused } from '#accounts';
import { checkPassword, proofByCode, raisedBy, renewTokens, requireRecent, type Tokens } from '#credentials';
import { recordAudit } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { Principal, Scope } from '../../platform/scope.ts';
import * as acts from './events.ts';
import { endStaffSessions } from './credentials.ts';
import { across, asStaff, type Origin, type Staff } from './context.ts';
import { notifyGuessing } from './notices.ts';
import { staffProblems } from './problems.ts';
import * as queries from './queries.ts';
import { checkStaffCode } from './sign-in.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

const idleSeconds = 8 * 3_600;

/** Renews the tokens of staff by the same rules as those of users. */
export function staffRefresh(staff: Staff, token: string | undefined, origin: Origin): Promise<Tokens> {
  return renewTokens(
    {
      keys: staff.refreshKeys,
      graceSeconds: staff.settings.refreshGraceSeconds,
      idleSeconds,
      rotate: (claim) => across(staff, 'staff refresh', (tx) => tx.first(queries.sessions.rotate, claim)),
      look: ({ owner, session }, work) =>
        asStaff(staff, 'staff refresh', origin, { type: 'staff', id: owner }, async (scope) =>
          work(scope, await scope.db.first(queries.sessions.state, { owner, session, idle: idleSeconds })),
        ),
      async endReused(scope, { owner, session }) {
        const ended = await endStaffSessions(scope, owner, { session });
        if (ended.length > 0) await recordAudit(scope, acts.staffTokenReused, session);
      },
      accessToken: ({ owner: staffId, session: sessionId }, { auth_time: at, amr, acr }) =>
        staff.tokens.issue({ staffId, sessionId, authTime: new Date(at), amr, acr }),
    },
    token,
  );
}

export async function staffLogout(scope: Scope, principal: Principal): Promise<void> {
  await pipelined([
    () => endStaffSessions(scope, principal.actor.id, { session: principal.sessionId }),
    () => recordAudit(scope, acts.staffLoggedOut, principal.sessionId),
  ]);
}

export type StaffProof = { amr: 'pwd' | 'otp' | 'rc'; take(scope: Scope): Promise<void> };

/** Checks a password or code of a signed-in member of staff. */
export async function proveStaff(
  staff: Staff,
  id: string,
  input: { password?: string; code?: string },
  origin: Origin,
): Promise<StaffProof> {
  if (input.code !== undefined) return proofByCode(await checkStaffCode(staff, id, input.code, origin));
  const given = input.password;
  if (given === undefined) throw refused('password', 'or `code` is required', 'required');
  const buckets = staff.throttle.reauthenticate(id, origin.ip, id);
  const person = await across(staff, 'staff password', async (tx) => {
    await staff.throttle.check(tx, buckets);
    return tx.first(queries.staffById, { id });
  });
  const notify = () =>
    person &&
    asStaff(staff, 'staff password is guessed', origin, { type: 'system' }, (scope) => notifyGuessing(staff, scope, person, 'password'));
  await checkPassword(staff, { given, hash: person?.password_hash ?? undefined, buckets }, { member: 'password', notify });
  // Checks the budget again: concurrent wrong guesses may have used it up.
  return { amr: 'pwd', take: ({ db }) => staff.throttle.check(db, buckets) };
}

export type StaffAssured = NonNullable<Awaited<ReturnType<typeof assured>>>;
const assured = (scope: Scope, session: string) => scope.db.first(queries.liveSession, { session });

/** Rejects a sensitive operation without a recent sign-in, with the second factor if it is set up (RFC 9470). */
export async function requireRecentStaff(scope: Scope, session: string, proof?: StaffProof): Promise<StaffAssured> {
  const { person } = await pipelined({
    person: () => assured(scope, session),
    take: () => proof?.take(scope),
  });
  if (!person) throw problems.invalid_token('The session has ended. Sign in again.');
  requireRecent(scope.now, person, person.totp_enabled, proof?.amr, (twoFactor) => {
    const how = twoFactor ? '`code`: your password alone does not prove the second factor' : '`password`';
    return `POST /api/v1/security/auth/staff/reauthenticate with ${how}`;
  });
  return person;
}

/** Throws 403 `totp_setup_required` if a second factor is mandatory and not set up. */
export function requireSetUp(staff: Staff, person: { totp_enabled: boolean }): void {
  if (staff.settings.requireTotp && !person.totp_enabled)
    throw staffProblems.totp_setup_required('Set up the second factor first: POST /api/v1/security/auth/staff/totp/setup-init.');
}

/** Records a new authentication in the caller’s session. */
export async function staffReauthenticate(
  staff: Staff,
  scope: Scope,
  session: string,
  proof: StaffProof,
): Promise<{ accessToken: string }> {
  const { person } = await pipelined({
    person: () => assured(scope, session),
    take: () => proof.take(scope),
  });
  if (!person) throw problems.invalid_token('The session has ended. Sign in again.');
  const raised = await raise(scope, session, person, proof.amr);
  await recordAudit(scope, acts.staffReauthenticated, session, { amr: [proof.amr] });
  return { accessToken: await staff.tokens.issue({ staffId: person.staff_id, sessionId: session, authTime: scope.now, ...raised }) };
}

/** Stores the verified methods and the time in the session. */
export async function raise(
  scope: Scope,
  session: string,
  person: StaffAssured,
  factor: StaffProof['amr'],
): Promise<{ amr: string[]; acr: string }> {
  const { amr, acr } = raisedBy(person, factor);
  await scope.db.all(queries.raiseSession, { session, amr, acr, secondFactor: factor !== 'pwd', at: scope.now });
  return { amr, acr };
}
