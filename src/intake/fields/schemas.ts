import { type TSchema, Type } from 'typebox';
import { type Field, fieldTypes, type Text } from './engine/field.ts';
import { definitionLimits } from './limits.ts';

const locale = '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$';

/** Values by language. Unknown languages are rejected, because their values would not be validated. */
export const byLocale = <T extends TSchema>(value: T, options: { minProperties?: number } = {}) =>
  Type.Record(Type.String({ pattern: locale }), value, { ...options, maxProperties: 50, additionalProperties: false });

/** A text, or one text for each locale. Omit the member instead of sending an empty text. */
export const text = (maxLength: number, description?: string) =>
  Type.Unsafe<Text>(
    Type.Union(
      [Type.String({ minLength: 1, maxLength }), byLocale(Type.String({ maxLength }), { minProperties: 1 })],
      description === undefined ? {} : { description },
    ),
  );

/** Identifiers of fields are restricted, because they are used in URLs, CSV headers and JSON pointers. */
export const fieldId = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' });

const optionId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9](?:[A-Za-z0-9_.:-]*)$' });

const option = Type.Object(
  { id: optionId, label: Type.Optional(text(500, 'The displayed text; without it the identifier')) },
  { title: 'FieldOption' },
);

const bound = (description: string) =>
  Type.Unsafe<number | string>(Type.Union([Type.Number(), Type.String({ minLength: 1, maxLength: 40 })], { description }));
const mediaType = Type.String({ pattern: '^[a-z0-9-]+/(?:\\*|[a-z0-9.+-]+)$', maxLength: 127 });

const validation = Type.Object(
  {
    min: Type.Optional(bound('The smallest number or amount; for dates and times the earliest, as text')),
    max: Type.Optional(bound('The largest number or amount; for dates and times the latest, as text')),
    minLength: Type.Optional(Type.Integer({ minimum: 0, maximum: 20_000, description: 'In characters (code points)' })),
    maxLength: Type.Optional(Type.Integer({ minimum: 1, maximum: 20_000, description: 'In characters (code points)' })),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'A pattern that the whole answer must match, in RE2 syntax: no look-around, no back references',
      }),
    ),
    step: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: 'Answers must be multiples of it, counted from `min`' })),
    minItems: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, description: 'The minimum number of choices' })),
    maxItems: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: 'The maximum number of choices; above 1 the answer of a file or registry field is a list',
      }),
    ),
    accept: Type.Optional(Type.Array(mediaType, { maxItems: 50, description: 'Accepted media types of an upload, such as `image/*`' })),
    maxSizeMb: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 20, description: 'The maximum size of an upload, in megabytes' })),
    message: Type.Optional(text(500, 'The error text for a broken rule of this field')),
  },
  { title: 'FieldValidation' },
);

/** The schema of a condition. Conditions can be nested, so the schema accepts any object, and {@link checkCondition} validates it. */
export const condition = Type.Unsafe<NonNullable<Field['visibleIf']>>(
  Type.Object({}, { additionalProperties: true, minProperties: 1, title: 'FieldCondition' }),
);

/** The members of a field, for domains whose fields have more members. */
export const fieldMembers = {
  id: fieldId,
  type: Type.Enum([...fieldTypes], { description: 'The kind of answer' }),
  label: Type.Optional(text(1_000, 'The question')),
  help: Type.Optional(text(4_000, 'A hint for the answer')),
  placeholder: Type.Optional(text(500, 'An example in the empty field')),
  required: Type.Optional(Type.Boolean({ description: 'Whether an answer is required while the field is visible' })),
  default: Type.Optional(
    Type.Unknown({
      description: 'The initial value of the field, or the constant value of a hidden field, which the public cannot read',
    }),
  ),
  prefill: Type.Optional(Type.Boolean({ description: 'Whether the query of a link to the form can prefill the answer' })),
  validation: Type.Optional(validation),
  options: Type.Optional(Type.Array(option, { maxItems: 10_000, description: 'The choices; answers store their identifiers' })),
  visibleIf: Type.Optional(condition),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: definitionLimits.pages, description: 'The page of the form with this field' })),
  registryTypeId: Type.Optional(Type.String({ format: 'uuid', description: 'The registry of a registry field' })),
};

/** A field of a definition. */
export const field = Type.Object(fieldMembers, { title: 'Field' });

/** The fields of a definition. */
export const fields = Type.Array(field, { maxItems: definitionLimits.fields });
