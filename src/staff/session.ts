import { accountProblems, askAgain, isRecent, refused } from '#accounts';
import { judgeOldToken, readRefreshToken, type RefreshClaim, writeRefreshToken } from '../platform/crypto/refresh-tokens.ts';
import { recordAct } from '../platform/journal/record.ts';
import { problems } from '../platform/problems.ts';
import type { Principal, Scope } from '../platform/scope.ts';
import * as acts from './acts.ts';
import { endStaffSessions } from './credentials.ts';
import { across, asStaff, type Origin, type Staff } from './deps.ts';
import { tellOfGuessing } from './notices.ts';
import { staffProblems } from './problems.ts';
import * as queries from './queries.ts';
import { checkStaffCode } from './sign-in.ts';

const keptRotations = 64;

type Tokens = { accessToken: string; refreshToken: string };

/** Renews the tokens of staff, by the same rules as those of people: races get one successor, a replay ends the session. */
export async function staffRefresh(staff: Staff, token: string | undefined, origin: Origin): Promise<Tokens> {
  const claim = token === undefined ? undefined : readRefreshToken(staff.refreshKeys, token);
  const outcome = claim
    ? await asStaff(staff, 'staff refresh', origin, { type: 'staff', id: claim.holder }, (scope) => rotate(staff, scope, claim))
    : 'invalid';
  if (outcome === 'invalid')
    throw accountProblems.invalid_refresh_token('The refresh token is unknown, expired or revoked. Sign in again.');
  if (outcome === 'superseded')
    throw accountProblems.refresh_token_superseded('Another request of this session has refreshed meanwhile. Use the newest token.');
  if (outcome === 'reused')
    throw accountProblems.refresh_token_reused('The token was replaced some time ago and came back: the session was ended. Sign in again.');
  return outcome;
}

async function rotate(staff: Staff, scope: Scope, claim: RefreshClaim): Promise<Tokens | 'invalid' | 'superseded' | 'reused'> {
  const { holder, session, counter } = claim;
  const rotated = await scope.db.first(queries.rotateRefresh, { staff: holder, session, counter, keep: keptRotations });
  if (rotated) return tokensOf(staff, claim, rotated);
  const state = await scope.db.first(queries.sessionState, { staff: holder, session });
  if (!state) return 'invalid';
  const verdict = judgeOldToken(counter, state.counter, state.ages, staff.settings.refreshGraceSeconds);
  if (verdict === 'successor') return tokensOf(staff, claim, state);
  if (verdict === 'reused') {
    // Of replays that race, one ends the session and stands in the journal.
    const ended = await endStaffSessions(scope, holder, { session });
    if (ended.length > 0) await recordAct(scope, acts.staffTokenReused, session);
  }
  return verdict;
}

type Facts = { auth_time: string; amr: string[]; acr: string; counter: number };

async function tokensOf(staff: Staff, { holder, session }: RefreshClaim, facts: Facts): Promise<Tokens> {
  const { amr, acr, counter } = facts;
  return {
    accessToken: await staff.tokens.issue({ staffId: holder, sessionId: session, authTime: new Date(facts.auth_time), amr, acr }),
    refreshToken: writeRefreshToken(staff.refreshKeys, { holder, session, counter }),
  };
}

/** Ends the session of the caller. */
export async function staffLogout(scope: Scope, principal: Principal): Promise<void> {
  await Promise.all([
    endStaffSessions(scope, principal.actor.id, { session: principal.sessionId }),
    recordAct(scope, acts.staffLoggedOut, principal.sessionId),
  ]);
}

export type StaffProof = { amr: 'pwd' | 'otp' | 'rc'; take(scope: Scope): Promise<void> };

/** Checks a password or code of a member of staff who is signed in. */
export async function proveStaff(
  staff: Staff,
  id: string,
  input: { password?: string; code?: string },
  origin: Origin,
): Promise<StaffProof> {
  if (input.code !== undefined) {
    const checked = await checkStaffCode(staff, id, input.code, origin);
    const wrong = () => accountProblems.invalid_code('`code` is wrong or was used. Enter the newest code of the app, or a backup code.');
    if (!checked) throw wrong();
    return {
      amr: checked.amr,
      async take(scope) {
        if (!(await checked.take(scope))) throw wrong();
      },
    };
  }
  const given = input.password;
  if (given === undefined) throw refused('password', 'or `code` is required', 'required');
  const buckets = staff.throttle.reauthenticate(id, origin.ip, id);
  const person = await across(staff, 'staff password', async (tx) => {
    await staff.throttle.check(tx, buckets);
    return tx.first(queries.staffById, { id });
  });
  const matches = await staff.throttle.guess(
    staff.database,
    buckets,
    () => staff.hasher.verify(given, person?.password_hash ?? undefined),
    async (count) => {
      if ((await count()) && person)
        await asStaff(staff, 'staff password is guessed', origin, { type: 'system' }, (scope) =>
          tellOfGuessing(staff, scope, person, 'password'),
        );
    },
  );
  if (!matches) throw accountProblems.invalid_current_password('`password` is not the password you sign in with. Check it.');
  // The check of the budget comes once more: of many guesses at once the right one is no exception.
  return { amr: 'pwd', take: ({ db }) => staff.throttle.check(db, buckets) };
}

export type StaffAssured = NonNullable<Awaited<ReturnType<typeof assured>>>;
const assured = (scope: Scope, session: string) => scope.db.first(queries.liveSession, { session });

/** Lets a sensitive operation go on only after a recent sign-in, with the second factor where it is set up (RFC 9470). */
export async function requireRecentStaff(scope: Scope, session: string, proof?: StaffProof): Promise<StaffAssured> {
  const [person] = await Promise.all([assured(scope, session), proof?.take(scope)]);
  if (!person) throw problems.invalid_token('The session has ended. Sign in again.');
  const twoFactor = person.totp_enabled;
  if (isRecent(scope.now, person, twoFactor, proof?.amr)) return person;
  const how = twoFactor ? '`code`: your password alone does not show the second factor' : '`password`';
  throw askAgain(`POST /api/v1/security/auth/staff/reauthenticate with ${how}`, twoFactor);
}

/** Until the second factor is set up, where it must be, hardly anything works. */
export function requireSetUp(staff: Staff, person: { totp_enabled: boolean }): void {
  if (staff.settings.requireTotp && !person.totp_enabled)
    throw staffProblems.totp_setup_required('Set up the second factor first: POST /api/v1/security/auth/staff/totp/setup-init.');
}

/** Makes the session of the caller a recent one. */
export async function staffReauthenticate(
  staff: Staff,
  scope: Scope,
  session: string,
  proof: StaffProof,
): Promise<{ accessToken: string }> {
  const [person] = await Promise.all([assured(scope, session), proof.take(scope)]);
  if (!person) throw problems.invalid_token('The session has ended. Sign in again.');
  const raised = await raise(scope, session, person, proof.amr);
  await recordAct(scope, acts.staffReauthenticated, session, { amr: [proof.amr] });
  return { accessToken: await staff.tokens.issue({ staffId: person.staff_id, sessionId: session, authTime: scope.now, ...raised }) };
}

/** Writes what was just proven into the session. */
export async function raise(
  scope: Scope,
  session: string,
  person: StaffAssured,
  factor: StaffProof['amr'],
): Promise<{ amr: string[]; acr: string }> {
  const amr = [...new Set([...person.amr, factor])];
  const acr = factor === 'pwd' ? person.acr : 'aal2';
  await scope.db.all(queries.raiseSession, { session, amr, acr, secondFactor: factor !== 'pwd', at: scope.now });
  return { amr, acr };
}
