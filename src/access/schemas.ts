import { type Static, Type } from 'typebox';
import { seatMembers } from '#teams';
import { actorTypes } from '../platform/scope.ts';
import { closed, time } from '../platform/schema-parts.ts';

/** The principal of a share: exactly one of the three members. */
export const principal = {
  userId: Type.Optional(Type.String({ maxLength: 64, description: 'The member. Give one of `userId`, `groupId` and `team`.' })),
  groupId: Type.Optional(Type.String({ maxLength: 64, description: 'The group; its current members have the access' })),
  team: Type.Optional(Type.Literal(true, { description: 'The whole team, with those who join later' })),
};
export type PrincipalBody = {
  userId?: string | undefined;
  groupId?: string | undefined;
  team?: boolean | undefined;
  clientId?: string | undefined;
};

/** The principal of a share or grant, as responses show it. */
export const shownPrincipal = {
  userId: Type.Optional(Type.String({ description: 'The member, unless it is a group or the whole team' })),
  groupId: Type.Optional(Type.String({ description: 'The group' })),
  team: Type.Optional(Type.Literal(true, { description: 'The whole team' })),
  clientId: Type.Optional(Type.String({ description: 'The API client, which binds forms' })),
};

const access = Type.Enum(['read', 'write', 'bind']);

/** The body of a share. `reading` describes read access to the resource. */
export const shareBody = (reading?: string) =>
  Type.Object({
    ...principal,
    access: Type.Enum(['read', 'write'], reading === undefined ? {} : { description: reading }),
  });

/** The body of a share that may also let an API client bind forms. */
export const bindableShareBody = Type.Object({
  ...principal,
  clientId: Type.Optional(Type.String({ maxLength: 64, description: 'The API client, with `access: bind`' })),
  access: Type.Enum(['read', 'write', 'bind'], { description: '`bind` lets an API client bind its forms to the resource' }),
});
export type ShareBody = Static<typeof bindableShareBody>;

/** The query of a route that revokes a share. */
export const revokeQuery = Type.Object({
  cascade: Type.Optional(Type.Boolean({ description: 'Also end the access that the principal of the share gave to others through tasks' })),
});
export type Revoke = Static<typeof revokeQuery>;

/** The response of a route that revokes a share of documents. */
export const revokedGrant = Type.Object(
  {
    dependentGrants: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          documentId: Type.String(),
          userId: Type.Optional(Type.String({ description: 'The assignee of the task, who keeps the access' })),
          groupId: Type.Optional(Type.String({ description: 'The group of the task, whose members keep the access' })),
          taskId: Type.String(),
          grantedBy: Type.String({ description: 'The person who added the document to the task; a principal of the share' }),
          since: time,
        },
        { title: 'DependentGrant' },
      ),
      {
        description:
          'The grants that remain: the principal of the share gave other users access to documents through tasks. Lists the oldest 1 000 that the caller can see. Revoke one with `DELETE` on the access of the document. With `cascade=true` the list is empty.',
      },
    ),
  },
  { title: 'RevokedGrant' },
);
export type RevokedGrant = Static<typeof revokedGrant>;

/** The people with access to a resource, the reason, and the start time. */
export const accessList = Type.Object(
  {
    grants: Type.Array(
      Type.Object(
        {
          id: Type.Optional(Type.String({ description: 'The identifier, if the access can be revoked' })),
          ...shownPrincipal,
          access,
          reason: Type.Enum(['owner', 'share', 'task', 'role']),
          folderId: Type.Optional(Type.String({ description: 'The folder of the share' })),
          taskId: Type.Optional(Type.String()),
          grantedBy: Type.Optional(Type.String()),
          since: Type.Optional(time),
          barred: Type.Optional(Type.Literal(true, { description: 'An information barrier excludes this person' })),
        },
        { title: 'AccessGrant' },
      ),
    ),
    privilegedAccess: Type.Array(
      Type.Object({ id: Type.String(), type: Type.String(), userId: Type.String(), at: time, version: Type.Optional(Type.Integer()) }),
      { description: 'The newest 500 actions of administrators that only their role allowed' },
    ),
  },
  { title: 'AccessList' },
);
export type AccessList = Static<typeof accessList>;
export const grant = accessList.properties.grants.items;
export type Grant = Static<typeof grant>;

export const group = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.Optional(Type.String()),
    directoryId: Type.Optional(Type.String({ description: 'The directory that manages the group, if any' })),
    membersCount: Type.Integer(),
    createdBy: Type.String(),
    createdByType: Type.String({ enum: [...actorTypes] }),
    createdAt: time,
    updatedAt: time,
  },
  { title: 'Group' },
);
export type Group = Static<typeof group>;
const name = Type.String({ minLength: 1, maxLength: 200, description: 'Unique in the team, regardless of case' });
const description = Type.Optional(Type.Union([Type.String({ maxLength: 2_000 }), Type.Null()]));
export const groupBody = Type.Object({ name, description });
export type GroupBody = Static<typeof groupBody>;
export const groupPatch = Type.Object({ name: Type.Optional(name), description }, { minProperties: 1 });
export type GroupPatch = Static<typeof groupPatch>;

export const groupMember = Type.Object(
  {
    userId: Type.String(),
    addedBy: Type.String({ description: 'The person who added the member' }),
    addedAt: Type.String({ format: 'date-time', description: 'The time when the member was added' }),
  },
  { title: 'GroupMember' },
);
export type GroupMember = Static<typeof groupMember>;
export const groupMemberBody = Type.Object({ userId: Type.String({ maxLength: 64 }) });
export const groupMemberParams = Type.Object({ id: Type.String(), userId: Type.String() });

const uses = (of: string) => Type.Integer({ description: of });
/** The number of uses of a group. */
export const groupUses = Type.Object(
  {
    shares: uses('Shares with the group'),
    barriers: uses('Information barriers with the group as a member'),
    tasks: uses('Open tasks of the group'),
    steps: uses('Steps of unfinished workflows'),
    templates: uses('Workflow templates'),
    policies: uses('Approval policies'),
  },
  { ...closed, title: 'GroupUses' },
);
export const deleteGroupQuery = Type.Object({
  force: Type.Optional(Type.Boolean({ description: 'Deletes the group also while tasks, steps, templates or approval policies name it' })),
});

const end = Type.String({ format: 'date-time', description: 'The end of the membership, at most 400 days from now' });
export const auditorBody = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 320 }),
  endsAt: Type.Optional(end),
  ...seatMembers,
});
export type AuditorBody = Static<typeof auditorBody>;
export const auditorPatch = Type.Partial(Type.Object({ endsAt: end, ...seatMembers }), { minProperties: 1 });
export type AuditorPatch = Static<typeof auditorPatch>;
export const auditor = Type.Object(
  {
    userId: Type.String(),
    email: Type.String(),
    endsAt: end,
    ...seatMembers,
    things: Type.Array(
      Type.Object({ type: Type.Enum(['folder', 'document'], { description: 'The type of the resource' }), id: Type.String() }, closed),
      {
        description: 'The folders, with everything below them, and the documents',
      },
    ),
    createdAt: time,
    updatedAt: time,
  },
  { ...closed, title: 'Auditor' },
);
export type Auditor = Static<typeof auditor>;
export const auditorParams = Type.Object({ userId: Type.String() });
