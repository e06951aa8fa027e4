import { credentialProblems } from '#credentials';
import { defineProblems } from '../../platform/problems.ts';

const ofPeople = defineProblems({
  account_managed_by_team: {
    status: 403,
    title: 'The team manages this account',
    help: 'The directory of a team created your account, so you cannot delete it. Ask an administrator of the team to remove you in the directory first.',
  },
  address_managed_by_team: {
    status: 403,
    title: 'The team manages this address',
    help: 'The team’s provider identifies you by this address, so you cannot change it. An owner or administrator can release it with `PATCH /api/v1/team/members/{userId}` and `{"addressReleased": true}`.',
  },
  invalid_credentials: {
    status: 401,
    title: 'Wrong email address or password',
    help: 'No account has this address with this password. Check both, or reset the password.',
  },
  email_not_verified: {
    status: 403,
    title: 'Email address not confirmed',
    help: 'Enter the code that was mailed to the address, or request a new one with `resend-verification`.',
  },
  account_disabled: {
    status: 403,
    title: 'The account is disabled',
    help: 'The account or its team was disabled. Ask an administrator of the team, or the operator of the service.',
  },
  invalid_or_expired_code: {
    status: 400,
    title: 'Invalid code',
    help: 'The code is wrong, was already used, or has expired. Request a new one with `resend-verification`.',
  },
  invalid_or_expired_token: {
    status: 400,
    title: 'Invalid link',
    help: 'The link is wrong, used, replaced by a newer one, or expired. Request a new one.',
  },
  registration_by_invitation: {
    status: 403,
    title: 'Registration is by invitation',
    help: 'The operator closed registration (`REGISTRATION=invited`). Ask the owner or an administrator of a team for an invitation, or the operator for a new team. If you have an invitation, open its link. The response is the same for every address.',
  },
  account_exists: {
    status: 409,
    title: 'The address already has an account',
    help: 'The address of the invitation has an account. Sign in to that account. Then send the token of the invitation again, with your access token.',
  },
  password_unchanged: {
    status: 422,
    title: 'Password unchanged',
    help: 'Choose a password that differs from the current one.',
  },
  field_read_only: {
    status: 422,
    title: 'Read-only member',
    help: 'The profile accepts `firstName`, `lastName`, `timezone`, `email` and `onboardingCompletedAt`. Omit other members or send them unchanged.',
  },
  invalid_timezone: {
    status: 422,
    title: 'Unknown time zone',
    help: 'Send a name of the IANA time zone database, such as `Europe/Vienna`, or `UTC`.',
  },
  two_factor_already_enabled: {
    status: 409,
    title: 'Two-factor authentication is already on',
    help: 'To use another authenticator app, turn two-factor authentication off first. You can also create new backup codes.',
  },
  two_factor_not_enabled: {
    status: 409,
    title: 'Two-factor authentication is off',
    help: 'Set up an authenticator app with `enable-init`. To remove a passkey, delete it separately.',
  },
  invalid_passkey: {
    status: 401,
    title: 'The passkey is not accepted',
    help: 'The passkey is unknown or deleted. Or its response belongs to another challenge or page, or its counter decreased. Get new options and try again, or use another sign-in method.',
  },
  passkey_registered: {
    status: 409,
    title: 'The passkey is already registered',
    help: 'A passkey can be registered once. Use another device or security key.',
  },
  passkey_limit: {
    status: 409,
    title: 'Too many passkeys',
    help: 'A user has at most 20. Delete one that is no longer used.',
  },
  no_passkeys: {
    status: 409,
    title: 'No passkey',
    help: 'The user has registered no passkey. Use a password or code, or register one with `POST /api/v1/security/auth/passkeys/options`.',
  },
  sso_required: {
    status: 403,
    title: 'The team signs in through its own provider',
    help: 'Members of the team sign in through its identity provider. Open `GET /api/v1/security/auth/sso/start` with the address as `email`.',
  },
  sso_email_unverified: {
    status: 403,
    title: 'Address not verified by the provider',
    help: 'A first sign-in through a provider needs a verified `email` (`email_verified`, or `xms_edov` of Entra ID). A connection with `emailTrust` `domain` needs no such claim. Ask an administrator of the team, or of the provider.',
  },
  sso_link_required: {
    status: 403,
    title: 'The account is not linked with this sign-in',
    help: 'An account of the team has this address. A matching address is not enough to sign in. Sign in to the account with another method, then link it with `POST /api/v1/security/auth/sso/link`. If the team requires the provider, an administrator first sends `PATCH /api/v1/team/members/{userId}` with `{"addressReleased": true}`.',
  },
  sso_identity_conflict: {
    status: 403,
    title: 'The account belongs to another identity at the provider',
    help: 'The account is linked with another subject (`sub`) of the provider, so the address may have passed to another person. If it is the same person, an administrator unlinks the old identity with `DELETE /api/v1/team/sso/{id}/identities/{userId}`. If not, an administrator removes the former member or changes one of the addresses.',
  },
  sso_user_not_found: {
    status: 403,
    title: 'Unknown user',
    help: 'The team has not verified the domain of the address, the connection does not create accounts (`jit: false`), or an administrator removed the user. Ask an administrator of the team for an invitation.',
  },
  last_sign_in_method: {
    status: 409,
    title: 'The identity is the last sign-in method',
    help: 'Without this identity, the account has no password, passkey or other identity to sign in with. Set a password (`POST /api/v1/security/auth/request-password-reset`) or link another identity first. If the team requires the provider, an administrator can unlink the identity.',
  },
  not_team_owner: {
    status: 403,
    title: 'Only the owner can do this',
    help: 'A team has one owner. Only the owner can transfer it.',
  },
  already_owner: {
    status: 409,
    title: 'You already own the team',
    help: 'Name another active member of the team as `newOwnerId`.',
  },
  team_limit: {
    status: 409,
    title: 'Team limit reached',
    help: 'A person can be a member of 50 teams and own 20. Leave or close one of them first.',
  },
  team_closed: {
    status: 403,
    title: 'The team is closed to this sign-in',
    help: 'Your membership ended or was suspended after the sign-in, or the team requires its provider. The refresh token stays valid for your other teams: send their `teamId`.',
  },
  team_owner_must_transfer: {
    status: 409,
    title: 'Ownership transfer required',
    help: 'You own a team that has other members. Transfer the ownership with `transfer-ownership`, or remove the members. Then send the request again.',
  },
  team_legal_hold_active: {
    status: 409,
    title: 'Legal holds active in the team',
    help: 'If the only member deletes the account, the team closes, and no user could lift its legal holds. `GET /api/v1/smartdoc/holds/?status=standing` lists them. Lift each, or invite a member and transfer the ownership.',
  },
});

/** Errors of accounts and of their credentials. */
export const accountProblems = { ...ofPeople, ...credentialProblems };
