import type { Database } from '../../../platform/database/database.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { enterTeam, type Scope, type RunUnauthenticated } from '../../../platform/scope.ts';
import { counterRegressed } from '../events.ts';
import type { Accounts } from '../context.ts';
import { newPasskeyChallenge, passkeyChallengeSeconds, type PasskeyPurpose, readPasskeyChallenge } from './challenges.ts';
import * as queries from './queries.ts';
import type { AssertionResponse, RequestOptions } from './schemas.ts';

type Who = { team: string; account: string };

/** The library reads certificates of all kinds: it is loaded when the first passkey is used, not at the start. */
export const webauthn = () => import('@simplewebauthn/server');

/**
 * What an authenticator has signed, checked. `hwk` says that the key cannot leave its device, `swk` that it may be on
 * several (RFC 8176). Whoever uses it takes it in their transaction: false when another request has.
 */
export type CheckedPasskey = Who & { epoch: number; amr: 'hwk' | 'swk'; take(scope: Scope): Promise<boolean> };

/** What an assertion is for. `who`: the person it must belong to; without one it names its person, and must have verified them. */
export type AssertionRequest = { purpose: PasskeyPurpose; subject: string; who?: Who };

/** Identifies a person to an authenticator: the bytes of their identifier, which say nothing of them (WebAuthn §14.6.1). */
export const userHandle = (account: string): Buffer => Buffer.from(account.replaceAll('-', ''), 'hex');

/** Options for `navigator.credentials.get`: of one person's passkeys, or of any that the device has for this service. */
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

/** What the browser says it was asked (WebAuthn §5.8.1); nothing when it cannot be read. */
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
 * Checks an assertion as WebAuthn §7.2 says: whose passkey, for which challenge, on which page, with which count. Nothing
 * when any of it is wrong: the caller is not told which.
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
  // A page inside another's frame may have been put there to be clicked on unseen.
  if (!client || client.crossOrigin) return undefined;
  const spent = readPasskeyChallenge(accounts.keys.passkeys, assertion.purpose, assertion.subject, client.challenge, now);
  const found = spent && (await ownerOf(database, response.id));
  if (!found) return undefined;
  const who = { team: found.team_id, account: found.account_id };
  if (assertion.who && (assertion.who.account !== who.account || assertion.who.team !== who.team)) return undefined;
  if (!namesOwner(response, who.account, assertion)) return undefined;
  const credential = (await database.reader(who.team).all(queries.credentialsOf, who)).find(({ id }) => id === found.id);
  const signCount = credential && (await verifiedCount(accounts, assertion, credential, client.challenge, response));
  if (!credential || signCount === undefined) return undefined;
  if (signCount <= credential.sign_count && (signCount > 0 || credential.sign_count > 0)) {
    // Two authenticators hold this key, or one was set back: somebody should look.
    await inPublic((scope) => recordAudit(enterTeam(scope, who.team, { type: 'system' }), counterRegressed, credential.id));
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

/** An authenticator that finds the person by itself says whom it found; one that was told may say so too (§7.2, step 6). */
function namesOwner({ response }: AssertionResponse, account: string, assertion: AssertionRequest): boolean {
  if (response.userHandle === undefined) return assertion.who !== undefined;
  return response.userHandle === userHandle(account).toString('base64url');
}

/** The count of an assertion whose signature, page and flags are right. */
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
      // The count is compared after the signature: an unsigned one would prove nothing of the key.
      credential: { id, publicKey: new Uint8Array(credential.public_key), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    // The library throws for whatever does not fit; all of it came from the caller.
    return undefined;
  }
}
