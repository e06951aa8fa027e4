import type { Database } from '../../../platform/database/database.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import type { Scope, RunUnauthenticated } from '../../../platform/scope.ts';
import { counterRegressed } from '../events.ts';
import type { Accounts } from '../context.ts';
import { newPasskeyChallenge, passkeyChallengeSeconds, type PasskeyPurpose, readPasskeyChallenge } from './challenges.ts';
import { inEachTeam } from '../membership/teams-of-person.ts';
import * as queries from './queries.ts';
import type { AssertionResponse, RequestOptions } from './schemas.ts';

type Who = { account: string };

/** Loads the library at the first use of a passkey, because it includes parsers for all kinds of certificates. */
export const webauthn = () => import('@simplewebauthn/server');

/**
 * A verified assertion. `hwk`: the key cannot leave its device. `swk`: it may be on several devices (RFC 8176). The
 * caller marks it as used with `take` in its own transaction, which returns false if another request used it first.
 */
export type CheckedPasskey = Who & { epoch: number; amr: 'hwk' | 'swk'; take(scope: Scope): Promise<boolean> };

/**
 * The purpose of an assertion. `who` is the required user. Without `who`, the assertion itself names the user, and the authenticator must have
 * verified that user.
 */
export type AssertionRequest = { purpose: PasskeyPurpose; subject: string; who?: Who };

/** The user’s identifier as bytes, which do not reveal the user to the authenticator (WebAuthn §14.6.1). */
export const userHandle = (account: string): Buffer => Buffer.from(account.replaceAll('-', ''), 'hex');

/** Returns options for `navigator.credentials.get`: for the passkeys of one user, or for any passkey of this service. */
export function assertionOptions(
  accounts: Accounts,
  assertion: AssertionRequest,
  now: Date,
  credentials?: readonly queries.CredentialRow[],
): RequestOptions {
  return {
    challenge: newPasskeyChallenge(accounts.keys.passkeys, assertion.purpose, assertion.subject, now),
    rpId: accounts.settings.passkeys.rpId,
    timeout: passkeyChallengeSeconds * 1_000,
    userVerification: assertion.who ? 'preferred' : 'required',
    ...(credentials ? { allowCredentials: credentials.map(descriptorOf) } : {}),
  };
}

export function descriptorOf({ credential_id: id, transports }: queries.CredentialRow) {
  return { id: id.toString('base64url'), type: 'public-key', transports };
}

type ClientData = { challenge: string; crossOrigin: boolean };

/** Parses the client data of the browser (WebAuthn §5.8.1). Returns undefined if it is unreadable. */
export function readClientData(encoded: string): ClientData | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    if (typeof data !== 'object' || data === null || !('challenge' in data) || typeof data.challenge !== 'string') return undefined;
    return { challenge: data.challenge, crossOrigin: 'crossOrigin' in data && data.crossOrigin === true };
  } catch {
    return undefined;
  }
}

/**
 * Verifies an assertion by WebAuthn §7.2: its owner, challenge, page and counter.
 * Returns undefined for every error, so that the caller does not learn the cause.
 */
export async function checkAssertion(
  accounts: Accounts,
  database: Database,
  inPublic: RunUnauthenticated,
  assertion: AssertionRequest,
  response: AssertionResponse,
  now: Date,
): Promise<CheckedPasskey | undefined> {
  const client = readClientData(response.response.clientDataJSON);
  // A page in a foreign frame may be placed for hidden clicks (clickjacking).
  if (!client || client.crossOrigin) return undefined;
  const spent = readPasskeyChallenge(accounts.keys.passkeys, assertion.purpose, assertion.subject, client.challenge, now);
  const found = spent && (await ownerOf(database, response.id));
  if (!found) return undefined;
  const who = { account: found.person_id };
  if (assertion.who && assertion.who.account !== who.account) return undefined;
  if (!namesOwner(response, who.account, assertion)) return undefined;
  const credential = (await database.reader('', who.account).all(queries.credentialsOf, who)).find(({ id }) => id === found.id);
  const signCount = credential && (await verifiedCount(accounts, assertion, credential, client.challenge, response));
  if (!credential || signCount === undefined) return undefined;
  if (signCount <= credential.sign_count && (signCount > 0 || credential.sign_count > 0)) {
    // The key exists in two authenticators, or one was reset, so the journal records it.
    const { account } = who;
    await inPublic((outer) => {
      outer.db.enterPerson(account);
      return inEachTeam({ ...outer, team: '', actor: { type: 'system' } }, (scope) => recordAudit(scope, counterRegressed, credential.id));
    });
    return undefined;
  }
  return {
    ...who,
    epoch: credential.epoch,
    amr: credential.synced ? 'swk' : 'hwk',
    async take(scope) {
      if (!(await scope.db.first(queries.spendChallenge, { hash: spent, seconds: passkeyChallengeSeconds }))) return false;
      return (await scope.db.first(queries.takeAssertion, { ...who, id: credential.id, signCount, at: scope.now })) !== undefined;
    },
  };
}

function ownerOf(database: Database, credential: string) {
  return database.withoutTeam((tx) => tx.first(queries.passkeyByCredential, { credential: Buffer.from(credential, 'base64url') }));
}

/** Whether the assertion names the account. An authenticator that selects the user must name the user; others may omit the name (§7.2, step 6). */
function namesOwner({ response }: AssertionResponse, account: string, assertion: AssertionRequest): boolean {
  if (response.userHandle === undefined) return assertion.who !== undefined;
  return response.userHandle === userHandle(account).toString('base64url');
}

/** Returns the counter of an assertion with a valid signature, page and flags. */
async function verifiedCount(
  accounts: Accounts,
  assertion: AssertionRequest,
  credential: queries.CredentialRow,
  expectedChallenge: string,
  { id, rawId, type, response }: AssertionResponse,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await webauthn();
  const { userHandle: _checked, ...signed } = response;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId, type, response: signed, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: [...accounts.settings.passkeys.origins],
      expectedRPID: accounts.settings.passkeys.rpId,
      requireUserVerification: assertion.who === undefined,
      // The counter is compared after the signature, because an unsigned one proves nothing.
      credential: { id, publicKey: new Uint8Array(credential.public_key), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    // The library throws for all invalid input, which comes from the caller.
    return undefined;
  }
}
