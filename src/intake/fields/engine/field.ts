/** A text of a form: one for all languages, or one for each locale (`{ "en": …, "de": … }`). */
export type Text = string | Readonly<Record<string, string>>;

/** All field types. */
export const fieldTypes = [
  'text',
  'textarea',
  'email',
  'phone',
  'number',
  'integer',
  'money',
  'date',
  'time',
  'datetime',
  'boolean',
  'select',
  'multiselect',
  'radio',
  'checkbox',
  'file',
  'address',
  'registry',
  'country',
  'url',
  'signature',
  'hidden',
  'heading',
  'consent',
] as const;

export type FieldType = (typeof fieldTypes)[number];

/** A value to compare an answer with. */
export type Scalar = string | number | boolean;

/** An amount to compare an answer with. Amounts are only comparable in one currency. */
export type Amount = { amount: string | number; currency: string };

/** A condition on the answers. It converts no types: the number 1 is not the text `1`. For list answers, `eq` and `in` compare each choice. */
export type Condition =
  | { all: readonly Condition[] }
  | { any: readonly Condition[] }
  | { not: Condition }
  | { field: string; eq: Scalar | Amount }
  | { field: string; ne: Scalar | Amount }
  | { field: string; gt: string | number | Amount }
  | { field: string; lt: string | number | Amount }
  | { field: string; in: readonly (Scalar | Amount)[] }
  /** `true` if there is no answer, `false` if there is one. */
  | { field: string; empty: boolean };

/** An option of a choice field. Answers store the `id`, so that the label can change later. */
export type Option = { id: string; label?: Text };

/** The rules of an answer. {@link rulesOf} has the rules of each type. */
export type Validation = {
  /** The smallest number or amount; for dates and times the earliest, as text. */
  min?: number | string;
  max?: number | string;
  /** In characters (code points). */
  minLength?: number;
  maxLength?: number;
  /** A pattern for the complete answer (RE2 syntax: no look-around, no back references). */
  pattern?: string;
  /** Numbers and amounts must be multiples of it, counted from `min`. */
  step?: number;
  minItems?: number;
  /** Above 1 the answer of a `file` or `registry` field is a list. */
  maxItems?: number;
  /** Accepted media types of an upload (`image/*`, `application/pdf`). */
  accept?: readonly string[];
  maxSizeMb?: number;
  /** Replaces the default error text of these rules. */
  message?: Text;
};

/** A question of a form, or a column of a registry. */
export type Field = {
  id: string;
  type: FieldType;
  label?: Text;
  help?: Text;
  placeholder?: Text;
  required?: boolean;
  /** The initial value. For a `hidden` field it is the fixed answer. */
  default?: unknown;
  /** Whether the query of a link to the form can prefill the answer. */
  prefill?: boolean;
  validation?: Validation;
  options?: readonly Option[];
  visibleIf?: Condition;
  /** The page of the form with this question, starting at 1. */
  page?: number;
  /** The registry of a `registry` field. */
  registryTypeId?: string;
};

/** Answers by the id of their field. */
export type Answers = Record<string, unknown>;

type Rule = Exclude<keyof Validation, 'message'>;

const lengths: readonly Rule[] = ['minLength', 'maxLength', 'pattern'];
const range: readonly Rule[] = ['min', 'max'];
const items: readonly Rule[] = ['minItems', 'maxItems'];

/** The rules of each field type. */
export const rulesOf: Record<FieldType, readonly Rule[]> = {
  text: lengths,
  textarea: lengths,
  email: lengths,
  phone: lengths,
  url: lengths,
  number: [...range, 'step'],
  integer: [...range, 'step'],
  money: [...range, 'step'],
  date: range,
  time: range,
  datetime: range,
  boolean: [],
  select: [],
  radio: [],
  multiselect: items,
  checkbox: items,
  file: [...items, 'accept', 'maxSizeMb'],
  registry: items,
  address: [],
  country: [],
  signature: [],
  hidden: [],
  heading: [],
  consent: [],
};

/** Returns whether the answer of a field is a list. */
export function isList({ type, options, validation }: Pick<Field, 'type' | 'options' | 'validation'>): boolean {
  if (type === 'multiselect') return true;
  if (type === 'checkbox') return options !== undefined;
  return (type === 'file' || type === 'registry') && (validation?.maxItems ?? 1) > 1;
}

/** Returns whether a field has no answer. Only a heading has none. */
export function asksNothing({ type }: Pick<Field, 'type'>): boolean {
  return type === 'heading';
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an own member of an object. Inherited members are not answers. */
export function ownMember(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;
}
