import { principal, shownPrincipal } from '#access';
import { type Static, Type } from 'typebox';

const text = (maxLength: number) => Type.String({ maxLength });

export const folder = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    parentId: Type.Optional(Type.String()),
    userId: Type.String(),
    childrenCount: Type.Integer(),
    documentsCount: Type.Integer(),
    shareCount: Type.Integer(),
    teamAccess: Type.Optional(Type.Enum(['read', 'write'], { description: 'The folder is shared with the whole team' })),
    wall: Type.Optional(
      Type.Enum(['inside', 'outside'], { description: 'A wall stands around the folder; from outside it is a name and an owner' }),
    ),
    description: Type.Optional(Type.String()),
    color: Type.Optional(Type.String()),
    createdBy: Type.Optional(Type.String({ description: 'Who made it; it belongs to `userId`. Not shown from outside of a wall' })),
    createdByType: Type.Optional(Type.String({ description: 'user, client or agent' })),
    metadata: Type.Optional(Type.Object({}, { additionalProperties: true })),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { title: 'Folder' },
);
export type Folder = Static<typeof folder>;

/** Further members are kept as `metadata`. */
export const createBody = Type.Object(
  {
    name: text(1_000),
    parentId: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    description: Type.Optional(Type.Union([text(2_000), Type.Null()])),
    color: Type.Optional(Type.Union([text(64), Type.Null()])),
  },
  { additionalProperties: true },
);
export type CreateFolder = Static<typeof createBody> & Record<string, unknown>;

export const updateBody = Type.Object({ ...Type.Partial(createBody).properties }, { additionalProperties: true, minProperties: 1 });
export type UpdateFolder = Static<typeof updateBody> & Record<string, unknown>;

export const moveBody = Type.Object({ parentId: Type.Union([Type.String(), Type.Null()]) });

export const idParams = Type.Object({ id: Type.String() });

const access = Type.Enum(['read', 'write']);
const time = Type.String({ format: 'date-time' });

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
export type ShareBody = Static<typeof shareBody>;

export const wall = Type.Object({ folderId: Type.String(), userIds: Type.Array(Type.String()), since: time }, { title: 'FolderWall' });
export type Wall = Static<typeof wall>;
export const wallBody = Type.Object({ userIds: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 1_000 }) });

export const opening = Type.Object(
  {
    id: Type.String(),
    folderId: Type.String(),
    userId: Type.String({ description: 'Who asks' }),
    reason: Type.String(),
    status: Type.Enum(['asked', 'open', 'over']),
    askedAt: time,
    consentedBy: Type.Optional(Type.String()),
    consentedAt: Type.Optional(time),
    until: Type.Optional(time),
  },
  { title: 'WallOpening' },
);
export type Opening = Static<typeof opening>;
export const openingBody = Type.Object({ reason: Type.String({ minLength: 3, maxLength: 500 }) });
