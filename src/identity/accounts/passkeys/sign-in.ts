import type { Database, Reader } from '../../../platform/database/database.ts';
import { tokenHash } from '../../../platform/crypto/tokens.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { enterTeam, type Scope, type RunUnauthenticated } from '../../../platform/scope.ts';
import { loginFailed } from '../events.ts';
import type { Accounts } from '../context.ts';
import { assertionOptions, checkAssertion } from './assertions.ts';
import { createFirstTeam, teamToOpen } from '../membership/teams-of-person.ts';
import * as queries from './queries.ts';
import type { AssertionResponse } from './schemas.ts';
import { accountProblems } from '../problems.ts';
import { invalidChallenge, spendTry } from '#credentials';
import { completeSignIn, factorOwner, type SecondPart } from '../two-factor/sign-in.ts';
import { type Device, deviceSeen, disabled, noticeNewDevice, openSession, rejectEarly, type SignedIn } from '../sign-in/open-session.ts';
import * as factors from '../two-factor/queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

const refused = () =>
  accountProblems.invalid_passkey('The passkey is unknown, or its response does not match the options. Get new options and try again.');

/** Returns options to sign in by passkey alone. The options contain no data of accounts, so they do not reveal whether an account exists. */
export const loginOptions = (accounts: Accounts, now: Date) => assertionOptions(accounts, { purpose: 'login', subject: '' }, now);

/**
 * Signs in by passkey alone. The authenticator names and has verified the user, which counts as two factors
 * (NIST SP 800-63B §3.1.7). Throws 401 `invalid_passkey` for all wrong responses, 403 `account_disabled` or 429.
 */
export async function loginWithPasskey(
  accounts: Accounts,
  database: Database,
  inPublic: RunUnauthenticated,
  { response, teamId }: { response: AssertionResponse; teamId?: string | undefined },
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
    const team = owner && (await teamToOpen(database.reader('', owner.person_id), owner.person_id));
    if (owner && team !== undefined)
      await inPublic((scope) => recordAudit(enterTeam(scope, team, { type: 'system' }), loginFailed, owner.person_id));
    throw refused();
  }
  const { account } = checked;
  const team = teamId?.toLowerCase() ?? (await teamToOpen(database.reader('', account), account));
  return inPublic(async (outer) => {
    const scope = team === undefined ? await createFirstTeam(outer, account) : enterTeam(outer, team, { type: 'user', id: account });
    if (!(await checked.take(scope))) throw refused();
    const { person } = await pipelined({
      person: () => scope.db.first(factors.activeMember, { team: scope.team, id: account }),
      clear: () => accounts.throttle.clear(scope.db, buckets.slice(0, 1)),
    });
    if (!person) throw disabled();
    const sessionSubject = { id: account, epoch: checked.epoch, changed: refused };
    await rejectEarly(scope, sessionSubject);
    await noticeNewDevice(scope, person, device, await deviceSeen(scope, person.id, device));
    return openSession(accounts, scope, sessionSubject, device, { amr: [checked.amr, 'user'], acr: 'aal2' });
  });
}

/** Returns options to complete a sign-in with a passkey of the user. Throws 401 `invalid_challenge` or 409 `no_passkeys`. */
export async function secondFactorOptions(accounts: Accounts, database: Database, challengeId: string, now: Date) {
  const found = await database.withoutTeam((tx) => tx.first(factors.challengeByToken, { hash: tokenHash(challengeId) }));
  if (!found) throw invalidChallenge();
  const who = { account: found.person_id };
  return optionsFor(accounts, database.reader('', who.account), who, { purpose: 'second-factor', subject: challengeId }, now);
}

/** Returns options to reauthenticate with a passkey of the user. Throws 409 `no_passkeys`. */
export function reauthenticationOptions(accounts: Accounts, { db, now }: Scope, account: string, session: string) {
  return optionsFor(accounts, db, { account }, { purpose: 'reauthenticate', subject: session }, now);
}

async function optionsFor(
  accounts: Accounts,
  reader: Reader,
  who: { account: string },
  assertion: { purpose: 'second-factor' | 'reauthenticate'; subject: string },
  now: Date,
) {
  const credentials = await reader.all(queries.credentialsOf, who);
  if (credentials.length === 0)
    throw accountProblems.no_passkeys('The user has no passkey. Use another of the `methods`, or register a passkey after the sign-in.');
  return assertionOptions(accounts, { ...assertion, who }, now, credentials);
}

/**
 * Completes a sign-in with a passkey as the second factor. It counts an attempt, like a code. Throws 401 `invalid_challenge`, `invalid_passkey` or
 * 429.
 */
export async function verifyPasskey(
  accounts: Accounts,
  database: Database,
  inPublic: RunUnauthenticated,
  input: SecondPart & { response: AssertionResponse },
  device: Device,
  now: Date,
): Promise<SignedIn> {
  const check = async ({ account }: { account: string }) => {
    const who = { account };
    const { giveBack } = await spendTry(accounts.throttle, factorOwner(database, who.account));
    const assertion = { purpose: 'second-factor', subject: input.challengeId, who } as const;
    const checked = await checkAssertion(accounts, database, inPublic, assertion, input.response, now);
    return checked && { amr: checked.amr, take: giveBack((scope) => checked.take(scope)) };
  };
  return completeSignIn(accounts, database, inPublic, input, check, refused, device);
}
