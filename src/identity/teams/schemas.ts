import { type Static, Type } from 'typebox';
import { time } from '../../platform/schema-parts.ts';

const personName = Type.String({ maxLength: 1_000 });
const email = Type.String({ minLength: 1, maxLength: 320 });
const token = Type.String({ minLength: 1, maxLength: 200 });
/** What a person can be given; `owner` is not among them. */
const role = Type.Enum(['admin', 'member', 'viewer']);

export const team = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    timezone: Type.String({ description: 'IANA name: where the team’s days begin and end' }),
    ownerId: Type.String(),
    membersCount: Type.Integer({ description: 'Active and suspended' }),
    clientsAwaitTakeover: Type.Boolean({
      description: 'Whether API clients that can write wait for somebody to take them over when who answers for them is gone or was reset',
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
  },
  { minProperties: 1 },
);
export type UpdateTeam = Static<typeof teamBody>;

export const member = Type.Object(
  {
    id: Type.String(),
    email: Type.Optional(Type.String({ description: 'For owner, administrators and API clients' })),
    firstName: Type.String(),
    lastName: Type.String(),
    role: Type.String({ enum: ['owner', 'admin', 'member', 'viewer'] }),
    isActive: Type.Boolean({ description: 'False while suspended' }),
    twoFactorEnabled: Type.Optional(Type.Boolean({ description: 'For owner, administrators and API clients' })),
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
    addressReleased: Type.Optional(
      Type.Boolean({ description: 'true lets the person change an address that the team’s provider manages, and sign in without it' }),
    ),
  },
  { minProperties: 1 },
);
export type UpdateMember = Static<typeof memberBody>;
export const removeQuery = Type.Object({
  successorId: Type.Optional(
    Type.String({ maxLength: 100, description: 'Who takes over tasks, workflows and folders; by default the owner' }),
  ),
});

export const invitation = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    role,
    status: Type.Enum(['pending', 'expired', 'accepted', 'revoked']),
    createdBy: Type.String(),
    createdByType: Type.String({ description: 'user, client or agent' }),
    acceptedBy: Type.Optional(Type.String()),
    createdAt: time,
    sentAt: time,
    expiresAt: time,
    endedAt: Type.Optional(time),
  },
  { title: 'Invitation' },
);
export type Invitation = Static<typeof invitation>;

export const inviteBody = Type.Object({ email, role });
export type Invite = Static<typeof inviteBody>;
export const invitationFilters = {
  status: Type.Optional(
    Type.Array(Type.Enum(['pending', 'expired', 'accepted', 'revoked']), { description: 'Repeatable; by default pending and expired' }),
  ),
};

export const tokenBody = Type.Object({ token });
/** Names and password are for somebody without an account; who is signed in sends the token alone. */
export const acceptBody = Type.Object({
  token: Type.Optional(token),
  invitationId: Type.Optional(
    Type.String({ format: 'uuid', description: 'Instead of `token`, signed in: of an invitation that waits for one’s address' }),
  ),
  firstName: Type.Optional(personName),
  lastName: Type.Optional(personName),
  password: Type.Optional(Type.String({ maxLength: 1_024 })),
});
export type Accept = Static<typeof acceptBody>;

export const waiting = Type.Object({ id: Type.String(), teamName: Type.String(), role, expiresAt: time }, { title: 'WaitingInvitation' });
export type Waiting = Static<typeof waiting>;

export const preview = Type.Object(
  {
    teamName: Type.String(),
    email: Type.String(),
    role,
    expiresAt: time,
    hasAccount: Type.Boolean({ description: 'Sign in to accept; otherwise accepting registers' }),
  },
  { title: 'InvitationPreview' },
);
export type Preview = Static<typeof preview>;
