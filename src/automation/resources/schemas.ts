import { Type } from 'typebox';
import { closed, uuid } from '../../platform/schema-parts.ts';
import { kinds } from './kinds.ts';

export const maxNames = 200;

export const resourceType = Type.Enum(Object.keys(kinds) as (keyof typeof kinds)[], {
  description: 'The type of the resource, as `targetType` of the journal',
});

export const namesBody = Type.Object(
  { ids: Type.Array(uuid, { minItems: 1, maxItems: maxNames, description: 'Identifiers of any type, in any order' }) },
  { ...closed, title: 'NamesRequest' },
);

export const names = Type.Object(
  {
    names: Type.Array(
      Type.Object(
        {
          id: uuid,
          type: resourceType,
          name: Type.Optional(Type.String({ description: 'Absent for a former member, whose names are erased' })),
          left: Type.Optional(Type.Literal(true, { description: 'The user has left the team' })),
        },
        { ...closed, title: 'ResourceName' },
      ),
      { description: 'In the order of `ids`, without those that are unknown or that the caller may not view' },
    ),
  },
  { ...closed, title: 'ResourceNames' },
);
