import { type Static, Type } from 'typebox';
import { closed, time } from '../../platform/schema-parts.ts';

const role = Type.Enum(['admin', 'member', 'viewer']);
const kind = Type.Enum(['entra', 'okta', 'other']);
const defaultRole = Type.Enum(['member', 'viewer']);
const id = Type.String({ maxLength: 64 });
const groupId = Type.String({ maxLength: 64, description: 'The group of the directory' });
const roleGroup = Type.Object({ groupId, role }, closed);
const days = { minimum: 0, maximum: 90 };

const texts = {
  connectionId: 'The provider connection whose sign-ins find users by `externalId`',
  roleGroups: 'Groups of the directory that decide the role of their members; the highest role counts',
  mayGiveAdmin: 'Whether role groups may appoint and dismiss administrators; the owner decides',
  successor: 'Who receives the work of a removed user: the manager in the directory, the owner, or `successorId`',
  successorId: 'The member who receives the work, if `successor` is `member`',
  ownerSuccessorId:
    'The member who becomes the owner if the directory deactivates the owner. The owner decides, and has created all valid tokens',
  removalDelayDays: 'Days between the deletion of a user in the directory and the removal from the team',
  isActive: 'Whether the tokens of the directory are valid',
} as const;

export const directory = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    kind,
    baseUrl: Type.String({ description: 'The SCIM URL to enter in the directory' }),
    connectionId: Type.Optional(Type.String({ description: texts.connectionId })),
    defaultRole,
    roleGroups: Type.Array(Type.Object({ groupId, role }), { description: texts.roleGroups }),
    mayGiveAdmin: Type.Boolean({ description: texts.mayGiveAdmin }),
    successor: Type.Enum(['manager', 'owner', 'member'], { description: texts.successor }),
    successorId: Type.Optional(Type.String({ description: texts.successorId })),
    ownerSuccessorId: Type.Optional(Type.String({ description: texts.ownerSuccessorId })),
    removalDelayDays: Type.Integer({ description: texts.removalDelayDays }),
    isActive: Type.Boolean({ description: texts.isActive }),
    usersCount: Type.Integer({ description: 'Users, deactivated ones included' }),
    pendingCount: Type.Integer({ description: 'Users who wait for their invitation, or for a link with a member' }),
    groupsCount: Type.Integer(),
    restorableSince: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Unusually many users were deactivated since this time; the restore operation undoes it',
      }),
    ),
    createdBy: Type.String(),
    createdByType: Type.Literal('user'),
    createdAt: time,
    updatedAt: time,
  },
  { title: 'Directory' },
);
export type Directory = Static<typeof directory>;

const settings = {
  connectionId: Type.Optional(Type.Union([id, Type.Null()], { description: texts.connectionId })),
  defaultRole: Type.Optional(Type.Enum(['member', 'viewer'], { description: 'The role of new users, by default `member`' })),
  roleGroups: Type.Optional(Type.Array(roleGroup, { maxItems: 50, description: texts.roleGroups })),
  mayGiveAdmin: Type.Optional(Type.Boolean({ description: texts.mayGiveAdmin })),
  successor: Type.Optional(Type.Enum(['manager', 'owner', 'member'], { description: texts.successor })),
  successorId: Type.Optional(Type.Union([id, Type.Null()], { description: texts.successorId })),
  ownerSuccessorId: Type.Optional(Type.Union([id, Type.Null()], { description: texts.ownerSuccessorId })),
  removalDelayDays: Type.Optional(Type.Integer({ ...days, description: texts.removalDelayDays })),
  isActive: Type.Optional(Type.Boolean({ description: texts.isActive })),
};
const name = Type.String({ minLength: 1, maxLength: 200 });

export const directoryBody = Type.Object({ name, kind, ...settings }, closed);
export type DirectoryBody = Static<typeof directoryBody>;
export const directoryPatch = Type.Object({ name: Type.Optional(name), ...settings }, { ...closed, minProperties: 1 });
export type DirectoryPatch = Static<typeof directoryPatch>;

export const deleteQuery = Type.Object({
  keep: Type.Optional(Type.Boolean({ description: 'Keep the users as they are; without it all active ones are suspended' })),
});

export const token = Type.Object(
  {
    id: Type.String(),
    token: Type.Optional(Type.String({ description: 'The token, shown once' })),
    createdBy: Type.String(),
    createdByType: Type.Literal('user'),
    createdAt: time,
    expiresAt: time,
    lastUsedAt: Type.Optional(time),
  },
  { title: 'DirectoryToken' },
);
export type Token = Static<typeof token>;
export const tokenBody = Type.Object(
  { expiresInDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, description: 'Days until the token expires, by default 365' })) },
  closed,
);
export const tokenParams = Type.Object({ id: Type.String(), tokenId: Type.String() });

export const logEntry = Type.Object(
  {
    id: Type.String(),
    at: time,
    method: Type.String(),
    path: Type.String(),
    status: Type.Integer(),
    scimType: Type.Optional(Type.String({ description: 'The type of the SCIM error' })),
    detail: Type.Optional(Type.String({ description: 'The detail of the error' })),
    attributes: Type.Array(Type.String(), { description: 'Names of the attributes in the request' }),
    requestId: Type.String(),
  },
  { title: 'DirectoryLogEntry' },
);
export type LogEntry = Static<typeof logEntry>;

const userStatus = ['pending', 'linked', 'conflict', 'withdrawn'] as const;
export const directoryUser = Type.Object(
  {
    id: Type.String({ description: 'The id of the user in SCIM' }),
    userName: Type.String(),
    externalId: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    status: Type.Enum([...userStatus], {
      description:
        '`pending`: invited. `linked`: a member. `conflict`: a member has the address, link the two. `withdrawn`: an administrator removed the member',
    }),
    active: Type.Boolean({ description: 'Whether the directory wants the user to be active' }),
    suspendedByTeam: Type.Boolean({ description: 'An administrator of the team suspended the member' }),
    userId: Type.Optional(Type.String({ description: 'The member' })),
    deletedAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'The directory deleted the user, who is removed after the delay' }),
    ),
    createdAt: time,
    updatedAt: time,
  },
  { title: 'DirectoryUser' },
);
export type DirectoryUser = Static<typeof directoryUser>;
export const userFilter = { status: Type.Optional(Type.Enum([...userStatus])) };

export const linkBody = Type.Object({ userId: id, scimUserId: id }, closed);
export type LinkBody = Static<typeof linkBody>;

export const restoreBody = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }, closed);
