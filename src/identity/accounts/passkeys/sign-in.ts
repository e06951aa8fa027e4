import type { Database, Reader } from '../../../platform/database/database.ts';
import { tokenHash } from '../../../platform/crypto/tokens.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { enterTeam, type Scope, type RunUnauthenticated } from '../../../platform/scope.ts';
import { loginFailed } from '../events.ts';
import type { Accounts } from '../context.ts';
import { assertionOptions, checkAssertion } from './assertions.ts';
import * as queries from './queries.ts';
import type { AssertionResponse } from './schemas.ts';
import { accountProblems } from '../problems.ts';
import { invalidChallenge, spendTry } from '#credentials';
import { completeSignIn, factorOwner } from '../two-factor/sign-in.ts';
import { type Device, deviceSeen, disabled, noticeNewDevice, openSession, refuseEarly, type SignedIn } from '../sign-in/open-session.ts';
import * as factors from '../two-factor/queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

const refused = () =>
  accountProblems.invalid_passkey(
    'The passkey is not known here, or its answer does not fit what it was asked. Get new options and try again.',
  );

/** Options to sign in by passkey alone: the same for whoever asks, so that they tell nothing of who has an account. */
export const loginOptions = (accounts: Accounts, now: Date) => assertionOptions(accounts, { purpose: 'login', subject: '' }, now);

/**
 * Signs in by passkey alone: the authenticator finds the person and has verified them, which makes two factors (NIST SP
 * 800-63B §3.1.7). Errors: 401 `invalid_passkey`, whatever was wrong; 403 `account_disabled`; 429.
 */
export async function loginWithPasskey(
  accounts: Accounts,
  database: Database,
  inPublic: RunUnauthenticated,
  response: AssertionResponse,
  device: Device,
  now: Date,
): Promise<SignedIn> {
  const buckets = accounts.throttle.signIn(`passkey ${response.id}`, device.ip, 'known device');
  await database.withoutTeam((tx) => accounts.throttle.check(tx, buckets));
  const checked = await checkAssertion(accounts, database, inPublic, { purpose: 'login', subject: '' }, response, now);
  if (!checked) {
    const owner = await database.withoutTeam((tx) =>
      tx.first(queries.passkeyByCredential, { credential: Buffer.from(response.id, 'base64url') }),
    );
    await accounts.throttle.count(database, buckets);
    if (owner) await inPublic((scope) => recordAudit(enterTeam(scope, owner.team_id, { type: 'system' }), loginFailed, owner.account_id));
    throw refused();
  }
  return inPublic(async (outer) => {
    const { team, account } = checked;
    const scope = enterTeam(outer, team, { type: 'user', id: account });
    if (!(await checked.take(scope))) throw refused();
    const { person } = await pipelined({
      person: () => scope.db.first(factors.activeMember, { team, id: account }),
      clear: () => accounts.throttle.clear(scope.db, buckets.slice(0, 1)),
    });
    if (!person) throw disabled();
    const sessionSubject = { id: account, epoch: checked.epoch, changed: refused };
    await refuseEarly(scope, sessionSubject);
    await noticeNewDevice(scope, person, device, await deviceSeen(scope, person.id, device));
    return openSession(accounts, scope, sessionSubject, device, { amr: [checked.amr, 'user'], acr: 'aal2' });
  });
}

/** Options to complete a sign-in with one of the person's passkeys. Errors: 401 `invalid_challenge`, 409 `no_passkeys`. */
export async function secondFactorOptions(accounts: Accounts, database: Database, challengeId: string, now: Date) {
  const found = await database.withoutTeam((tx) => tx.first(factors.challengeByToken, { hash: tokenHash(challengeId) }));
  if (!found) throw invalidChallenge();
  const who = { team: found.team_id, account: found.account_id };
  return optionsFor(accounts, database.reader(who.team), who, { purpose: 'second-factor', subject: challengeId }, now);
}

/** Options to prove again who one is, with one of one's passkeys. Errors: 409 `no_passkeys`. */
export function reauthenticationOptions(accounts: Accounts, { db, team, now }: Scope, account: string, session: string) {
  return optionsFor(accounts, db, { team, account }, { purpose: 'reauthenticate', subject: session }, now);
}

async function optionsFor(
  accounts: Accounts,
  reader: Reader,
  who: { team: string; account: string },
  assertion: { purpose: 'second-factor' | 'reauthenticate'; subject: string },
  now: Date,
) {
  const credentials = await reader.all(queries.credentialsOf, who);
  if (credentials.length === 0) throw accountProblems.no_passkeys('Use another of the `methods`, or register a passkey once signed in.');
  return assertionOptions(accounts, { ...assertion, who }, now, credentials);
}

/**
 * Completes a sign-in with a passkey as the second factor; a try is spent like one of a code. Errors: 401
 * `invalid_challenge`, `invalid_passkey`, 429.
 */
export async function verifyPasskey(
  accounts: Accounts,
  database: Database,
  inPublic: RunUnauthenticated,
  input: { challengeId: string; response: AssertionResponse },
  device: Device,
  now: Date,
): Promise<SignedIn> {
  const check = async (who: { team: string; account: string }) => {
    const { giveBack } = await spendTry(accounts.throttle, factorOwner(database, who.account));
    const assertion = { purpose: 'second-factor', subject: input.challengeId, who } as const;
    const checked = await checkAssertion(accounts, database, inPublic, assertion, input.response, now);
    return checked && { amr: checked.amr, take: giveBack((scope) => checked.take(scope)) };
  };
  return completeSignIn(accounts, database, inPublic, input.challengeId, check, refused, device);
}
