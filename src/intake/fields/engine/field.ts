/** A text of a form: one for every language, or one a locale (`{ "en": …, "de": … }`). */
export type Text = string | Readonly<Record<string, string>>;

/** Every type that a field may have. */
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

/** A value that a condition compares an answer with. */
export type Scalar = string | number | boolean;

/** An amount that a condition compares an answer with. Amounts compare in one currency only. */
export type Amount = { amount: string | number; currency: string };

/**
 * When something holds, by the answers given so far. Nothing is converted: the number 1 is not the text `1`. Of an answer that is
 * a list, `eq` and `in` look at each choice.
 */
export type Condition =
  | { all: readonly Condition[] }
  | { any: readonly Condition[] }
  | { not: Condition }
  | { field: string; eq: Scalar | Amount }
  | { field: string; ne: Scalar | Amount }
  | { field: string; gt: string | number | Amount }
  | { field: string; lt: string | number | Amount }
  | { field: string; in: readonly (Scalar | Amount)[] }
  /** `true`: there is no answer; `false`: there is one. */
  | { field: string; empty: boolean };

/** What may be chosen. Answers keep the `id`, so that a label can be mended later. */
export type Option = { id: string; label?: Text };

/** What an answer must keep to. Which of them a type takes stands in {@link rulesOf}. */
export type Validation = {
  /** The least number or amount; for dates and times the earliest, as text. */
  min?: number | string;
  max?: number | string;
  /** In characters as people count them (code points). */
  minLength?: number;
  maxLength?: number;
  /** The whole answer must match (RE2 syntax: no look-around, no back references). */
  pattern?: string;
  /** Numbers and amounts are whole multiples of it, counted from `min`. */
  step?: number;
  minItems?: number;
  /** Above 1 the answer of a `file` or `registry` field is a list. */
  maxItems?: number;
  /** Media types (`image/*`, `application/pdf`) that an upload may have. */
  accept?: readonly string[];
  maxSizeMb?: number;
  /** Said in place of our own words when one of these rules is broken. */
  message?: Text;
};

/** One question of a form, or one column of a registry. */
export type Field = {
  id: string;
  type: FieldType;
  label?: Text;
  help?: Text;
  placeholder?: Text;
  required?: boolean;
  /** What the field holds before anybody answers. The answer of a `hidden` field is always this. */
  default?: unknown;
  /** Whether a link to the form may bring the answer along, in its query. */
  prefill?: boolean;
  validation?: Validation;
  options?: readonly Option[];
  visibleIf?: Condition;
  /** The page of the form on which it is asked, from 1 on. */
  page?: number;
  /** Which registry a `registry` field chooses from. */
  registryTypeId?: string;
};

/** Answers by the id of their field. */
export type Answers = Record<string, unknown>;

type Rule = Exclude<keyof Validation, 'message'>;

const lengths: readonly Rule[] = ['minLength', 'maxLength', 'pattern'];
const range: readonly Rule[] = ['min', 'max'];
const items: readonly Rule[] = ['minItems', 'maxItems'];

/** The rules that the fields of a type may have. */
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

/** Whether the answer of a field is a list. */
export function isList({ type, options, validation }: Pick<Field, 'type' | 'options' | 'validation'>): boolean {
  if (type === 'multiselect') return true;
  if (type === 'checkbox') return options !== undefined;
  return (type === 'file' || type === 'registry') && (validation?.maxItems ?? 1) > 1;
}

/** Whether a field asks nothing: a heading only stands there. */
export function asksNothing({ type }: Pick<Field, 'type'>): boolean {
  return type === 'heading';
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member that the object itself has; what every object inherits is nobody's answer. */
export function ownMember(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;
}
