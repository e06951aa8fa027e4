import { type Static, type TObject, Type } from 'typebox';
import { itemsOf, resultsOf } from '../../platform/http/bulk.ts';
import { idsFilter, searchFilter } from '../../platform/http/page.ts';
import { closed, time, undeliverable } from '../../platform/schema-parts.ts';

const personName = Type.String({ maxLength: 1_000 });
const email = Type.String({ minLength: 1, maxLength: 320 });
const token = Type.String({ minLength: 1, maxLength: 200 });
/** Roles that a user can be given; `owner` is not one of them. */
const role = Type.Enum(['admin', 'member', 'viewer', 'guest']);

const shownRole = Type.Enum(['admin', 'member', 'viewer', 'guest', 'auditor']);

/** A resource that a guest gets with the membership. */
export const grantedResource = Type.Object(
  {
    type: Type.Enum(['folder', 'document'], { description: 'The type of the resource' }),
    id: Type.String({ maxLength: 64 }),
    relation: Type.Enum(['viewer', 'editor'], { description: 'To read, or to read and write' }),
  },
  { ...closed, title: 'GuestAccess' },
);
export type GrantedResource = Static<typeof grantedResource>;

/** The seat of an auditor: the resources, and the period of the journal about them. */
export const seatMembers = {
  journalFrom: Type.String({ format: 'date-time', description: 'The begin of the period of the journal' }),
  journalTo: Type.String({ format: 'date-time', description: 'The end of the period, exclusive' }),
  mayExport: Type.Boolean({ description: 'Whether the auditor downloads archives and exports the journal' }),
  things: Type.Array(
    Type.Object(
      { type: Type.Enum(['folder', 'document'], { description: 'The type of the resource' }), id: Type.String({ maxLength: 64 }) },
      closed,
    ),
    {
      minItems: 1,
      maxItems: 100,
      description: 'The folders, with everything below them, and the documents',
    },
  ),
};
export type Seat = Static<TObject<typeof seatMembers>>;

const endsAt = Type.Optional(Type.String({ format: 'date-time', description: 'The end of the membership of a guest or auditor' }));
const sponsorId = Type.Optional(Type.String({ maxLength: 64, description: 'The member who answers for a guest' }));
const access = Type.Optional(Type.Array(grantedResource, { maxItems: 100, description: 'The resources that a guest gets' }));

export const team = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    timezone: Type.String({ description: 'IANA time zone of the team; decides when its days begin and end' }),
    ownerId: Type.String(),
    membersCount: Type.Integer({ description: 'Number of members, including suspended ones' }),
    clientsAwaitTakeover: Type.Boolean({
      description: 'Whether API clients with write scopes are suspended until a takeover when their responsible user leaves or is reset',
    }),
    fourEyes: Type.Boolean({
      description: 'Whether the creator of a workflow, the uploader of the version and submitters of its forms cannot approve or review',
    }),
    createdAt: time,
    updatedAt: time,
  },
  { title: 'Team' },
);
export type Team = Static<typeof team>;

export const teamBody = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 1_000 })),
    timezone: Type.Optional(Type.String({ maxLength: 100 })),
    clientsAwaitTakeover: Type.Optional(Type.Boolean()),
    fourEyes: Type.Optional(
      Type.Boolean({ description: 'Whether creators, uploaders and submitters cannot approve or review their own work' }),
    ),
  },
  { minProperties: 1 },
);
export type UpdateTeam = Static<typeof teamBody>;

export const policy = Type.Object(
  {
    secondFactor: Type.Boolean({ description: 'Whether sign-ins without a second factor reach the own profile only' }),
    sessionHours: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_160, description: 'Hours after which a sign-in must be proven again' }),
    ),
    guestDaysMax: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 730, description: 'The longest time until the end of a guest, in days; default: 180' }),
    ),
    guestDomains: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
        maxItems: 100,
        description: 'The domains of guests. Empty: all except the verified domains of the team',
      }),
    ),
    membersMaySponsor: Type.Optional(
      Type.Boolean({ description: 'Whether members invite guests to their own resources; default: `false`' }),
    ),
  },
  { additionalProperties: false, title: 'TeamPolicy' },
);
export type Policy = Static<typeof policy>;

