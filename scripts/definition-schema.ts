import { execFileSync } from 'node:child_process';
import { calendarBody } from '../src/intake/bookings/schemas.ts';
import { definitionLimits } from '../src/intake/fields/limits.ts';
import { createBody } from '../src/intake/forms/schemas.ts';
import { createBody as workflowBody, stepInput } from '../src/work/workflows/schemas.ts';
import { configSchemaOf, configSchemas } from '../src/work/workflows/step-schemas.ts';

type Schema = Record<string, unknown>;

const closed = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const self = { $ref: '#/$defs/condition' };
const amount: Schema = {
  title: 'Amount',
  description: 'An amount of money. It compares with answers in its currency only.',
  ...closed({ amount: { type: ['string', 'number'] }, currency: { type: 'string', pattern: '^[A-Z]{3}$' } }),
};
const scalar = { anyOf: [{ type: ['string', 'number', 'boolean'] }, amount] };
const place = { anyOf: [{ type: ['string', 'number'] }, amount] };
const field = { type: 'string', description: 'The field whose answer is looked at, by its id' };

/** Conditions nest, so the service checks them in code (`src/intake/fields/condition-check.ts`). A test compares both. */
const condition: Schema = {
  title: 'Condition',
  description: `When a field is shown or a step begins. Conditions nest up to ${definitionLimits.conditionDepth} deep.`,
  oneOf: [
    closed({ all: { type: 'array', items: self, minItems: 1, maxItems: 100 } }),
    closed({ any: { type: 'array', items: self, minItems: 1, maxItems: 100 } }),
    closed({ not: self }),
    closed({ field, eq: scalar }),
    closed({ field, ne: scalar }),
    closed({ field, gt: place }),
    closed({ field, lt: place }),
    closed({ field, in: { type: 'array', items: scalar, minItems: 1, maxItems: 1_000 } }),
    closed({ field, empty: { type: 'boolean' } }),
  ],
};

/** Moves each titled schema to the definitions and replaces it by a `$ref`, so that it occurs only once. */
function shared(schema: unknown, definitions: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((one: unknown) => shared(one, definitions));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { title, ...members } = schema as Schema;
  if (title === 'FieldCondition' || title === 'StepCondition') return self;
  const inner = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, shared(member, definitions)]));
  if (typeof title !== 'string') return title === undefined ? inner : { ...inner, title: shared(title, definitions) };
  const name = `${title.charAt(0).toLowerCase()}${title.slice(1)}`;
  definitions[name] = { title, ...inner };
  return { $ref: `#/$defs/${name}` };
}

/** Returns the JSON Schema of the body of `POST /api/v1/interfaces`, from the schemas that validate it. */
export function definitionSchema(): string {
  const definitions: Record<string, unknown> = { condition };
  const body = JSON.parse(JSON.stringify(createBody)) as { properties: Schema };
  const calendar = { ...(JSON.parse(JSON.stringify(calendarBody)) as Schema), additionalProperties: false };
  const written = shared({ ...body, properties: { ...body.properties, calendar } }, definitions) as Schema;
  return asFile('Definition of an interface', written, definitions);
}

/** Returns the JSON Schema of the body of `POST /api/v1/workflows`. Each type of step has its `config`. */
export function workflowSchema(): string {
  const definitions: Record<string, unknown> = { condition };
  const configOf = (type: string) => shared(JSON.parse(JSON.stringify(configSchemaOf(type))), definitions);
  const step = JSON.parse(JSON.stringify(stepInput)) as Schema;
  const types = [...Object.keys(configSchemas), 'document', 'record'];
  const settingsOf = (type: Schema, name: string) => ({
    anyOf: [{ properties: { type: { not: type } } }, { properties: { config: { $ref: `#/$defs/${name}` } } }],
  });
  for (const type of types) definitions[`${type}Config`] = configOf(type);
  definitions.step = {
    ...step,
    allOf: [...types.map((type) => settingsOf({ const: type }, `${type}Config`)), settingsOf({ not: { enum: types } }, 'taskConfig')],
  };
  const body = JSON.parse(JSON.stringify(workflowBody)) as { properties: Schema };
  const steps = { ...(body.properties.steps as Schema), items: { $ref: '#/$defs/step' } };
  return asFile('Definition of a workflow', { ...body, properties: { ...body.properties, steps } }, definitions);
}

function asFile(title: string, written: Schema, definitions: Record<string, unknown>): string {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    description: 'Made from the schemas of the service by `npm run generate`.',
    ...written,
    $defs: definitions,
  };
  return execFileSync('node_modules/.bin/oxfmt', ['--stdin-filepath=schema.json'], {
    input: JSON.stringify(schema, undefined, 2),
    encoding: 'utf8',
  });
}
