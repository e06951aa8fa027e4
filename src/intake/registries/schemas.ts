import { type Static, Type } from 'typebox';
import { fieldMembers } from '#fields';
import { actorTypes } from '../../platform/scope.ts';
import { text, time, asRead } from '../../platform/schema-parts.ts';

/** The field types of registries. Uploads and signatures stay with their submission. */
export const registryFieldTypes = [
  'text',
  'textarea',
  'email',
  'phone',
  'url',
  'number',
  'integer',
  'money',
  'date',
  'time',
  'datetime',
  'boolean',
  'select',
  'radio',
  'multiselect',
  'checkbox',
  'address',
  'country',
  'registry',
] as const;

/** The field members that registries share with forms. Other members, such as conditions, apply only to pages. */
const { id, label, help, placeholder, required, options, registryTypeId, validation, default: given } = fieldMembers;

export const field = Type.Object(
  {
    id,
    type: Type.Enum([...registryFieldTypes]),
    label,
    help,
    placeholder,
    required,
    unique: Type.Optional(
      Type.Boolean({ description: 'Whether no two records can have the same value; upper and lower case count as the same' }),
    ),
    public: Type.Optional(
      Type.Boolean({ description: 'Whether forms that look up records can show the value to everyone with their link' }),
    ),
    default: given,
    options,
    validation,
    registryTypeId,
  },
  { title: 'RegistryField' },
);
export type RegistryField = Static<typeof field>;

const fields = Type.Array(field, { minItems: 1, maxItems: 100, description: 'The fields of each record, in display order' });

export const registry = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.Optional(Type.String()),
    fields: Type.Array(field),
    userId: Type.String({ description: 'The owner' }),
    matterId: Type.Optional(Type.String({ description: 'The matter that it is in' })),
    access: Type.Enum(['read', 'write', 'manage'], { description: 'The access of the caller' }),
    teamAccess: Type.Optional(Type.Enum(['read', 'write'], { description: 'The access of the whole team' })),
    createdBy: Type.String(),
    createdByType: Type.String({ enum: [...actorTypes] }),
    createdAt: time,
    updatedAt: time,
    deletedAt: Type.Optional(Type.String({ format: 'date-time', description: 'The time of the deletion, for registries in the bin' })),
  },
  { title: 'Registry' },
);
export type Registry = Static<typeof registry>;

const described = Type.Optional(Type.Union([text(2_000), Type.Null()]));

export const createBody = Type.Object({
  name: text(1_000),
  description: described,
  fields,
  matterId: Type.Optional(Type.String({ maxLength: 64, description: 'The matter of the registry' })),
});
export type CreateRegistry = Static<typeof createBody>;

export const updateBody = Type.Object(
  {
    name: Type.Optional(text(1_000)),
    description: described,
    fields: Type.Optional(fields),
    id: asRead,
    userId: asRead,
    matterId: asRead,
    access: asRead,
    teamAccess: asRead,
    createdBy: asRead,
    createdByType: asRead,
    createdAt: asRead,
    updatedAt: asRead,
  },
  { minProperties: 1 },
);
export type UpdateRegistry = Static<typeof updateBody>;
