import type { TSchema } from 'typebox';
import { nearestName } from '../../platform/http/known-members.ts';
import { type Check, checkOf } from '../../platform/http/validators.ts';
import { type StepError, stepError, pointerPart } from './step-errors.ts';
import { configSchemaOf } from './step-schemas.ts';

const checks = new Map<TSchema, Check>();

/** Returns the check of a schema, compiled once. */
function checkFor(schema: TSchema): Check {
  const check = checks.get(schema) ?? checkOf(schema);
  checks.set(schema, check);
  return check;
}

type SchemaError = NonNullable<ReturnType<Check>>[number];
type Node = { properties?: object; enum?: readonly unknown[]; description?: string };

/** Returns the errors of the `config` of a step by the schema of its type. An unknown member has the rule `unknown`. */
export function schemaErrors(type: string, config: Record<string, unknown>): StepError[] {
  const schema = configSchemaOf(type, config);
  return (checkFor(schema)(config) ?? []).map((found) => {
    const { additionalProperty: unknown, missingProperty: missing } = found.params;
    const member = [unknown, missing].find((name) => typeof name === 'string');
    const at = `config${found.instancePath}${member === undefined ? '' : `/${pointerPart(member)}`}`;
    return stepError(at, reasonOf(found, schema), unknown === undefined ? found.keyword : 'unknown');
  });
}

function reasonOf({ keyword, params, schemaPath, message = 'is not valid' }: SchemaError, schema: TSchema): string {
  const node = schemaPath
    .split('/')
    .slice(1, -1)
    .reduce<unknown>((one, part) => (one as Record<string, unknown>)[part], schema) as Node;
  const { additionalProperty: unknown, missingProperty: missing } = params;
  if (typeof unknown === 'string') {
    const known = Object.keys(node.properties ?? {});
    const nearest = nearestName(unknown, known);
    return nearest === undefined ? `is not known: use one of ${known.join(', ')}` : `is not known: did you mean \`${nearest}\`?`;
  }
  if (typeof missing === 'string') return 'is required';
  if (keyword === 'enum') return `must be one of ${(node.enum ?? []).join(', ')}`;
  return keyword === 'pattern' && node.description !== undefined ? `must be: ${node.description}` : message;
}

/** Returns pointers to the members of `config` that are unknown to the types of the steps. Stored steps may have some. */
export const unknownMembers = (steps: readonly { type: string; config?: unknown }[]): string[] =>
  steps.flatMap(({ type, config }, index) =>
    schemaErrors(type, structuredClone((config ?? {}) as Record<string, unknown>)).flatMap(({ member, rule }) =>
      rule === 'unknown' ? [`/steps/${index}/${member}`] : [],
    ),
  );
