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
  quotas: [{ name: 'documents', description: 'documents, those in the bin included', used: 218, limit: 5_000_000, unit: 'documents' }],
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

/** Operations over teams and people are closed to staff who have still to set up their second factor, where it is a must. */
const overTeams = ['totp_setup_required'];

export const description: DomainText = {
  operations: {
    staffLogin: {
      text: 'Signs in a member of staff, whose account was made on the command line. With a second factor the answer is a challenge, which `verifyStaffTotp` completes. The token opens what staff may and nothing of any team’s own API; the refresh token stands in a cookie of its own. Wrong passwords are slowed down as those of people are, and counted apart.',
      records: ['staff.login.succeeded'],
      problems: ['invalid_credentials', 'staff_inactive'],
      body: { email: desk.operator.email, password },
      answer: signedIn,
      otherAnswers: {
        secondFactor: { twoFactorRequired: true, challengeId: desk.challenge, expiresIn: 300, methods: ['totp', 'backup_code'] },
      },
    },
    verifyStaffTotp: {
      text: 'Completes the sign-in of a member of staff with a code of the authenticator app, or a backup code, and answers like `staffLogin`. A challenge has five tries and one success.',
      records: ['staff.login.succeeded'],
      problems: ['staff_inactive', '401 invalid_code', 'second_factor_locked', 'invalid_challenge'],
      body: { challengeId: desk.challenge, code: '428913' },
      answer: signedIn,
    },
    refreshStaff: {
      text: 'Renews the tokens of a member of staff by the refresh token, from the body or from the cookie. Each is good for one renewal; one that comes back later ends the session. A session of staff ends after 8 hours without a renewal, and after 24 in all.',
      problems: ['cross_origin_refused', 'invalid_refresh_token', 'refresh_token_superseded', 'refresh_token_reused'],
      body: { refreshToken: desk.refreshToken },
      answer: { accessToken: desk.accessToken, refreshToken: desk.refreshToken },
    },
    staffLogout: {
      text: 'Ends the session of the member of staff that calls it. Its tokens are good for nothing from the next request on, on every node, and the cookie is taken away.',
      records: ['staff.logout'],
      answer: { ok: true },
    },
    getStaffProfile: {
      text: 'Shows the member of staff who asks, and whether their second factor is set up: what a console asks first after a sign-in.',
      answer: staff,
    },
    reauthenticateStaff: {
      text: 'Proves again who one is, by the password or a code, for what asks for it with 401 `reauthentication_required`. This session is raised for 15 minutes.',
      records: ['staff.session.reauthenticated'],
      problems: ['invalid_code', 'invalid_current_password', 'second_factor_locked'],
      body: { code: '428913' },
      answer: { accessToken: desk.accessToken },
    },
    setStaffPassword: {
      text: 'Sets the password of a member of staff with the token of the link that the command line printed, good for 24 hours and once. All of their sessions end. A password that the policy refuses leaves the link good.',
      records: ['staff.password.set'],
      problems: ['invalid_or_expired_token'],
      body: { token: desk.refreshToken, password },
    },
    beginStaffTotpSetup: {
      text: 'Begins to set up an authenticator app for a member of staff: its secret as an address for a QR code, and ten backup codes, shown in this answer alone. It takes a sign-in of the last 15 minutes. Begun again, the one before is void.',
      records: ['staff.totp.setup_started'],
      problems: ['reauthentication_required', 'two_factor_already_enabled'],
      answer: {
        setupId,
        totpUri: 'otpauth://totp/Chancery:operator@chancery.example?secret=JBSWY3DPEHPK3PXP&issuer=Chancery',
        backupCodes,
      },
    },
    confirmStaffTotpSetup: {
      text: 'Turns the second factor of a member of staff on with the first code of the app. Every other session of theirs ends.',
      records: ['staff.totp.enabled'],
      problems: ['two_factor_already_enabled', 'invalid_setup', 'invalid_code'],
      body: { setupId, code: '428913' },
      answer: { ok: true },
    },
    regenerateStaffBackupCodes: {
      text: 'Gives a member of staff ten new backup codes, shown in this answer alone; the old ones are void. It takes a sign-in of the last 15 minutes with the second factor.',
      records: ['staff.totp.codes_regenerated'],
      problems: ['reauthentication_required', 'two_factor_not_enabled'],
      answer: { backupCodes },
    },
    disableStaffTotp: {
      text: 'Takes the second factor of a member of staff away, where the service does not demand one (`STAFF_REQUIRE_TOTP`). It takes a recent sign-in with the second factor, or a proof in the body.',
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
      text: 'Lists the teams of the service, the newest first; `q` finds a part of the name, `status` those that are active, suspended or closed. Nothing of what is in a team is shown.',
      problems: overTeams,
      answer: [team],
    },
    getTeamAsStaff: {
      text: 'Shows one team: its name, state, and how many people it has. What lies in the team is not for staff.',
      problems: overTeams,
      answer: team,
    },
    suspendTeam: {
      text: 'Suspends a team: its people and API clients are shut out at their next request, on every node, until it is restored. Nothing of theirs is lost, and their webhooks and timers go on. The reason stands in the team’s journal. A team that is not active is 409.',
      records: ['team.suspended'],
      problems: [...overTeams, 'team_not_active'],
      body: { reason: 'Unpaid invoice 17' },
      answer: { ...team, status: 'suspended' },
    },
    restoreTeam: {
      text: 'Lets a suspended team in again: the sessions and secrets of before work as they did, as far as they have not ended by themselves meanwhile. The reason stands in the team’s journal.',
      records: ['team.restored'],
      problems: [...overTeams, 'team_not_suspended'],
      body: { reason: 'Invoice 17 was paid' },
      answer: team,
    },
    getTeamQuotas: {
      text: 'Lists what a team has used of each of its quotas, with the limits that hold for it: those of the settings, or its own.',
      problems: overTeams,
      answer: quotas,
    },
    updateTeamQuotas: {
      text: 'Gives a team limits of its own for the quotas that are named; `null` puts one back to what the settings say. What a team has above a lower limit stays, and nothing more is added. The change stands in the team’s journal with its reason, and a repetition changes nothing.',
      records: ['team.quotas_changed'],
      problems: overTeams,
      body: { quotas: { documents: 5_000_000 }, reason: 'Contract of March' },
      answer: quotas,
    },
    listUsers: {
      text: 'Lists people over all teams, the newest first; `q` finds a part of a name or address, `teamId` the people of one team.',
      problems: overTeams,
      answer: [user],
    },
    getUser: {
      text: 'Shows one person: the team they are in, their state, and whether they have a second factor. A deleted account is a tombstone without personal data.',
      problems: overTeams,
      answer: user,
    },
    unlockUser: {
      text: 'Gives a person back the tries that wrong passwords and codes have used up, so that they sign in at once. Passwords, factors and sessions stay as they are. The reason stands in the team’s journal.',
      records: ['user.unlocked'],
      problems: overTeams,
      body: { reason: 'Called from the number on file' },
      answer: user,
    },
    disableTwoFactorOfUser: {
      text: 'Takes the second factors of a person away, passkeys among them, for somebody who has lost all of them and has shown otherwise who they are. Their sessions end, they are told by mail, and API clients that they answer for wait to be taken over. It takes a sign-in of the last 15 minutes with the second factor of whoever does it; the reason stands in the team’s journal.',
      records: ['twofactor.disabled'],
      problems: [...overTeams, 'reauthentication_required', 'two_factor_not_enabled'],
      body: { reason: 'Identity shown in a video call, ticket 4711' },
      answer: { ...user, twoFactorEnabled: false },
    },
    revokeSessionsOfUser: {
      text: 'Signs a person out everywhere: their tokens are good for nothing from the next request on, on every node. They may sign in again at once. The reason stands in the team’s journal.',
      records: ['session.all_revoked'],
      problems: overTeams,
      body: { reason: 'A stolen laptop' },
      answer: user,
    },
    listServiceJournal: {
      text: 'Reads the journal of the service itself, which belongs to no team: sign-ins and acts of staff, and rotations of keys, newest first unless `sort` says otherwise. What staff did to a team stands in the journal of that team.',
      answer: journal,
    },
  },
  members: {
    totpEnabled: 'Whether the second factor is set up',
    lastLoginAt: 'When they signed in last',
    ok: 'Always `true`',
    membersCount: 'How many people it has',
    'StaffTeam.status': '`active`, `suspended` or `closed`',
    'StaffUser.status': '`active`, `disabled` by the team, or `deleted`',
    'Staff.isActive': '`false` while the account is disabled',
    'listTeams.status': 'Only teams in this state',
    'listUsers.teamId': 'Only people of this team',
  },
};
