import { replaceCodes } from '#credentials';
import { randomUUIDv7 } from 'node:crypto';
import type { BackupCodes } from '../../../platform/crypto/backup-codes.ts';
import { violates } from '../../../platform/database/errors.ts';
import { notFound, pathId } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { problems } from '../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { cleanName, withoutLinks } from '../../../platform/text.ts';
import { passkeyRegistered, passkeyRemoved, passkeyRenamed, twoFactorDisabled, twoFactorEnabled } from '../events.ts';
import type { Accounts } from '../context.ts';
import { accountMail } from '../mails.ts';
import { forgetPerson } from '../membership/end-membership.ts';
import { descriptorOf, readClientData, userHandle, webauthn } from './assertions.ts';
import { newPasskeyChallenge, passkeyChallengeSeconds, readPasskeyChallenge } from './challenges.ts';
import * as queries from './queries.ts';
import type { CreationOptions, Passkey, RegisteredPasskey, RegistrationResponse } from './schemas.ts';
import { accountProblems } from '../problems.ts';
import { endSignIns, lockPersonCredentials, keepSignIns } from '../sign-in/credentials.ts';
import { raiseSession, requireOwnProof, requireOwnSignIn } from '../sign-in/reauthentication.ts';
import * as factors from '../two-factor/queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

const maxPasskeys = 20;
/** The name of the service in browser prompts. */
const rpName = 'Chancery';
/** EdDSA, ES256 and RS256 (COSE), which current authenticators support. */
const algorithms = [-8, -7, -257];

function present(row: queries.PasskeyRow): Passkey {
  return {
    id: row.id,
    name: row.name,
    synced: row.synced,
    createdAt: row.created_at,
    ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
  };
}

/** Lists the passkeys of a user, oldest first. */
export async function listPasskeys(scope: ReadScope, account: string): Promise<Passkey[]> {
  return (await scope.db.all(queries.listPasskeys, { account })).map(present);
}

/** Returns a passkey of the user. Throws 404. */
export async function getPasskey(scope: ReadScope, account: string, id: string): Promise<Passkey> {
  const row = await scope.db.first(queries.findPasskey, { account, id: pathId(id, 'passkey') });
  if (!row) throw notFound('passkey');
  return present(row);
}

/** Returns options for `navigator.credentials.create` after a recent sign-in. The response is valid only in this session. */
export async function registrationOptions(accounts: Accounts, scope: Scope, session: string): Promise<CreationOptions> {
  const person = await requireOwnProof(scope, session);
  const kept = await scope.db.all(queries.credentialsOf, { account: person.account_id });
  if (kept.length >= maxPasskeys) throw tooMany();
  return {
    challenge: newPasskeyChallenge(accounts.keys.passkeys, 'register', session, scope.now),
    rp: { id: accounts.settings.passkeys.rpId, name: rpName },
    user: { id: userHandle(person.account_id).toString('base64url'), name: person.email, displayName: person.first_name },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: passkeyChallengeSeconds * 1_000,
    excludeCredentials: kept.map(descriptorOf),
    // A security key without storage for a discoverable credential or without a PIN still works as a second factor.
    authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'preferred' },
    // All models of authenticators are accepted, so no attestation is requested.
    attestation: 'none',
  };
}

/**
 * Stores a passkey. The first second factor of a user turns two-factor authentication on, like an authenticator app. The level of this session is
 * then `aal2`, all other sessions end, and the response has ten backup codes. Throws 400 `invalid_passkey`, 401 `reauthentication_required`, 409
 * `passkey_limit` or `passkey_registered`.
 *
 * @param codes Prepared in advance for a user who had no second factor when the request arrived.
 */
export async function registerPasskey(
  accounts: Accounts,
  scope: Scope,
  session: string,
  input: { name: string; response: RegistrationResponse },
  codes: BackupCodes | undefined,
): Promise<RegisteredPasskey> {
  const name = cleanName(input.name);
  const { account_id: account } = await requireOwnProof(scope, session);
  const who = { account };
  lockPersonCredentials(scope, account);
  const { person, kept } = await pipelined({
    person: () => scope.db.first(factors.assuranceOf, { team: scope.team, session }),
    kept: () => scope.db.all(queries.credentialsOf, who),
  });
  if (!person) throw problems.invalid_token('The session has ended. Sign in again.');
  if (kept.length >= maxPasskeys) throw tooMany();
  const credential = await verifiedCredential(accounts, scope, session, input.response);
  const first = !person.two_factor_enabled;
  if (first && !codes) throw problems.conflict('Two-factor authentication was turned off during the request. Send the request again.');
  const row = await insert(scope, { ...who, id: randomUUIDv7(), name, ...credential, at: scope.now });
  await pipelined([
    () => recordAudit(scope, passkeyRegistered, row.id, { synced: row.synced }),
    () =>
      queueMail(scope.db, {
        to: person.email,
        team: scope.team,
        ...accountMail(person.locale, 'passkeyAdded', person.first_name, withoutLinks(name)),
      }),
    ...(first && codes
      ? [
          () => replaceCodes({ tables: factors.tables, who }, scope.db, codes.hashes),
          () => raiseSession(accounts, scope, session, person, row.synced ? 'swk' : 'hwk'),
          () => endSignIns(accounts, scope, account, session),
          () => recordAudit(scope, twoFactorEnabled, account),
        ]
      : []),
  ]);
  if (first && codes) keepSignIns(scope, account, session);
  return { ...present(row), ...(first && codes ? { backupCodes: codes.codes } : {}) };
}

