import { type Static, Type } from 'typebox';
import { changeQuery, pageQuery } from '../../../platform/http/page.ts';
import { time, asRead } from '../../../platform/schema-parts.ts';

/** Values by the ids of the fields of the registry. */
const data = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Values by the ids of their fields; at most 64 KiB of JSON',
});

export const registryRecord = Type.Object(
  {
    id: Type.String(),
    data,
    status: Type.Enum(['active', 'pending', 'deleted'], { description: '`pending`: a record of a form that waits for approval' }),
    version: Type.Integer({ description: 'The version number' }),
    createdBy: Type.Optional(Type.String({ description: 'Absent for a submission by a person without an account' })),
    createdByType: Type.String({ description: 'user, client, agent, visitor or system' }),
    updatedBy: Type.Optional(Type.String()),
    updatedByType: Type.String(),
    submissionId: Type.Optional(Type.String({ description: 'The submission of the record' })),
    workflowId: Type.Optional(Type.String({ description: 'The workflow whose step created the record, or changed it last' })),
    createdAt: time,
    updatedAt: time,
    deletedAt: Type.Optional(Type.String({ format: 'date-time', description: 'The time of the deletion, for records in the bin' })),
  },
  { title: 'RegistryRecord' },
);
export type RegistryRecord = Static<typeof registryRecord>;

export const createBody = Type.Object({ data });

const shownBesides = Object.fromEntries(
  Object.keys(registryRecord.properties)
    .filter((name) => name !== 'data')
    .map((name) => [name, asRead]),
);
export const replaceBody = Type.Object({ data, ...shownBesides });
export const patchBody = Type.Object({
  data: Type.Record(Type.String(), Type.Unknown(), { minProperties: 1, description: 'The values to change; `null` removes a value' }),
});

export const revertBody = Type.Object({ version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) });

export const registryParams = Type.Object({ typeId: Type.String() });
export const recordParams = Type.Object({ typeId: Type.String(), id: Type.String() });

/** The filters of record lists. */
export const listFilters = {
  q: Type.Optional(
    Type.String({ maxLength: 200, description: 'Beginnings of words; all of them must occur in the texts and numbers of a record' }),
  ),
  filter: Type.Optional(
    Type.Array(Type.String({ maxLength: 600 }), {
      maxItems: 10,
      description:
        '`field:operator:value`, or `field:empty` and `field:filled`. Operators: `eq`, `in` (values separated by `|`), `prefix`, `gt`, `gte`, `lt`, `lte`. Records must match all filters',
    }),
  ),
  status: Type.Optional(Type.Enum(['active', 'pending', 'deleted'], { description: '`active` by default' })),
  updatedSince: changeQuery.updatedSince,
};
export type ListFilters = Partial<Static<ReturnType<typeof Type.Object<typeof listFilters>>>>;

export const listQuery = Type.Object({
  ...pageQuery,
  ...listFilters,
  sort: Type.Optional(
    Type.String({ maxLength: 80, description: '`createdAt`, `updatedAt` or the id of a field; a minus reverses the order' }),
  ),
});

const change = Type.Object({ from: Type.Optional(Type.Unknown()), to: Type.Optional(Type.Unknown()) });
export const recordVersion = Type.Object(
  {
    version: Type.Integer(),
    act: Type.Enum(['created', 'imported', 'submitted', 'updated', 'approved', 'declined', 'deleted', 'restored', 'reverted'], {
      description: 'The action',
    }),
    changedBy: Type.Optional(Type.String()),
    changedByType: Type.String({ description: 'user, client, agent, visitor or system' }),
    changedAt: time,
    changes: Type.Record(Type.String(), change, {
      description: 'The old and new value of each changed field; absent if there was no value',
    }),
    data,
  },
  { title: 'RegistryRecordVersion' },
);
export type RecordVersion = Static<typeof recordVersion>;
