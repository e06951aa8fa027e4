import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { OperationText } from '../../../platform/http/openapi/texts.ts';

const credential = 'WhuX_RJSNpgdHUiTskb6t0pVol16_Y3dQCbAGH-bdNg';
const passkey = { id: desk.passkey, name: 'Work laptop', synced: true, createdAt: desk.monday };

const creation = {
  challenge: 'GT4fuPcfPu2jT4Mcdxa0HgGiA-a_QtTO3l8J3IuH3KLc2Tr-KWPNYr95JqtGusCGBv5ZxOVC',
  rp: { id: 'example.com', name: 'Chancery' },
  user: { id: 'AZ0vTmoAfCuaVAAAAAAAEQ', name: desk.olivia.email, displayName: 'Olivia Berg' },
  pubKeyCredParams: [
    { type: 'public-key', alg: -8 },
    { type: 'public-key', alg: -7 },
  ],
  timeout: 300_000,
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'preferred' },
  attestation: 'none',
};
const request = { challenge: creation.challenge, rpId: 'example.com', timeout: 300_000, userVerification: 'required' };
const ofTheirs = {
  ...request,
  userVerification: 'preferred',
  allowCredentials: [{ id: credential, type: 'public-key', transports: ['internal'] }],
};

const assertion = {
  id: credential,
  rawId: credential,
  type: 'public-key',
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
    signature: 'MEUCIQDw3nq5Xy7kYw4a',
    userHandle: 'AZ0vTmoAfCuaVAAAAAAAEQ',
  },
  clientExtensionResults: {},
};
const attested = {
  ...assertion,
  response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZQ', transports: ['internal'] },
};

const signedIn = { accessToken: desk.accessToken, user: { ...desk.olivia, teamId: desk.team.id } };

/** Passkeys, as a sign-in, a second factor and a proof. */
export const passkeyOperations: Record<string, OperationText> = {
  listPasskeys: {
    text: 'Lists the passkeys of the person who asks, with their names, when each was used last, and whether the key may be on several devices.',
    answer: [passkey],
  },
  registerPasskey: {
    text: 'Registers what `navigator.credentials.create` gave for the options of `getPasskeyRegistrationOptions`. As the first second factor it turns two-factor authentication on: every other session ends, and ten backup codes are in the answer, shown there alone. The person is told by mail; they have 20 passkeys at most. It takes a sign-in of the last 15 minutes.',
    records: ['passkey.registered', 'twofactor.enabled'],
    problems: ['reauthentication_required', 'conflict', '400 invalid_passkey', 'passkey_registered', 'passkey_limit'],
    body: { name: 'Work laptop', response: attested },
    answer: { ...passkey, backupCodes: ['7KQ4-XN2M-9PZT', 'R3VB-6HJD-WY8C'] },
  },
  getPasskeyRegistrationOptions: {
    text: 'Gives the options for `navigator.credentials.create`, as WebAuthn writes them in JSON. Its challenge is good for five minutes, once, for this session and for registering alone. Asking writes nothing. It takes a sign-in of the last 15 minutes.',
    problems: ['reauthentication_required', 'passkey_limit'],
    answer: creation,
  },
  getPasskey: {
    text: 'Shows one passkey of the person who asks; that of anybody else is 404. The public key itself is shown by nothing.',
    answer: passkey,
  },
  renamePasskey: {
    text: 'Gives a passkey another name, by which the person tells their devices apart. What it opens stays as it is.',
    records: ['passkey.renamed'],
    body: { name: 'Laptop in the office' },
    answer: { ...passkey, name: 'Laptop in the office' },
  },
  deletePasskey: {
    text: 'Deletes a passkey: it signs in no more. With the last second factor two-factor authentication is off again, and the backup codes are void. The person is told by mail. It takes a sign-in of the last 15 minutes; a repetition is 404.',
    records: ['passkey.removed', 'twofactor.disabled'],
    problems: ['reauthentication_required'],
  },
  getPasskeyLoginOptions: {
    text: 'Gives the options for `navigator.credentials.get` to sign in by passkey alone. They are the same for everyone and name nobody: the authenticator finds its person. Asking writes nothing, and the challenge is good for five minutes, once.',
    answer: request,
  },
  loginWithPasskey: {
    text: 'Signs a person in by a passkey alone, without address or password, and answers like `login`. The authenticator must have verified its person by PIN or body, so that no second factor is asked for. Whatever is wrong with the answer, it is one 401, and wrong ones are counted like wrong passwords.',
    records: ['login.succeeded', 'login.new_device'],
    problems: ['invalid_passkey', 'account_disabled', 'sso_required'],
    body: { response: assertion },
    answer: signedIn,
  },
  getVerifyPasskeyOptions: {
    text: 'Gives the options for `navigator.credentials.get` to complete a sign-in that a password began, naming the person’s passkeys. The challenge in the options is bound to that sign-in.',
    problems: ['invalid_challenge', 'no_passkeys'],
    body: { challengeId: desk.challenge },
    answer: ofTheirs,
  },
  verifyPasskey: {
    text: 'Completes a sign-in that a password began with a passkey as the second factor, and answers like `login`. A wrong answer spends one of the five tries of the challenge, as a wrong code does.',
    records: ['login.succeeded'],
    problems: ['invalid_challenge', 'invalid_passkey', 'account_disabled', 'sso_required'],
    body: { challengeId: desk.challenge, response: assertion },
    answer: signedIn,
  },
  getReauthenticationOptions: {
    text: 'Gives the options for `navigator.credentials.get` to prove again who one is: what the authenticator answers goes to `reauthenticate` as `passkey`. The challenge is bound to this session.',
    problems: ['no_passkeys'],
    answer: ofTheirs,
  },
};
