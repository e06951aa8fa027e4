import { checkPassword, proofByCode, raisedBy, requireRecent, type AuthMethod } from '#credentials';
import type { Database } from '../../../platform/database/database.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { problems } from '../../../platform/problems.ts';
import { enterTeam, type Principal, type Scope, type RunUnauthenticated } from '../../../platform/scope.ts';
import { reauthenticated } from '../events.ts';
import type { Accounts } from '../context.ts';
import { parseEmail } from '../emails.ts';
import { notifyGuessing } from '../notices.ts';
import { checkAssertion } from '../passkeys/assertions.ts';
import type { AssertionResponse } from '../passkeys/schemas.ts';
import { accountProblems } from '../problems.ts';
import * as queries from '../queries.ts';
import { refused } from '../registration/register.ts';
import { checkPersonsCode } from '../two-factor/sign-in.ts';
import { ownProofRequired } from './open-session.ts';
import * as factors from '../two-factor/queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

export type Assured = NonNullable<Awaited<ReturnType<typeof assuranceOf>>>;

function assuranceOf(scope: Scope, session: string) {
  return scope.db.first(factors.assuranceOf, { team: scope.team, session });
}

/**
 * Rejects a sensitive operation without a recent sign-in, with the second factor if the user has one (RFC 9470). `proof` is a credential in the
 * request itself, which counts as a sign-in at this moment.
 */
export async function requireRecentSignIn(scope: Scope, session: string, proof?: Proof): Promise<Assured> {
  const { person } = await pipelined({
    person: () => assuranceOf(scope, session),
    take: () => proof?.take(scope),
  });
  if (!person) throw problems.invalid_token('The session has ended. Sign in again.');
  requireRecent(scope.now, person, person.two_factor_enabled, proof?.amr, (twoFactor) => {
    const how = twoFactor ? '`code` or `passkey`: your password alone does not prove the second factor' : '`password`, `code` or `passkey`';
    return `POST /api/v1/security/auth/reauthenticate with ${how}, or sign in again`;
  });
  return person;
}

/**
 * Like `requireRecentSignIn`, for changes of the person: password, factors, passkeys, address, deletion, teams. A sign-in through a provider does not
 * count, because a provider confirms identity only for its own team.
 */
export async function requireOwnProof(scope: Scope, session: string, proof?: Proof): Promise<Assured> {
  const person = await requireRecentSignIn(scope, session, proof);
  // The second factor of a provider does not count either: only the person's own proofs set this time.
  const own = { auth_time: person.own_proof_at ?? longAgo, second_factor_at: null };
  const needsFactor = person.own_proof_at === null && person.two_factor_enabled;
  requireRecent(scope.now, own, needsFactor, proof?.amr, () =>
    needsFactor
      ? 'POST /api/v1/security/auth/reauthenticate with `code` or `passkey`'
      : `POST /api/v1/security/auth/reauthenticate with \`password\`, \`code\` or \`passkey\`. ${notThroughProvider}`,
  );
  return person;
}

/** Rejects a sign-in through a provider if the person has not also used a password, code or passkey. Errors: 401 `reauthentication_required`. */
export async function requireOwnSignIn(scope: Scope, session: string): Promise<void> {
  const person = await assuranceOf(scope, session);
  if (!person) throw problems.invalid_token('The session has ended. Sign in again.');
  if (person.own_proof_at === null) throw ownProofRequired();
}

const notThroughProvider =
  'A sign-in through a provider does not count: set a password first, with POST /api/v1/security/auth/request-password-reset';

const longAgo = new Date(0).toISOString();

/** A correct password, code or passkey. `take` marks it as used in the caller’s transaction. */
export type Proof = { amr: AuthMethod; take(scope: Scope): Promise<void> };

/** The credential of a reauthentication: exactly one of these members. */
export type ReauthenticationInput = { password?: string | undefined; code?: string | undefined; passkey?: AssertionResponse | undefined };

const wrongPasskey = () =>
  accountProblems.invalid_passkey(
    '`passkey` is not a passkey of yours, or does not match the newest options. Get new options and try again.',
    {
      status: 400,
    },
  );

/** Checks a password, code or passkey of the signed-in user, before the transaction. */
export async function prove(
  accounts: Accounts,
  database: Database,
  inPublic: RunUnauthenticated,
  { principal, ip, now }: { principal: Principal; ip: string | undefined; now: Date },
  input: ReauthenticationInput,
): Promise<Proof> {
  const { actor, team = '' } = principal;
  if (input.code !== undefined) {
    return proofByCode(await checkPersonsCode(accounts, database, inPublic, { team, account: actor.id }, input.code, now));
  }
  if (input.passkey !== undefined) {
    const who = { team, account: actor.id };
    const assertion = { purpose: 'reauthenticate', subject: principal.sessionId, who } as const;
    const checked = await checkAssertion(accounts, database, inPublic, assertion, input.passkey, now);
    if (!checked) throw wrongPasskey();
    return {
      amr: checked.amr,
      async take(scope) {
        if (!(await checked.take(scope))) throw wrongPasskey();
      },
    };
  }
  if (input.password === undefined) throw refused('password', 'or `code` or `passkey` is required', 'required');
  await checkOwnPassword(accounts, database, inPublic, { team, id: actor.id, ip }, input.password, 'password');
  return { amr: 'pwd', take: () => Promise.resolve() };
}

/** Checks the password of a signed-in user. Throws 403 `invalid_current_password` or 429. */
export async function checkOwnPassword(
  accounts: Accounts,
  database: Database,
  inPublic: RunUnauthenticated,
  who: { team: string; id: string; ip: string | undefined },
  given: string,
  member: string,
): Promise<queries.AccountRow | undefined> {
  const person = await database.reader(who.team, who.id).first(queries.ownAccount, who);
  const buckets = accounts.throttle.reauthenticate(parseEmail(person?.email ?? '')?.key ?? who.id, who.ip, who.id);
  const refuseBlocked = () => database.withoutTeam((tx) => accounts.throttle.check(tx, buckets));
  const notify = () => inPublic((scope) => notifyGuessing(accounts, enterTeam(scope, who.team, { type: 'system' }), who.id, 'password'));
  await refuseBlocked();
  await checkPassword({ ...accounts, database }, { given, hash: person?.password_hash ?? undefined, buckets }, { member, notify });
  await refuseBlocked();
  return person;
}

/** Records a new authentication in the caller’s session and returns an access token with it. */
export async function reauthenticate(accounts: Accounts, scope: Scope, session: string, proof: Proof): Promise<{ accessToken: string }> {
  const { person } = await pipelined({
    person: () => assuranceOf(scope, session),
    take: () => proof.take(scope),
  });
  if (!person) throw problems.invalid_token('The session has ended. Sign in again.');
  const accessToken = await raiseSession(accounts, scope, session, person, proof.amr);
  await recordAudit(scope, reauthenticated, session, { amr: [proof.amr] });
  return { accessToken };
}

/** Writes the verified method into the session. Later tokens contain it. */
export async function raiseSession(
  accounts: Accounts,
  scope: Scope,
  session: string,
  person: Assured,
  factor: Proof['amr'],
): Promise<string> {
  const { amr, acr } = raisedBy(person, factor);
  await scope.db.all(factors.raiseSession, { session, amr, acr, secondFactor: factor !== 'pwd', at: scope.now });
  scope.db.afterCommit(() => accounts.tokens.forget(session));
  return accounts.tokens.issue({
    accountId: person.account_id,
    team: scope.team,
    role: person.role,
    sessionId: session,
    authTime: scope.now,
    amr,
    acr,
  });
}
