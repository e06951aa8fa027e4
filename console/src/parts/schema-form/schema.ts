/** The part of JSON Schema that the form understands. */
export type FormSchema = {
  type?: unknown;
  title?: unknown;
  description?: unknown;
  enum?: unknown;
  default?: unknown;
  properties?: unknown;
  required?: unknown;
  items?: unknown;
  format?: unknown;
  pattern?: unknown;
  minLength?: unknown;
  maxLength?: unknown;
  minimum?: unknown;
  maximum?: unknown;
  maxItems?: unknown;
  examples?: unknown;
  $ref?: unknown;
};
export type FormValues = Record<string, unknown>;

export const isValues = (value: unknown): value is FormValues => typeof value === 'object' && value !== null && !Array.isArray(value);
export const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const maxReferences = 10;

/** Follows the references of a schema into its `$defs`. */
export function resolved(schema: FormSchema, root: FormSchema): FormSchema {
  let found = schema;
  for (let step = 0; step < maxReferences && typeof found.$ref === 'string'; step += 1) {
    const { $ref, ...beside } = found;
    let target: unknown = root;
    for (const key of $ref.replace(/^#\/?/, '').split('/')) target = isValues(target) ? target[key] : undefined;
    found = { ...(isValues(target) ? target : {}), ...beside };
  }
  return found;
}

export const propertiesOf = (schema: FormSchema): [string, FormSchema][] =>
  isValues(schema.properties) ? (Object.entries(schema.properties) as [string, FormSchema][]) : [];
export const isRequired = (schema: FormSchema, name: string): boolean => Array.isArray(schema.required) && schema.required.includes(name);

/** The values of an empty form: defaults, and the members of required objects. */
export function startOf(given: FormSchema, root: FormSchema): unknown {
  const schema = resolved(given, root);
  if (schema.default !== undefined) return schema.default;
  if (schema.type === 'object' || schema.properties !== undefined)
    return Object.fromEntries(
      propertiesOf(schema).flatMap(([name, part]) => {
        const known = resolved(part, root);
        const isStarted = known.default !== undefined || isRequired(schema, name);
        return isStarted ? [[name, startOf(part, root)]] : [];
      }),
    );
  if (schema.type === 'array') return [];
  if (schema.type === 'boolean') return false;
  return undefined;
}

/** Leaves out empty texts, so that a value without an entry is absent. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty).filter((one) => one !== undefined);
  if (!isValues(value)) return value === '' ? undefined : value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const kept = withoutEmpty(one);
      return kept === undefined ? [] : [[name, kept]];
    }),
  );
}

/** `survivalYears` as `Survival years`, for a value without a title. */
export function labelOf(name: string, { title }: FormSchema): string {
  if (typeof title === 'string') return title;
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z0-9])([A-Z])/g, (_, before: string, letter: string) => `${before} ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
