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

/** The operations of passkeys for sign-in, second factor and reauthentication. */
export const passkeyOperations: Record<string, OperationText> = {
  listPasskeys: {
    text: 'Lists the passkeys of the caller, with name, last use and whether the key may be on several devices.',
    answer: [passkey],
  },
  registerPasskey: {
    text: 'Registers the result of `navigator.credentials.create` for the options of `getPasskeyRegistrationOptions`. As the first second factor it turns on two-factor authentication. All other sessions end, and only this response shows ten backup codes. The user gets a mail and has at most 20 passkeys. It needs a sign-in of the last 15 minutes.',
    records: ['passkey.registered', 'twofactor.enabled'],
    problems: ['reauthentication_required', 'conflict', '400 invalid_passkey', 'passkey_registered', 'passkey_limit'],
    body: { name: 'Work laptop', response: attested },
    answer: { ...passkey, backupCodes: ['7KQ4-XN2M-9PZT', 'R3VB-6HJD-WY8C'] },
  },
  getPasskeyRegistrationOptions: {
    text: 'Returns the options for `navigator.credentials.create` in the JSON format of WebAuthn. The challenge is valid for five minutes, once, only for a registration in this session. It stores nothing. It needs a sign-in of the last 15 minutes.',
    problems: ['reauthentication_required', 'passkey_limit'],
    answer: creation,
  },
  getPasskey: {
    text: 'Shows one passkey of the caller; those of other users return 404. The public key is never shown.',
    answer: passkey,
  },
  renamePasskey: {
    text: 'Changes the name of a passkey, which helps the user to identify the device. Its rights stay as they are.',
    records: ['passkey.renamed'],
    problems: ['reauthentication_required'],
    body: { name: 'Laptop in the office' },
    answer: { ...passkey, name: 'Laptop in the office' },
  },
  deletePasskey: {
    text: 'Deletes a passkey, which can no longer sign in. If it was the last second factor, two-factor authentication is off and the backup codes are invalid. The user gets a mail. It needs a sign-in of the last 15 minutes. Repeating the request returns 404.',
    records: ['passkey.removed', 'twofactor.disabled'],
    problems: ['reauthentication_required'],
  },
  getPasskeyLoginOptions: {
    text: 'Returns the options for `navigator.credentials.get` to sign in by passkey alone. They are the same for all and name no user: the authenticator finds its user. It stores nothing, and the challenge is valid for five minutes, once.',
    answer: request,
  },
  loginWithPasskey: {
    text: 'Signs a user in by passkey alone, without address or password. The response is that of `login`. The authenticator must have verified its user by PIN or biometrics, so no second factor is required. Every error is the same 401, and errors count like wrong passwords.',
    records: ['login.succeeded', 'login.new_device'],
    problems: ['invalid_passkey', 'account_disabled', 'sso_required'],
    body: { response: assertion },
    answer: signedIn,
  },
  getVerifyPasskeyOptions: {
    text: 'Returns the options for `navigator.credentials.get` to complete a password sign-in, with the passkeys of the user. The challenge is bound to that sign-in.',
    problems: ['invalid_challenge', 'no_passkeys'],
    body: { challengeId: desk.challenge },
    answer: ofTheirs,
  },
  verifyPasskey: {
    text: 'Completes a password sign-in with a passkey as the second factor. The response is that of `login`. `teamId` names the team to open. A wrong response uses one of the five attempts of the challenge, like a wrong code.',
    records: ['login.succeeded'],
    problems: ['invalid_challenge', 'invalid_passkey', 'account_disabled', 'sso_required', 'team_closed'],
    body: { challengeId: desk.challenge, response: assertion },
    answer: signedIn,
  },
  getReauthenticationOptions: {
    text: 'Returns the options for `navigator.credentials.get` to confirm the identity of the caller. Send the authenticator’s response to `reauthenticate` as `passkey`. The challenge is bound to this session.',
    problems: ['no_passkeys'],
    answer: ofTheirs,
  },
};
