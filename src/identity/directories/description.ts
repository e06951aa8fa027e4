import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

const id = '019aa0de-7c1f-7d63-9d57-0b7c0d5e4d01';
const group = '019aa0de-7c1f-7d63-9d57-0b7c0d5e4d02';
const directory = {
  id,
  name: 'Entra ID',
  kind: 'entra',
  baseUrl: 'https://api.example.com/scim/v2',
  connectionId: desk.connection,
  defaultRole: 'member',
  roleGroups: [{ groupId: group, role: 'viewer' }],
  mayGiveAdmin: false,
  successor: 'manager',
  removalDelayDays: 7,
  isActive: true,
  usersCount: 42,
  pendingCount: 1,
  groupsCount: 3,
  createdBy: desk.olivia.id,
  createdByType: 'user',
  createdAt: desk.monday,
  updatedAt: desk.tuesday,
};
const fresh = { ...directory, roleGroups: [], usersCount: 0, pendingCount: 0, groupsCount: 0, updatedAt: desk.monday };
const token = {
  id: '019aa0de-7c1f-7d63-9d57-0b7c0d5e4d03',
  createdBy: desk.olivia.id,
  createdByType: 'user',
  createdAt: desk.monday,
  expiresAt: '2027-01-05T09:00:00.000Z',
};
const user = {
  id: '019aa0de-7c1f-7d63-9d57-0b7c0d5e4d04',
  userName: 'priya@northwind.example',
  externalId: '0b7c0d5e-1f7d-4d63-9d57-7c1f7d639d57',
  email: 'priya@northwind.example',
  status: 'linked',
  active: true,
  suspendedByTeam: false,
  userId: desk.priya.id,
  createdAt: desk.monday,
  updatedAt: desk.tuesday,
};
const recent = 'It needs an owner or administrator who signed in within 15 minutes.';

export const description: DomainText = {
  operations: {
    listDirectories: {
      text: 'Lists the directories of the team with their settings and counts. A team has at most five.',
      answer: [directory],
    },
    createDirectory: {
      text: `Connects a directory, such as Entra ID or Okta, which creates, changes and suspends members and groups over SCIM 2.0. Create a token next, and enter \`baseUrl\` and the token in the directory. ${recent} Only the owner sets \`mayGiveAdmin\` and \`ownerSuccessorId\`.`,
      records: ['directory.created'],
      problems: ['reauthentication_required', 'directory_limit', 'invalid_directory_setting'],
      body: { name: directory.name, kind: 'entra', connectionId: desk.connection, successor: 'manager' },
      answer: fresh,
    },
    getDirectory: {
      text: 'Shows the settings of a directory, with the numbers of its users and groups, and whether many users can be restored.',
      answer: directory,
    },
    updateDirectory: {
      text: `Changes the given settings. They apply to the next request of the directory. \`isActive: false\` rejects its tokens. ${recent}`,
      records: ['directory.updated'],
      problems: ['reauthentication_required', 'invalid_directory_setting'],
      body: { roleGroups: directory.roleGroups },
      answer: directory,
    },
    deleteDirectory: {
      text: `Deletes a directory with its tokens and its log. Its groups stay as groups of the team, with their members and shares. With \`keep=true\` its users stay as they are; otherwise all active ones except the owner are suspended within minutes. ${recent}`,
      records: ['directory.deleted'],
      problems: ['reauthentication_required'],
    },
    listDirectoryTokens: {
      text: 'Lists the tokens of a directory with their end and their last use. It never shows a token.',
      answer: [token],
    },
    createDirectoryToken: {
      text: `Creates a token for the SCIM requests of a directory. The response shows it once. A directory has at most two valid tokens, so that a new one can replace the old one. Owner and administrators get a mail 30 and 7 days before the end. ${recent}`,
      records: ['directory.token_created'],
      problems: ['reauthentication_required', 'token_limit'],
      body: { expiresInDays: 365 },
      answer: { ...token, token: '2IzwVx3kWnj05MybleEebS1fKFP2RMVx2Vjeo9kAbCd' },
    },
    deleteDirectoryToken: {
      text: 'Deletes a token of a directory. It ends at once: the next request with it gets 401. A repetition is 404.',
      records: ['directory.token_deleted'],
    },
    listDirectoryLog: {
      text: 'Lists the last 1 000 requests of the directory of the last 30 days, newest first. It shows names of attributes, and no values.',
      answer: [
        {
          id: '019aa0de-7c1f-7d63-9d57-0b7c0d5e4d05',
          at: desk.tuesday,
          method: 'PATCH',
          path: `/scim/v2/Users/${user.id}`,
          status: 200,
          attributes: ['active'],
          requestId: '019aa0de-7c1f-7d63-9d57-0b7c0d5e4d06',
        },
      ],
    },
    listDirectoryUsers: {
      text: 'Lists the users of a directory, including deleted ones before their removal. A user with the status `conflict` has the address of a member: link the two.',
      answer: [user],
    },
    linkDirectoryUser: {
      text: `Links a user of the directory with a member of the team. From then on the directory activates and deactivates the member. Use it if a member has the address of the user, and the domain is not verified. ${recent}`,
      records: ['directory.user_linked'],
      problems: ['reauthentication_required', 'member_not_found', 'user_not_linkable'],
      body: { userId: desk.priya.id, scimUserId: user.id },
      answer: user,
    },
    restoreDirectoryUsers: {
      text: `Restores the users deactivated by the directory within two hours from \`restorableSince\`. It is possible if more than ten users, and more than a fifth, were deactivated within an hour. Users removed by an administrator stay removed. ${recent}`,
      records: ['directory.users_restored'],
      problems: ['reauthentication_required'],
    },
    restoreDirectoryUsersByLink: {
      text: 'Restores them with the token of the link in the mail to owner and administrators. The link works once, for 7 days.',
      records: ['directory.users_restored'],
      problems: ['invalid_restore_link'],
      body: { token: '2IzwVx3kWnj05MybleEebS1fKFP2RMVx2Vjeo9kAbCd' },
    },
  },
  members: {
    'Directory.kind': 'The product of the directory',
    'CreateDirectoryRequest.kind': 'The product of the directory. With `entra` a sign-in is found by `oid`, otherwise by `sub`',
    'Directory.defaultRole': 'The role of new users',
    'DirectoryLogEntry.method': 'The HTTP method',
    'DirectoryLogEntry.path': 'The path without the query',
    'LinkDirectoryUserRequest.scimUserId': 'The user of the directory',
    'listDirectoryUsers.status': 'Only users with this status',
    usersCount: 'Users of the directory, deactivated ones included',
    groupsCount: 'Groups of the directory',
    'DirectoryLogEntry.attributes': 'Names of the attributes in the request',
    'DirectoryUser.externalId': 'The identifier of the user in the directory',
    'DirectoryUser.userName': 'The name of the user in the directory',
  },
};
