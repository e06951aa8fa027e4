import { Type } from 'typebox';
import { type Field, fieldTypes, type Text } from './engine/field.ts';
import { definitionLimits } from './limits.ts';

const locale = '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$';

/** A text, or one a locale. Empty texts are no texts: leave the member out. */
export const text = (maxLength: number) =>
  Type.Unsafe<Text>(
    Type.Union([
      Type.String({ minLength: 1, maxLength }),
      Type.Record(Type.String({ pattern: locale }), Type.String({ maxLength }), { minProperties: 1, maxProperties: 50 }),
    ]),
  );

/** How identifiers of fields and options look: they stand in addresses of pages, in CSV headings and in pointers. */
export const fieldId = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' });

const optionId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9](?:[A-Za-z0-9_.:-]*)$' });

const option = Type.Object({ id: optionId, label: Type.Optional(text(500)) }, { title: 'FieldOption' });

const bound = Type.Unsafe<number | string>(Type.Union([Type.Number(), Type.String({ minLength: 1, maxLength: 40 })]));
const length = Type.Integer({ minimum: 0, maximum: 20_000 });

const validation = Type.Object(
  {
    min: Type.Optional(bound),
    max: Type.Optional(bound),
    minLength: Type.Optional(length),
    maxLength: Type.Optional(Type.Integer({ minimum: 1, maximum: 20_000 })),
    pattern: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    step: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    minItems: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    maxItems: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    accept: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z0-9-]+/(?:\\*|[a-z0-9.+-]+)$', maxLength: 127 }), { maxItems: 50 })),
    maxSizeMb: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 20 })),
    message: Type.Optional(text(500)),
  },
  { title: 'FieldValidation' },
);

/** Conditions nest: what is said of them here is open, and {@link checkFields} reads them. */
const condition = Type.Unsafe<NonNullable<Field['visibleIf']>>(
  Type.Object({}, { additionalProperties: true, minProperties: 1, title: 'FieldCondition' }),
);

/** The members of a field, for a domain whose fields have more. */
export const fieldMembers = {
  id: fieldId,
  type: Type.Enum([...fieldTypes]),
  label: Type.Optional(text(1_000)),
  help: Type.Optional(text(4_000)),
  placeholder: Type.Optional(text(500)),
  required: Type.Optional(Type.Boolean()),
  default: Type.Optional(Type.Unknown()),
  prefill: Type.Optional(Type.Boolean()),
  validation: Type.Optional(validation),
  options: Type.Optional(Type.Array(option, { maxItems: 10_000 })),
  visibleIf: Type.Optional(condition),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: definitionLimits.pages })),
  registryTypeId: Type.Optional(Type.String({ format: 'uuid' })),
};

/** A field as a definition has it. */
export const field = Type.Object(fieldMembers, { title: 'Field' });

/** The fields of a definition. */
export const fields = Type.Array(field, { maxItems: definitionLimits.fields });
