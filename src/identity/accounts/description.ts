import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';
import { passkeyOperations } from './passkeys/description.ts';
import { profileOperations } from './profile/description.ts';
import { secondFactorOperations } from './two-factor/description.ts';

const { id, email, firstName, lastName } = desk.olivia;
const password = 'Sealed-with-red-wax';

const signedIn = { accessToken: desk.accessToken, user: { id, email, firstName, lastName, teamId: desk.team.id } };
const challenge = { twoFactorRequired: true, challengeId: desk.challenge, expiresIn: 300, methods: ['totp', 'backup_code'] };

/** A proof of work, as the widget of a page sends it. */
const altcha = 'eyJhbGdvcml0aG0iOiJTSEEtMjU2IiwibnVtYmVyIjo0MjE3fQ==';
const proofOfWork = ['altcha_required', 'altcha_invalid', 'altcha_expired', 'altcha_already_used'];

/** What ends a sign-in whose password or passkey was right. */
const turnedAway = ['account_disabled', 'sso_required'];

export const description: DomainText = {
  operations: {
    getAltchaChallenge: {
      text: 'Creates a proof-of-work challenge for registration and password reset, in the format of the public `altcha` widget. It is valid only for its `action`, for ten minutes and once. A browser needs about a second to solve it, which makes mass registrations expensive.',
      answer: {
        algorithm: 'SHA-256',
        challenge: desk.sha256,
        maxnumber: 100_000,
        salt: '5f2a9c?action=register&expires=1773134100',
        signature: '0b4d1f6c2a7e',
      },
    },
    register: {
      text: 'Starts a registration and mails a code of six digits, valid for ten minutes. `verifyEmail` creates the account and its team. The response and its duration are the same for every address; an existing account gets a mail about it instead. A repetition sends a new code at most once a minute, five an hour.',
      problems: [...proofOfWork, 'name_has_link'],
      body: { altcha, email, firstName, lastName, password },
      answer: { message: 'If the address can be registered, a code was mailed to it. Enter it within 10 minutes.' },
    },
    verifyEmail: {
      text: 'Confirms the address with the mailed code. It creates the account and a team that the user owns, and signs the user in. The refresh token is only in the cookie `refresh_token`. A code works once and has five attempts. If the address has a pending invitation, `Link` leads to it.',
      records: ['user.registered', 'user.email_verified', 'member.joined', 'login.succeeded'],
      problems: ['invalid_or_expired_code'],
      body: { email, code: '428913' },
      answer: signedIn,
    },
    resendVerification: {
      text: 'Mails a new code to an unconfirmed address, at most one a minute and five an hour. The response and its duration are the same for every address.',
      body: { email },
      answer: { message: 'If the address awaits confirmation, a new code was mailed to it.' },
    },
    login: {
      text: 'Signs a user in with a password. The access token is in the response, and the refresh token only in the cookie `refresh_token`; programs read it from `Set-Cookie`. With a second factor the response is a challenge, which `verifyTotp` or `verifyPasskey` completes within five minutes. Wrong passwords are counted by address and source and slow down further attempts; a correct one never counts. The reason why an account is blocked is disclosed only after the correct password.',
      records: ['login.succeeded'],
      problems: ['invalid_credentials', 'email_not_verified', ...turnedAway],
      body: { email, password },
      answer: signedIn,
      otherAnswers: { secondFactor: challenge },
    },
    refresh: {
      text: 'Renews the tokens with the refresh token from the body or the cookie. The response has both, and the cookie the refresh token. Each refresh token works once. Concurrent requests, and a repetition within 20 seconds, get the same successor. A later reuse ends the session, and the user gets a mail. Requests from foreign pages cannot use the cookie.',
      problems: ['cross_origin_refused', 'invalid_refresh_token', 'refresh_token_superseded', 'refresh_token_reused'],
      body: { refreshToken: desk.refreshToken },
      answer: { accessToken: desk.accessToken, refreshToken: desk.refreshToken },
    },
    logout: {
      text: 'Ends the session of the access token, and that of the refresh token in the body or cookie if it belongs to the user. Both tokens are invalid from the next request on, on every node. The cookie is removed.',
      records: ['logout'],
      body: { refreshToken: desk.refreshToken },
      answer: { message: 'You are signed out.' },
    },
    listSessions: {
      text: 'Lists the sessions of the caller, the last used first, with address and program. `current` marks the session of the request. End unknown sessions with `endSession`.',
      answer: [
        {
          id: desk.session,
          current: true,
          ip: '203.0.113.24',
          userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/148.0',
          createdAt: desk.monday,
          lastUsedAt: desk.tuesday,
          expiresAt: '2026-06-07T08:30:00.000Z',
        },
      ],
    },
    endSession: {
      text: 'Ends one session of the caller, for example on a lost device. Its tokens are invalid from the next request on, on every node. A repetition is 404.',
      records: ['session.revoked'],
    },
    listIdentities: {
      text: 'Lists the identities at providers of the team that sign in to the account of the caller, the oldest first. `email` is the address that the provider named last.',
      answer: [
        {
          id: '019aa0de-7c1f-7d63-9d57-0b7c0d5e4a01',
          connectionId: desk.connection,
          issuer: 'https://login.northwind.example',
          subject: '690222be-ff1a-4d56-abd1-7e4f7d38e474',
          email,
          createdAt: desk.monday,
          lastUsedAt: desk.tuesday,
        },
      ],
    },
    deleteIdentity: {
      text: 'Removes an identity of the caller: the provider no longer signs it in to the account. Ends the other sessions of the caller, and sends a mail. It takes a sign-in of the last 15 minutes. The last way to sign in stays (409 `last_sign_in_method`). A repetition is 404.',
      records: ['identity.unlinked'],
      problems: ['reauthentication_required', 'last_sign_in_method'],
    },
    listMemberIdentities: {
      text: 'Lists the identities at providers of the team that sign in to the account of a member, the oldest first. Use it to find the old identity after a rejected sign-in (`identity.conflict`).',
      answer: [
        {
          id: '019aa0de-7c1f-7d63-9d57-0b7c0d5e4a01',
          connectionId: desk.connection,
          issuer: 'https://login.northwind.example',
          subject: '690222be-ff1a-4d56-abd1-7e4f7d38e474',
          email,
          createdAt: desk.monday,
          lastUsedAt: desk.tuesday,
        },
      ],
    },
    deleteMemberIdentity: {
      text: 'Removes an identity of a member: the provider no longer signs it in to the account. Ends all sessions of the member, and sends them a mail. It takes an owner or administrator who signed in within 15 minutes. It can be the last way to sign in of another person, but not of the caller (409 `last_sign_in_method`). A repetition is 404.',
      records: ['identity.unlinked'],
      problems: ['reauthentication_required', 'last_sign_in_method'],
    },
    requestPasswordReset: {
      text: 'Mails a link to set a new password, valid for 30 minutes and once. The response and its duration are the same for every address. An address gets at most one mail a minute and five an hour; further requests get the same response and send no mail.',
      records: ['password.reset_requested'],
      problems: proofOfWork,
      body: { altcha, email },
      answer: { message: 'If the address has an account, a link was mailed to it.' },
    },
    resetPassword: {
      text: 'Sets a new password with the token of the mailed link. All sessions of the user end, and the second factor stays on. API clients of the user are suspended until a takeover, because another person with access to the mailbox may know them. A password that violates the policy leaves the link valid.',
      records: ['password.reset'],
      problems: ['invalid_or_expired_token'],
      body: { token: desk.refreshToken, password },
      answer: { message: 'The password was set. Sign in with it.' },
    },
    changePassword: {
      text: 'Changes the password of the caller, who proves the current one. All sessions end; the response has a new access token and the cookie a new refresh token, so this one continues. The new password must differ and match the policy. Wrong current passwords are limited to 20 an hour, then 429.',
      records: ['password.changed', 'session.revoked', 'login.succeeded'],
      problems: ['sso_required', 'invalid_current_password', 'password_unchanged'],
      body: { currentPassword: password, newPassword: 'Sealed-with-green-wax' },
      answer: { accessToken: desk.accessToken, message: 'The password was changed, and every other session ended.' },
    },
    ...profileOperations,
    ...secondFactorOperations,
    ...passkeyOperations,
  },
  members: {
    altcha: 'The solved challenge, as the widget gives it: base64 of JSON, or the object itself',
    currentPassword: 'The password as it is now',
    newPassword: 'The password as it is to be',
    methods: 'By what it can be completed: `totp`, `backup_code`, `webauthn`',
    twoFactorRequired: 'Always `true`: tells this answer from that of a finished sign-in',
    backupCodes: 'Good for one sign-in each; shown in this answer alone',
    setupId: 'The set-up that has begun, which the first code confirms',
    totpUri: 'An `otpauth://` address, for a QR code that an authenticator app reads',
    onboardingCompletedAt: 'When the person was through with the introduction; `true` means now',
    newOwnerId: 'An active member of the team',
    'Session.current': 'Whether it is the one that asks',
    'Session.userAgent': 'The program that signed in, as it calls itself',
    'getAltchaChallenge.action': 'What it is to be used for',
    rawId: 'The identifier of the credential, once more, in base64url',
    clientDataJSON: 'What the browser signed, in base64url',
    authenticatorData: 'What the authenticator signed, in base64url',
    signature: 'The signature, in base64url',
    userHandle: 'Whose passkey it is, as the authenticator keeps it',
    attestationObject: 'The new public key with what the authenticator says of itself, in base64url',
    transports: 'How the authenticator is reached',
    response: 'What the browser’s `navigator.credentials` gave, as its `toJSON()` writes it',
    challenge: 'Signed by the authenticator; good once, for five minutes',
    rp: 'The site that the passkey is bound to',
    rpId: 'The site that the passkey is bound to',
    user: 'Whose passkey it is, as the authenticator shows it',
    displayName: 'The name that the authenticator shows',
    pubKeyCredParams: 'The kinds of keys that are taken',
    alg: 'The COSE identifier of an algorithm',
    excludeCredentials: 'Passkeys that the person has already',
    allowCredentials: 'The passkeys that are taken',
    authenticatorSelection: 'What is asked of the authenticator',
    residentKey: 'Whether the authenticator keeps the passkey itself, so that it signs in alone',
    requireResidentKey: 'The same, for older browsers',
    userVerification: 'Whether the authenticator asks for a PIN or a finger',
    attestation: 'Whether the authenticator’s make is asked for',
    'excludeCredentials.type': 'Always `public-key`',
    'allowCredentials.type': 'Always `public-key`',
    'pubKeyCredParams.type': 'Always `public-key`',
    'AuthenticationResponseJSON.type': 'Always `public-key`',
    'RegistrationResponseJSON.type': 'Always `public-key`',
  },
};
