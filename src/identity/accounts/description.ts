import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';
import { passkeyOperations } from './passkeys/description.ts';
import { profileOperations } from './profile/description.ts';
import { secondFactorOperations } from './two-factor/description.ts';

const { id, email, firstName, lastName } = desk.olivia;
const password = 'Sealed-with-red-wax';

const signedIn = { accessToken: desk.accessToken, user: { id, email, firstName, lastName, teamId: desk.team.id } };
const challenge = { twoFactorRequired: true, challengeId: desk.challenge, expiresIn: 300, methods: ['totp', 'backup_code'] };

/** A proof of work in the format of the `altcha` widget. */
const altcha = 'eyJhbGdvcml0aG0iOiJTSEEtMjU2IiwibnVtYmVyIjo0MjE3fQ==';
const proofOfWork = ['altcha_required', 'altcha_invalid', 'altcha_expired', 'altcha_already_used'];

/** Errors of a sign-in after a correct password or passkey. */
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
      text: 'Starts a registration and mails a code of six digits, valid for ten minutes. `verifyEmail` creates the account and its team. The response and its duration are the same for every address; an existing account gets a mail about it instead. A repetition sends a new code at most once a minute, five an hour. If the operator closed registration (`REGISTRATION=invited`), every address gets 403.',
      problems: [...proofOfWork, 'name_has_link', 'registration_by_invitation'],
      body: { altcha, email, firstName, lastName, password },
      answer: { message: 'If the address can be registered, a code was mailed to it. Enter it within 10 minutes.' },
    },
    verifyEmail: {
      text: 'Confirms the address with the mailed code. It creates the account and a team that the user owns, and signs the user in. The refresh token is only in the cookie `refresh_token`. A code works once and has five attempts. If the address has a pending invitation, `Link` leads to it.',
      records: ['user.registered', 'user.email_verified', 'member.joined', 'login.succeeded'],
      problems: ['invalid_or_expired_code', 'registration_by_invitation'],
      body: { email, code: '428913' },
      answer: signedIn,
    },
    resendVerification: {
      text: 'Mails a new code to an unconfirmed address, at most one a minute and five an hour. The response and its duration are the same for every address.',
      problems: ['registration_by_invitation'],
      body: { email },
      answer: { message: 'If the address awaits confirmation, a new code was mailed to it.' },
    },
    login: {
      text: 'Signs a user in with a password. The access token is in the response, and the refresh token only in the cookie `refresh_token`; clients other than browsers read it from `Set-Cookie`. With a second factor the response is a challenge, which `verifyTotp` or `verifyPasskey` completes within five minutes. Wrong passwords are counted by address and source and slow down further attempts; a correct one never counts. The reason why an account is blocked is disclosed only after the correct password.',
      records: ['login.succeeded'],
      problems: ['invalid_credentials', 'email_not_verified', 'team_closed', ...turnedAway],
      body: { email, password },
      answer: signedIn,
      otherAnswers: { secondFactor: challenge },
    },
    refresh: {
      text: 'Renews the tokens with the refresh token from the body or the cookie. The response has both, and the cookie the refresh token. Each refresh token works once. Concurrent requests, and a repetition within 20 seconds, get the same successor. A later reuse ends the session, and the user gets a mail. `teamId` selects the team of the access token; by default it is the team of the refresh token. Requests from foreign pages cannot use the cookie.',
      problems: ['cross_origin_refused', 'team_closed', 'invalid_refresh_token', 'refresh_token_superseded', 'refresh_token_reused'],
      body: { refreshToken: desk.refreshToken },
      answer: { accessToken: desk.accessToken, refreshToken: desk.refreshToken },
    },
    logout: {
      text: 'Ends the session of the access token, and that of the refresh token in the body or cookie if it belongs to the user. Both tokens are invalid from the next request on, on every node. The cookie is removed.',
      records: ['logout'],
      body: { refreshToken: desk.refreshToken },
      answer: { message: 'You are signed out.' },
    },
    listMyTeams: {
      text: 'Lists the teams of the caller, the oldest membership first. `current` marks the team of the access token. `requires` is `sso` if the team enforces the provider of `connectionId` for the caller. It is `second_factor` if the caller lacks a required second factor. A sign-in through a provider without an own password, code or passkey sees only teams that are open to it.',
      answer: [{ id: desk.team.id, name: desk.team.name, role: 'owner', status: 'active', current: true }],
    },
    createTeam: {
      text: 'Creates a team that the caller owns. Needs a password, code or passkey of the last 15 minutes: a sign-in through a provider does not count. A person can own 20 teams and be a member of 50. `switchTeam` opens the team.',
      records: ['member.joined'],
      problems: ['reauthentication_required', 'team_limit', 'name_has_link'],
      body: { name: 'Bergmann & Partner' },
      answer: { id: desk.team.id, name: 'Bergmann & Partner', role: 'owner', status: 'active', current: false },
    },
    switchTeam: {
      text: 'Returns an access token for another team of the caller. The refresh token stays valid, and `refresh` with `teamId` renews the token of each team. The next sign-in opens this team. A sign-in from before a suspension opens the team no more. Access tokens of the previous team stay valid until they expire.',
      records: ['session.team_switched'],
      problems: ['reauthentication_required', 'team_closed', 'not_found', ...turnedAway],
      body: { teamId: desk.team.id },
      answer: { accessToken: desk.accessToken },
    },
    listSessions: {
      text: 'Lists the sessions of the caller, the last used first, with address and user agent. `current` marks the session of the request. End unknown sessions with `endSession`. A sign-in through a provider sees and ends only sessions through a provider of the team. After `reauthenticate` it sees all.',
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
      text: 'Ends one session of the caller, for example on a lost device. Its tokens are invalid from the next request on, on every node. Repeating the request returns 404.',
      records: ['session.revoked'],
    },
    listIdentities: {
      text: 'Lists the identities at providers that can sign in to the caller’s account, the oldest first. `email` is the latest address from the provider.',
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
      text: 'Removes an identity of the caller, which can no longer sign in to the account. The caller’s other sessions end, and they get a mail. It needs a sign-in of the last 15 minutes. The last sign-in method cannot be removed (409 `last_sign_in_method`). Repeating the request returns 404.',
      records: ['identity.unlinked'],
      problems: ['reauthentication_required', 'last_sign_in_method'],
    },
    listMemberIdentities: {
      text: 'Lists the identities at providers that can sign in to the account of a member, the oldest first. Use it to find the old identity after a rejected sign-in (`identity.conflict`).',
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
      text: 'Removes an identity of a member, which can no longer sign in to the account. All sessions of the member end, and they get a mail. It needs an owner or administrator who signed in within 15 minutes. It can be the last sign-in method of another member, but not of the caller (409 `last_sign_in_method`). Repeating the request returns 404.',
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
      text: 'Changes the password of the caller after a check of the current one. All sessions end; the response has a new access token and the cookie a new refresh token, so this one continues. The new password must differ and match the policy. Wrong current passwords are limited to 20 an hour, then 429.',
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
    'OwnTeam.current': 'The team of the access token of the request',
    'OwnTeam.requires': 'The step that the caller must complete to open the team',
    'OwnTeam.connectionId': 'The connection of the provider that the team enforces',
    altcha: 'The solved challenge from the widget, as base64 of JSON or as an object',
    currentPassword: 'The current password',
    newPassword: 'The new password',
    methods: 'Available second factors: `totp`, `backup_code`, `webauthn`',
    twoFactorRequired: 'Always `true`; distinguishes this response from a completed sign-in',
    backupCodes: 'Backup codes for one sign-in each; shown only in this response',
    setupId: 'The identifier of the setup, which the first code confirms',
    totpUri: 'An `otpauth://` address for the QR code of an authenticator app',
    onboardingCompletedAt: 'The time when the user completed the introduction; `true` means now',
    newOwnerId: 'The new owner, an active member of the team',
    'Session.current': 'Whether it is the session of this request',
    'Session.userAgent': 'The user agent of the sign-in, as sent by the client',
    'getAltchaChallenge.action': 'The operation that the challenge is for',
    rawId: 'The identifier of the credential, the same as `id`, in base64url',
    clientDataJSON: 'The client data of the browser, in base64url',
    authenticatorData: 'The data of the authenticator, in base64url',
    signature: 'The signature, in base64url',
    userHandle: 'The owner of the passkey, as stored by the authenticator',
    attestationObject: 'The new public key with the attestation of the authenticator, in base64url',
    transports: 'How the browser reaches the authenticator',
    response: 'The result of the browser’s `navigator.credentials`, from its `toJSON()`',
    challenge: 'The challenge for the authenticator to sign; valid once, for five minutes',
    rp: 'The site that the passkey is bound to',
    rpId: 'The site that the passkey is bound to',
    user: 'The owner of the passkey, as displayed by the authenticator',
    displayName: 'The name that the authenticator displays',
    pubKeyCredParams: 'The accepted kinds of keys',
    alg: 'The COSE identifier of an algorithm',
    excludeCredentials: 'Passkeys that the user already has',
    allowCredentials: 'The accepted passkeys',
    authenticatorSelection: 'The requirements for the authenticator',
    residentKey: 'Whether the authenticator stores the passkey, so that it can sign in without an address',
    requireResidentKey: 'The same as `residentKey`, for older browsers',
    userVerification: 'Whether the authenticator verifies its user by PIN or biometrics',
    attestation: 'Whether the model of the authenticator is requested',
    'excludeCredentials.type': 'Always `public-key`',
    'allowCredentials.type': 'Always `public-key`',
    'pubKeyCredParams.type': 'Always `public-key`',
    'AuthenticationResponseJSON.type': 'Always `public-key`',
    'RegistrationResponseJSON.type': 'Always `public-key`',
  },
};
