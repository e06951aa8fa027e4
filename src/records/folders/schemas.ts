import { principal, shownPrincipal } from '#access';
import { type Static, Type } from 'typebox';
import { text, time } from '../../platform/schema-parts.ts';

export const folder = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    parentId: Type.Optional(Type.String()),
    matterId: Type.Optional(Type.String({ description: 'The matter that the folder is in' })),
    userId: Type.String(),
    childrenCount: Type.Integer(),
    documentsCount: Type.Integer(),
    shareCount: Type.Integer(),
    teamAccess: Type.Optional(Type.Enum(['read', 'write'], { description: 'The folder is shared with the whole team' })),
    barrier: Type.Optional(Type.Literal(true, { description: 'The folder has an information barrier of its own' })),
    description: Type.Optional(Type.String()),
    color: Type.Optional(Type.String()),
    createdBy: Type.Optional(Type.String({ description: 'The creator; the owner is `userId`' })),
    createdByType: Type.Optional(Type.String({ description: '`user`, `client` or `agent`' })),
    metadata: Type.Optional(Type.Object({}, { additionalProperties: true })),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { title: 'Folder' },
);
export type Folder = Static<typeof folder>;

/** Unknown members are stored as `metadata`. */
export const createBody = Type.Object(
  {
    name: text(1_000),
    parentId: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    matterId: Type.Optional(Type.String({ maxLength: 64, description: 'The matter of a folder at its top. Without `parentId`' })),
    description: Type.Optional(Type.Union([text(2_000), Type.Null()])),
    color: Type.Optional(Type.Union([text(64), Type.Null()])),
  },
  { additionalProperties: true },
);
export type CreateFolder = Static<typeof createBody> & Record<string, unknown>;

const { matterId: _matterId, ...changeable } = Type.Partial(createBody).properties;
export const updateBody = Type.Object(changeable, { additionalProperties: true, minProperties: 1 });
export type UpdateFolder = Static<typeof updateBody> & Record<string, unknown>;

export const moveBody = Type.Object({ parentId: Type.Union([Type.String(), Type.Null()]) });

const access = Type.Enum(['read', 'write']);

export const share = Type.Object(
  {
    id: Type.String(),
    folderId: Type.String(),
    ...shownPrincipal,
    access,
    createdAt: time,
  },
  { title: 'FolderShare' },
);
export type Share = Static<typeof share>;

export const shareBody = Type.Object({ ...principal, access });
export type FolderShareBody = Static<typeof shareBody>;

const barrierStatus = Type.Enum(['active', 'raising', 'removing'], {
  description: '`raising` or `removing` while a job changes many documents. The barrier hides all of them until it is removed',
});
export const folderBarrier = Type.Object(
  {
    folderId: Type.String(),
    userIds: Type.Array(Type.String()),
    groupIds: Type.Array(Type.String()),
    since: time,
    status: barrierStatus,
    progress: Type.Optional(
      Type.Object(
        {
          documents: Type.Integer({ description: 'Documents that the job has changed' }),
          total: Type.Integer({ description: 'Documents at its start' }),
        },
        { title: 'BarrierProgress' },
      ),
    ),
  },
  { title: 'FolderBarrier' },
);
export type FolderBarrier = Static<typeof folderBarrier>;
const memberIds = (maxItems: number) => Type.Array(Type.String({ maxLength: 64 }), { maxItems });
export const barrierBody = Type.Object({ userIds: memberIds(1_000), groupIds: Type.Optional(memberIds(100)) });
export type BarrierBody = Static<typeof barrierBody>;

export const barrier = Type.Object(
  {
    id: Type.String({ description: 'The folder or matter that the barrier is on' }),
    type: Type.Enum(['folder', 'matter'], { description: 'The type of the resource behind the barrier' }),
    name: Type.String({ description: 'The name of the folder or matter' }),
    userId: Type.String({ description: 'The owner of the folder, or the responsible person of the matter' }),
    since: time,
    status: barrierStatus,
    access: Type.Enum(['member', 'emergency', 'none'], { description: 'The access of the caller' }),
  },
  { title: 'Barrier' },
);
export type Barrier = Static<typeof barrier>;

export const emergencyAccess = Type.Object(
  {
    id: Type.String(),
    barrierId: Type.String(),
    userId: Type.String({ description: 'The administrator who requests access' }),
    reason: Type.String(),
    status: Type.Enum(['requested', 'active', 'expired']),
    requestedAt: time,
    approvedBy: Type.Optional(Type.String()),
    approvedAt: Type.Optional(time),
    expiresAt: Type.Optional(time),
  },
  { title: 'EmergencyAccess' },
);
export type EmergencyAccess = Static<typeof emergencyAccess>;
export const emergencyAccessBody = Type.Object({ reason: Type.String({ minLength: 3, maxLength: 500 }) });
