import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

const staff = { ...desk.operator, isActive: true, totpEnabled: true, createdAt: desk.monday, lastLoginAt: desk.tuesday };
const signedIn = { accessToken: desk.accessToken, staff };
const password = 'Switchboard-operator';
const backupCodes = ['7KQ4-XN2M-9PZT', 'R3VB-6HJD-WY8C'];
const setupId = '019d2f4e-6a00-7c2b-9a54-000000000026';

const team = { id: desk.team.id, name: desk.team.name, status: 'active', membersCount: 4, createdAt: desk.monday };
const user = {
  ...desk.priya,
  teamId: desk.team.id,
  role: 'member',
  status: 'active',
  twoFactorEnabled: true,
  createdAt: desk.monday,
};
const quotas = {
  teamId: desk.team.id,
  quotas: [{ name: 'documents', description: 'documents, including those in the bin', used: 218, limit: 5_000_000, unit: 'documents' }],
};
const journal = {
  events: [
    {
      id: desk.entry,
      type: 'staff.login.succeeded',
      actor: { type: 'staff', id: desk.operator.id },
      teamId: '00000000-0000-0000-0000-000000000000',
      target: { type: 'session', id: desk.session },
      at: desk.tuesday,
      ip: '203.0.113.80',
      data: { amr: ['pwd', 'otp'] },
    },
  ],
};

/** If a second factor is mandatory, staff without one cannot call operations on teams and users. */
const overTeams = ['totp_setup_required'];

