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
      text: 'Gives a challenge for the proof of work that registering and asking for a new password take, in the shape that the public `altcha` widget reads. `action` says what it is for, and it is good for that alone, for ten minutes and once. Solving it takes a browser about a second, which makes a flood of registrations dear and costs a person nothing.',
      answer: {
        algorithm: 'SHA-256',
        challenge: desk.sha256,
        maxnumber: 100_000,
        salt: '5f2a9c?action=register&expires=1773134100',
        signature: '0b4d1f6c2a7e',
      },
    },
    register: {
      text: 'Begins the registration of a person: a code of six digits is mailed to the address, good for ten minutes. The account and its team come into being when `verifyEmail` confirms it. The answer, and how long it takes, are the same whatever the address: one that has an account gets a mail that says so instead. Asked again, it mails a new code at most once a minute, five an hour.',
      problems: [...proofOfWork, 'name_has_link'],
      body: { altcha, email, firstName, lastName, password },
      answer: { message: 'If the address can be registered, a code was mailed to it. Enter it within 10 minutes.' },
    },
    verifyEmail: {
      text: 'Confirms the address with the mailed code: the account comes into being, with a team that the person owns, and they are signed in. The refresh token stands in the cookie `refresh_token` alone. A code is taken once and tried five times. Where an invitation waits for the address, `Link` leads to it.',
      records: ['user.registered', 'user.email_verified', 'member.joined', 'login.succeeded'],
      problems: ['invalid_or_expired_code'],
      body: { email, code: '428913' },
      answer: signedIn,
    },
    resendVerification: {
      text: 'Mails a new code to an address that waits to be confirmed, at most one a minute and five an hour. The answer is the same for every address, and takes as long.',
      body: { email },
      answer: { message: 'If the address awaits confirmation, a new code was mailed to it.' },
    },
    login: {
      text: 'Signs a person in with their password. The access token is in the answer, the refresh token in the cookie `refresh_token` alone; programs read it from `Set-Cookie`. Where the person has a second factor the answer is a challenge instead, which `verifyTotp` or `verifyPasskey` completes within five minutes. Wrong passwords are counted by address and by source, and slow down whoever goes on; a right one is never counted. Why an account may not sign in is told after the right password alone.',
      records: ['login.succeeded'],
      problems: ['invalid_credentials', 'email_not_verified', ...turnedAway],
      body: { email, password },
      answer: signedIn,
      otherAnswers: { secondFactor: challenge },
    },
    refresh: {
      text: 'Renews the tokens by the refresh token, from the body or from the cookie, and gives both in the answer and the cookie besides. Each refresh token is good for one renewal. Requests that race with one token, and a repetition within 20 seconds, get its one successor. A token that comes back later ends the session, and the person is told by mail. By cookie it is refused to foreign pages.',
      problems: ['cross_origin_refused', 'invalid_refresh_token', 'refresh_token_superseded', 'refresh_token_reused'],
      body: { refreshToken: desk.refreshToken },
      answer: { accessToken: desk.accessToken, refreshToken: desk.refreshToken },
    },
    logout: {
      text: 'Ends the session of the access token that it is called with, and that of the refresh token in the body or the cookie, if it is the person’s own. Both kinds of token are good for nothing from the next request on, on every node. The cookie is taken away.',
      records: ['logout'],
      body: { refreshToken: desk.refreshToken },
      answer: { message: 'You are signed out.' },
    },
    listSessions: {
      text: 'Lists where the person is signed in, the session that was used last first, with its address and program. `current` is the one that asks. What is not the person’s own they end by `endSession`.',
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
      text: 'Ends one session of the person who asks, such as on a device that was lost. Its tokens are good for nothing from the next request on, on every node. A repetition is 404.',
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
      text: 'Mails a link by which a new password is set, good for 30 minutes and once. The answer, and how long it takes, are the same for every address. An address gets one mail a minute and five an hour at most; further requests are answered the same and mail nothing.',
      records: ['password.reset_requested'],
      problems: proofOfWork,
      body: { altcha, email },
      answer: { message: 'If the address has an account, a link was mailed to it.' },
    },
    resetPassword: {
      text: 'Sets a new password with the token of the mailed link. Every session of the person ends, the second factor stays on, and API clients that they answer for wait to be taken over, since whoever had the mailbox might know them. A password that the policy refuses leaves the link good.',
      records: ['password.reset'],
      problems: ['invalid_or_expired_token'],
      body: { token: desk.refreshToken, password },
      answer: { message: 'The password was set. Sign in with it.' },
    },
    changePassword: {
      text: 'Changes the password of the person who asks, who proves the current one. Every session ends; the answer carries a new access token and the cookie a new refresh token, so that this one goes on. The new password must differ and fit the policy. Wrong current passwords are counted: 20 an hour, then 429.',
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