async function insert(scope: Scope, row: Parameters<typeof queries.insertPasskey.values>[0]): Promise<queries.PasskeyRow> {
  try {
    const kept = await scope.db.first(queries.insertPasskey, row);
    if (!kept) throw new Error('an inserted row was not returned');
    return kept;
  } catch (error) {
    if (violates(error, 'passkey_credential_once'))
      throw accountProblems.passkey_registered('This passkey is already registered. Use another device or security key.');
    throw error;
  }
}

const invalidRegistration = () =>
  accountProblems.invalid_passkey('The response of the authenticator does not match the options. Get new options and try again.', {
    status: 400,
  });

/** Verifies a new credential by WebAuthn §7.1 and marks its challenge as used. */
async function verifiedCredential(
  accounts: Accounts,
  scope: Scope,
  session: string,
  { id, rawId, type, response }: RegistrationResponse,
): Promise<{ credential: Buffer; publicKey: Buffer; signCount: number; transports: string[]; synced: boolean }> {
  const client = readClientData(response.clientDataJSON);
  const hash =
    client && !client.crossOrigin
      ? readPasskeyChallenge(accounts.keys.passkeys, 'register', session, client.challenge, scope.now)
      : undefined;
  if (!client || !hash) throw invalidRegistration();
  if (!(await scope.db.first(queries.spendChallenge, { hash, seconds: passkeyChallengeSeconds }))) throw invalidRegistration();
  const { verifyRegistrationResponse } = await webauthn();
  const checked = await verifyRegistrationResponse({
    response: {
      id,
      rawId,
      type,
      response: { clientDataJSON: response.clientDataJSON, attestationObject: response.attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: client.challenge,
    expectedOrigin: [...accounts.settings.passkeys.origins],
    expectedRPID: accounts.settings.passkeys.rpId,
    requireUserVerification: false,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => undefined);
  if (!checked?.verified) throw invalidRegistration();
  const { credential, credentialDeviceType } = checked.registrationInfo;
  const bytes = Buffer.from(credential.id, 'base64url');
  // The identifier of the message must equal that of the credential, because assertions are looked up by it.
  if (credential.id !== id || bytes.length < 16 || bytes.length > 1_023) throw invalidRegistration();
  return {
    credential: bytes,
    publicKey: Buffer.from(credential.publicKey),
    signCount: credential.counter,
    transports: (response.transports ?? []).filter((transport) => /^[a-z-]{1,32}$/.test(transport)),
    synced: credentialDeviceType === 'multiDevice',
  };
}

/** Renames a passkey. Throws 401 `reauthentication_required` or 404. */
export async function renamePasskey(
  scope: Scope,
  { account, session }: { account: string; session: string },
  id: string,
  given: string,
): Promise<Passkey> {
  const name = cleanName(given);
  await requireOwnSignIn(scope, session);
  const row = await scope.db.first(queries.renamePasskey, { account, id: pathId(id, 'passkey'), name });
  if (!row) throw notFound('passkey');
  await recordAudit(scope, passkeyRenamed, row.id);
  return present(row);
}

/**
 * Deletes a passkey after a recent sign-in with a second factor. If it was the last second factor,
 * two-factor authentication is off and the backup codes end. Throws 401 `reauthentication_required` or 404.
 */
export async function deletePasskey(accounts: Accounts, scope: Scope, session: string, given: string): Promise<void> {
  const id = pathId(given, 'passkey');
  const person = await requireOwnProof(scope, session);
  const who = { account: person.account_id };
  lockPersonCredentials(scope, person.account_id);
  const gone = await scope.db.first(queries.deletePasskey, { ...who, id });
  if (!gone) throw notFound('passkey');
  const bare = await scope.db.first(factors.disableWithoutFactors, { ...who, at: scope.now });
  if (bare) {
    keepSignIns(scope, person.account_id, null);
    await forgetPerson(accounts, scope, person.account_id);
  }
  await pipelined([
    () => recordAudit(scope, passkeyRemoved, id),
    () => (bare ? recordAudit(scope, twoFactorDisabled, person.account_id) : undefined),
    () =>
      queueMail(scope.db, {
        to: person.email,
        team: scope.team,
        ...accountMail(
          person.locale,
          'passkeyRemoved',
          person.first_name,
          withoutLinks(gone.name),
          bare ? 'password alone' : 'second factor left',
        ),
      }),
  ]);
}

const tooMany = () => accountProblems.passkey_limit(`A user can have at most ${maxPasskeys} passkeys. Delete an unused one.`);
