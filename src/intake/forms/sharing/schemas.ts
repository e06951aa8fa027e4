import { principal, shownPrincipal } from '#access';
import { type Static, Type } from 'typebox';
import { time } from '../../../platform/schema-parts.ts';

const rights = Type.Array(Type.Enum(['edit', 'submissions']), {
  minItems: 1,
  maxItems: 2,
  uniqueItems: true,
  description: '`edit` to change, publish and close it; `submissions` to read the answers',
});

export const share = Type.Object(
  {
    id: Type.String(),
    interfaceId: Type.String({ description: 'The shared interface' }),
    ...shownPrincipal,
    rights,
    createdAt: time,
  },
  { title: 'InterfaceShare' },
);
export type Share = Static<typeof share>;

export const shareBody = Type.Object({
  ...principal,
  rights,
});
export type ShareBody = Static<typeof shareBody>;

export const access = Type.Object(
  {
    grants: Type.Array(
      Type.Object(
        {
          id: Type.Optional(Type.String({ description: 'The identifier of a share, to revoke it' })),
          ...shownPrincipal,
          rights,
          reason: Type.Enum(['owner', 'share', 'role'], { description: 'The reason' }),
          grantedBy: Type.Optional(Type.String({ description: 'The grantor' })),
          since: Type.Optional({ ...time, description: 'The start time' }),
          barred: Type.Optional(Type.Literal(true, { description: 'An information barrier excludes this person' })),
        },
        { title: 'InterfaceGrant' },
      ),
      { description: 'The principals with their rights' },
    ),
    privilegedAccess: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          type: Type.String({ description: 'The action, by the type of its journal entry' }),
          userId: Type.String(),
          at: time,
        },
        { title: 'ReadingByRole' },
      ),
      { description: 'Actions of administrators that only their role allowed, the newest 500' },
    ),
  },
  { title: 'InterfaceAccess' },
);
export type Access = Static<typeof access>;
export type Right = Share['rights'][number];