const memberRole = Type.Enum(['owner', 'admin', 'member', 'viewer', 'guest', 'auditor']);
export const memberFilters = {
  ...searchFilter('name or email address'),
  ...idsFilter,
  role: Type.Optional(Type.Array(memberRole, { maxItems: 6, description: 'Only members with this role; repeatable' })),
};

export const member = Type.Object(
  {
    id: Type.String(),
    email: Type.Optional(Type.String({ description: 'Visible to owner, administrators and API clients' })),
    undeliverable: Type.Optional(undeliverable),
    firstName: Type.String(),
    lastName: Type.String(),
    role: memberRole,
    isActive: Type.Boolean({ description: '`false` while the member is suspended' }),
    endsAt,
    sponsorId,
    twoFactorEnabled: Type.Optional(
      Type.Boolean({ description: 'Whether a sign-in needs a second factor; visible to owner, administrators and API clients' }),
    ),
    joinedAt: time,
    updatedAt: time,
  },
  { title: 'Member' },
);
export type Member = Static<typeof member>;

export const memberParams = Type.Object({ userId: Type.String() });
export const memberBody = Type.Object(
  {
    role: Type.Optional(role),
    isActive: Type.Optional(Type.Boolean()),
    endsAt,
    sponsorId,
    addressReleased: Type.Optional(
      Type.Boolean({
        description: '`true` lets the member change an address that the team’s identity provider manages, and sign in without the provider',
      }),
    ),
  },
  { minProperties: 1 },
);
export type UpdateMember = Static<typeof memberBody>;
export const removeQuery = Type.Object({
  successorId: Type.Optional(
    Type.String({ maxLength: 100, description: 'The member who receives tasks, workflows and folders; by default the owner' }),
  ),
});

export const invitation = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    undeliverable: Type.Optional(undeliverable),
    role: shownRole,
    endsAt,
    sponsorId,
    access,
    status: Type.Enum(['pending', 'expired', 'accepted', 'revoked']),
    createdBy: Type.String(),
    createdByType: Type.String({ description: 'user, client, agent or directory' }),
    acceptedBy: Type.Optional(Type.String()),
    createdAt: time,
    sentAt: time,
    expiresAt: time,
    endedAt: Type.Optional(time),
  },
  { title: 'Invitation' },
);
export type Invitation = Static<typeof invitation>;

export const inviteBody = Type.Object({ email, role, endsAt, sponsorId, access });
export type Invite = Static<typeof inviteBody>;
export const inviteManyBody = itemsOf(inviteBody);
export const invitationResults = resultsOf('invitation', invitation, { title: 'InvitationResults', key: 'email' });
export const invitationFilters = {
  status: Type.Optional(
    Type.Array(Type.Enum(['pending', 'expired', 'accepted', 'revoked']), { description: 'Repeatable; default: `pending` and `expired`' }),
  ),
};

export const tokenBody = Type.Object({ token });
/** Names and password register a user without an account. A signed-in user sends only the token. */
export const acceptBody = Type.Object({
  token: Type.Optional(token),
  invitationId: Type.Optional(
    Type.String({ format: 'uuid', description: 'A pending invitation to the address of the signed-in caller, instead of `token`' }),
  ),
  firstName: Type.Optional(personName),
  lastName: Type.Optional(personName),
  password: Type.Optional(Type.String({ maxLength: 1_024 })),
});
export type Accept = Static<typeof acceptBody>;

export const waiting = Type.Object(
  { id: Type.String(), teamName: Type.String(), role: shownRole, expiresAt: time },
  { title: 'WaitingInvitation' },
);
export type Waiting = Static<typeof waiting>;

export const preview = Type.Object(
  {
    teamName: Type.String(),
    email: Type.String(),
    role: shownRole,
    expiresAt: time,
    hasAccount: Type.Boolean({ description: '`true`: sign in to accept. `false`: accepting registers an account' }),
  },
  { title: 'InvitationPreview' },
);
export type Preview = Static<typeof preview>;