export const description: DomainText = {
  operations: {
    staffLogin: {
      text: 'Signs in a member of staff, whose account was created on the command line. With a second factor the response is a challenge, which `verifyStaffTotp` completes. The token gives access to the staff operations only, not to any team’s API. The refresh token is in a separate cookie. Wrong passwords slow down further attempts, counted separately from those of users.',
      records: ['staff.login.succeeded'],
      problems: ['invalid_credentials', 'staff_inactive'],
      body: { email: desk.operator.email, password },
      answer: signedIn,
      otherAnswers: {
        secondFactor: { twoFactorRequired: true, challengeId: desk.challenge, expiresIn: 300, methods: ['totp', 'backup_code'] },
      },
    },
    verifyStaffTotp: {
      text: 'Completes a staff sign-in with a code of the authenticator app or a backup code. The response is that of `staffLogin`. A challenge has five attempts and one success.',
      records: ['staff.login.succeeded'],
      problems: ['staff_inactive', '401 invalid_code', 'second_factor_locked', 'invalid_challenge'],
      body: { challengeId: desk.challenge, code: '428913' },
      answer: signedIn,
    },
    refreshStaff: {
      text: 'Renews the tokens of a member of staff with the refresh token from the body or the cookie. Each works once; a later reuse ends the session. A staff session ends after 8 hours without a renewal, and after 24 hours in all.',
      problems: ['cross_origin_refused', 'invalid_refresh_token', 'refresh_token_superseded', 'refresh_token_reused'],
      body: { refreshToken: desk.refreshToken },
      answer: { accessToken: desk.accessToken, refreshToken: desk.refreshToken },
    },
    staffLogout: {
      text: 'Ends the staff session of the caller. Its tokens are invalid from the next request on, on every node, and the cookie is removed.',
      records: ['staff.logout'],
      answer: { ok: true },
    },
    getStaffProfile: {
      text: 'Shows the calling member of staff, and whether their second factor is set up. A console calls it first after a sign-in.',
      answer: staff,
    },
    reauthenticateStaff: {
      text: 'Confirms the identity of the caller with the password or a code, after a 401 `reauthentication_required`. It raises this session for 15 minutes.',
      records: ['staff.session.reauthenticated'],
      problems: ['invalid_code', 'invalid_current_password', 'second_factor_locked'],
      body: { code: '428913' },
      answer: { accessToken: desk.accessToken },
    },
    setStaffPassword: {
      text: 'Sets the password of a member of staff with the token of the link from the command line, valid for 24 hours and once. All their sessions end. A password that violates the policy leaves the link valid.',
      records: ['staff.password.set'],
      problems: ['invalid_or_expired_token'],
      body: { token: desk.refreshToken, password },
    },
    beginStaffTotpSetup: {
      text: 'Starts the setup of an authenticator app for a member of staff. The response, and no other, shows its secret as a URI for a QR code and ten backup codes. It needs a sign-in of the last 15 minutes. A new setup invalidates the previous one.',
      records: ['staff.totp.setup_started'],
      problems: ['reauthentication_required', 'two_factor_already_enabled'],
      answer: {
        setupId,
        totpUri: 'otpauth://totp/Chancery:operator@chancery.example?secret=JBSWY3DPEHPK3PXP&issuer=Chancery',
        backupCodes,
      },
    },
    confirmStaffTotpSetup: {
      text: 'Turns on the second factor of a member of staff with the first code of the app. All their other sessions end.',
      records: ['staff.totp.enabled'],
      problems: ['two_factor_already_enabled', 'invalid_setup', 'invalid_code'],
      body: { setupId, code: '428913' },
      answer: { ok: true },
    },
    regenerateStaffBackupCodes: {
      text: 'Replaces the ten backup codes of a member of staff; only this response shows them. It needs a sign-in of the last 15 minutes with the second factor.',
      records: ['staff.totp.codes_regenerated'],
      problems: ['reauthentication_required', 'two_factor_not_enabled'],
      answer: { backupCodes },
    },
    disableStaffTotp: {
      text: 'Removes the second factor of a member of staff, unless the service requires one (`STAFF_REQUIRE_TOTP`). It needs a recent sign-in with the second factor, or a proof in the body.',
      records: ['staff.totp.disabled'],
      problems: [
        'reauthentication_required',
        'two_factor_not_enabled',
        'totp_mandatory',
        'invalid_code',
        'invalid_current_password',
        'second_factor_locked',
      ],
      body: { code: '428913' },
      answer: { ok: true },
    },
    listTeams: {
      text: 'Lists the teams of the service, the newest first. `q` matches a part of the name; `status` selects active, suspended or closed teams. The content of teams is not shown.',
      problems: overTeams,
      answer: [team],
    },
    getTeamAsStaff: {
      text: 'Shows the name, status and number of members of a team. Staff cannot see its content.',
      problems: overTeams,
      answer: team,
    },
    suspendTeam: {
      text: 'Suspends a team. Its members and API clients lose access at their next request, on every node, until it is restored. No data is lost, and its webhooks and timers continue. The team’s journal records the reason. A team that is not active returns 409.',
      records: ['team.suspended'],
      problems: [...overTeams, 'team_not_active'],
      body: { reason: 'Unpaid invoice 17' },
      answer: { ...team, status: 'suspended' },
    },
    restoreTeam: {
      text: 'Restores a suspended team. Earlier sessions and secrets work again unless they have expired. The team’s journal records the reason.',
      records: ['team.restored'],
      problems: [...overTeams, 'team_not_suspended'],
      body: { reason: 'Invoice 17 was paid' },
      answer: team,
    },
    getTeamQuotas: {
      text: 'Lists the usage of each quota of a team with its limit, from the settings or its own.',
      problems: overTeams,
      answer: quotas,
    },
    updateTeamQuotas: {
      text: 'Sets a team’s own limits for the named quotas; `null` restores the limit of the settings. Usage above a lower limit stays, but cannot grow. The team’s journal records the change with its reason. A repetition changes nothing.',
      records: ['team.quotas_changed'],
      problems: overTeams,
      body: { quotas: { documents: 5_000_000 }, reason: 'Contract of March' },
      answer: quotas,
    },
    listUsers: {
      text: 'Lists the users of all teams, the newest first. `q` matches a part of a name or address; `teamId` selects one team.',
      problems: overTeams,
      answer: [user],
    },
    getUser: {
      text: 'Shows a user with their team, status and the state of the second factor. A deleted account has no personal data.',
      problems: overTeams,
      answer: user,
    },
    unlockUser: {
      text: 'Resets the counts of wrong passwords and codes of a user, so that they can sign in at once. Passwords, factors and sessions stay as they are. The team’s journal records the reason.',
      records: ['user.unlocked'],
      problems: overTeams,
      body: { reason: 'Called from the number on file' },
      answer: user,
    },
    disableTwoFactorOfUser: {
      text: 'Removes the second factors of a user, including passkeys, after they lost all of them and proved their identity otherwise. Their sessions end, they get a mail, and their API clients wait for a takeover. The caller needs a sign-in of the last 15 minutes with the second factor. The team’s journal records the reason.',
      records: ['twofactor.disabled'],
      problems: [...overTeams, 'reauthentication_required', 'two_factor_not_enabled'],
      body: { reason: 'Identity shown in a video call, ticket 4711' },
      answer: { ...user, twoFactorEnabled: false },
    },
    revokeSessionsOfUser: {
      text: 'Ends all sessions of a user: their tokens are invalid from the next request on, on every node. They may sign in again at once. The team’s journal records the reason.',
      records: ['session.all_revoked'],
      problems: overTeams,
      body: { reason: 'A stolen laptop' },
      answer: user,
    },
    listServiceJournal: {
      text: 'Lists the journal of the service, which belongs to no team: sign-ins and actions of staff, and key rotations. The newest come first unless `sort` says otherwise. Staff actions on a team are in the journal of that team.',
      answer: journal,
    },
  },
  members: {
    totpEnabled: 'Whether the second factor is set up',
    lastLoginAt: 'The time of the last sign-in',
    ok: 'Always `true`',
    membersCount: 'The number of members',
    'StaffTeam.status': '`active`, `suspended` or `closed`',
    'StaffUser.status': '`active`, `disabled` by the team, or `deleted`',
    'Staff.isActive': '`false` while the account is disabled',
    'listTeams.status': 'Only teams in this state',
    'listUsers.teamId': 'Only users of this team',
  },
};
