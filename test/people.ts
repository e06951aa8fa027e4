import assert from 'node:assert/strict';
import { totpAt, totpStep } from '../src/platform/crypto/totp.ts';
import type { TestResponse, Chancery } from './harness.ts';

export const authPath = '/api/v1/security/auth';
export const goodPassword = 'CorrectHorse9Battery';

/** A user who registered through the API, with the tokens of their device. */
export type Registered = { email: string; id: string; team: string; token: string; refreshToken: string };
/** A registered user with an authenticator app. `code(n)` is its code n time steps from now. */
export type Enrolled = Registered & { secret: Buffer; backupCodes: string[]; code(step?: number): string };

let people = 0;

export const cookieOf = (answer: TestResponse, name: string) =>
  new RegExp(`${name}=([^;]*)`).exec(answer.headers.getSetCookie().join('\n'))?.[1] ?? '';

export async function mailsTo(chancery: Chancery, email: string): Promise<{ subject: string; text: string; html: string }[]> {
  return (await chancery.call('GET', `/dev/mail.json?to=${encodeURIComponent(email)}`)).body;
}

/** Registers and confirms a user over HTTP. Proof of work must be off. */
export async function registered(chancery: Chancery, headers: Record<string, string> = {}): Promise<Registered> {
  people += 1;
  const email = `person.${people}.${Date.now().toString(36)}@example.org`;
  const body = { email, firstName: 'Ada', lastName: 'Lovelace', password: goodPassword };
  assert.equal((await chancery.call('POST', `${authPath}/register`, { body, headers })).status, 201);
  const code = /\d{6}/.exec((await mailsTo(chancery, email))[0]?.subject ?? '')?.[0];
  const verified = await chancery.call('POST', `${authPath}/verify-email`, { body: { email, code }, headers });
  assert.equal(verified.status, 200, verified.text);
  const { accessToken, user } = verified.body;
  return { email, id: user.id, team: user.teamId, token: accessToken, refreshToken: cookieOf(verified, 'refresh_token') };
}

export const signIn = (chancery: Chancery, email: string, password = goodPassword) =>
  chancery.call('POST', `${authPath}/login`, { body: { email, password } });

/** Returns the secret in the URI of an authenticator app. */
export function secretOf(totpUri: string): Buffer {
  const text = new URL(totpUri).searchParams.get('secret') ?? '';
  const bits = Array.from(text, (letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Confirms a set-up with the code of the previous time step, so that the current code is unused. Retries if a new step begins in between. */
export async function withPreviousCode(
  code: (step: number) => string,
  confirm: (code: string) => Promise<TestResponse>,
): Promise<TestResponse> {
  const answer = await confirm(code(-1));
  return answer.body?.code === 'invalid_code' ? confirm(code(-1)) : answer;
}

/** Registers a user with two-factor authentication. The current code is unused. */
export async function enrolled(chancery: Chancery): Promise<Enrolled> {
  const person = await registered(chancery);
  const begun = await chancery.call('POST', `${authPath}/2fa/enable-init`, { token: person.token });
  assert.equal(begun.status, 200, begun.text);
  const secret = secretOf(begun.body.totpUri);
  const code = (step = 0) => totpAt(secret, totpStep(new Date()) + step);
  const { setupId } = begun.body;
  const confirmed = await withPreviousCode(code, (previous) =>
    chancery.call('POST', `${authPath}/2fa/enable-confirm`, { token: person.token, body: { code: previous, setupId } }),
  );
  assert.equal(confirmed.status, 200, confirmed.text);
  return { ...person, secret, backupCodes: begun.body.backupCodes, code };
}

/** Returns the two-factor challenge of a user after a correct password. */
export async function challengeOf(chancery: Chancery, email: string): Promise<string> {
  const answer = await signIn(chancery, email);
  assert.equal(answer.body.twoFactorRequired, true, answer.text);
  return answer.body.challengeId;
}

/** Moves a registered user into the team of `owner` by an invitation, and returns their token there. */
export async function broughtIn(chancery: Chancery, owner: { token: string }, person: Registered, role = 'member'): Promise<string> {
  const invited = await chancery.call('POST', '/api/v1/team/invitations', { token: owner.token, body: { email: person.email, role } });
  assert.equal(invited.status, 201, invited.text);
  const link = /token=([\w-]+)/.exec((await mailsTo(chancery, person.email))[0]?.text ?? '')?.[1];
  const { accessToken } = (await signIn(chancery, person.email)).body;
  const accepted = await chancery.call('POST', '/api/v1/team/invitations/accept', { token: accessToken, body: { token: link } });
  assert.equal(accepted.status, 200, accepted.text);
  return accepted.body.accessToken;
}
