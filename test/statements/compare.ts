/** Compares the claims of the code for a statement with the description by PostgreSQL. */
import type { Claim, Kind, StatementClaims } from './claimed.ts';
import type { DescribedValue, DescribedStatement } from './described.ts';

/** The JavaScript type that the driver returns for a type (src/platform/database/pool.ts). Other types are returned as text. */
const given: Readonly<Record<string, Kind>> = {
  boolean: 'boolean',
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  real: 'number',
  'double precision': 'number',
  numeric: 'number',
  oid: 'number',
  bytea: 'Buffer',
};
/** Types that the driver additionally accepts for a parameter. */
const taken: Readonly<Record<string, readonly Kind[]>> = {
  'timestamp with time zone': ['Date'],
  json: ['object', 'array'],
  jsonb: ['object', 'array'],
};

const isJson = (type: string) => type === 'json' || type === 'jsonb';

/** Returns the reason why the claim for a column is wrong, or undefined. */
export function columnError(is: DescribedValue, claim: Claim, inJson = false): string | undefined {
  const always = is.literals?.length === 0 && is.nullable;
  if (always) return claim.kinds.has('null') ? undefined : `is always null, and is claimed to be ${claim.text}`;
  const mayBeNull = claim.kinds.has('null') || claim.kinds.has('unknown');
  if (is.nullable && !mayBeNull) return `may be null, and is claimed to be ${claim.text}`;
  if (!is.nullable && !is.narrowed && claim.kinds.has('null') && !isJson(is.type))
    return `is never null, and is claimed to be ${claim.text}`;
  if (claim.kinds.has('undefined') !== Boolean(is.optional))
    return `is ${is.optional ? 'left out where it is null' : 'never undefined'}, and is claimed to be ${claim.text}`;
  const kinds = [...claim.kinds].filter((kind) => kind !== 'null' && kind !== 'undefined' && kind !== 'unknown');
  if (kinds.length === 0) return claim.kinds.has('unknown') || is.nullable ? undefined : `is ${is.type}`;
  if (isJson(is.type)) return jsonError(is, claim);
  if (is.type.endsWith('[]')) {
    if (!claim.element || kinds.length > 1) return `is ${is.type}, and is claimed to be ${claim.text}`;
    return columnError({ type: is.type.slice(0, -2), nullable: false, literals: is.literals }, claim.element, inJson);
  }
  const kind = inJson && is.type === 'bytea' ? 'string' : (given[is.type] ?? 'string');
  if (kinds.some((one) => one !== kind)) return `is ${is.type}, and is claimed to be ${claim.text}`;
  if (!claim.literals) return undefined;
  const wrong = is.literals?.filter((one) => !claim.literals?.includes(one));
  if (wrong?.length === 0) return undefined;
  return `is claimed to be ${claim.text}, and may be ${wrong ? wrong.map((one) => `'${one}'`).join(', ') : 'any text'}`;
}

/** Compares JSON that the statement builds member by member. Stored JSON is not checked, because the code wrote it. */
function jsonError({ json }: DescribedValue, claim: Claim): string | undefined {
  if (!json) return claim.kinds.has('object') || claim.kinds.has('array') || claim.kinds.has('unknown') ? undefined : `is JSON`;
  if ('element' in json) {
    if (!claim.element) return `is an array, and is claimed to be ${claim.text}`;
    const error = columnError(json.element, claim.element, true);
    return error && `has elements of which each ${error}`;
  }
  if (!claim.members) return claim.kinds.has('object') ? undefined : `is an object, and is claimed to be ${claim.text}`;
  const errors = memberErrors(
    Object.entries(json.members).map(([name, is]) => ({ name, ...is })),
    claim.members,
    true,
  );
  return errors.length > 0 ? `is JSON in which ${errors.join('; ')}` : undefined;
}

function memberErrors(
  are: readonly (DescribedValue & { name: string })[],
  claims: Readonly<Record<string, Claim>>,
  inJson: boolean,
): string[] {
  const errors = Object.keys(claims)
    .filter((name) => !are.some((one) => one.name === name))
    .map((name) => `${name} is claimed, and is not there`);
  for (const is of are) {
    const claim = claims[is.name];
    const error = claim ? columnError(is, claim, inJson) : `is not claimed`;
    if (error) errors.push(`${is.name} ${error}`);
  }
  return errors;
}

/** Returns the reason why the claim for a parameter is wrong, or undefined. */
export function parameterError(type: string, claim: Claim): string | undefined {
  const of = type.endsWith('[]') ? type.slice(0, -2) : undefined;
  if (claim.kinds.has('unknown')) return 'is claimed to be anything';
  if (claim.kinds.has('undefined')) return `is claimed to be ${claim.text}: what is absent is null`;
  const kinds = [...claim.kinds].filter((kind) => kind !== 'null');
  const wanted = of ? ['array'] : [given[type] ?? 'string', ...(taken[type] ?? [])];
  if (isJson(type)) wanted.push('string');
  const wrong = kinds.some((kind) => !wanted.includes(kind));
  if (wrong) return `is ${type}, and is claimed to be ${claim.text}`;
  return of && claim.element && !isJson(of) ? parameterError(of, claim.element) : undefined;
}

/** The parameters of a statement, and the reasons for claims that are narrower than the description by PostgreSQL. */
type StatementParameters = { parameters: readonly (string | null)[]; because: Readonly<Record<string, string>> };

/** Returns all errors of one statement. */
export function errorsOf(is: DescribedStatement, { parameters, because }: StatementParameters, claimed: StatementClaims): string[] {
  const errors: string[] = [];
  for (const [at, type] of is.parameters.entries()) {
    const name = parameters[at];
    if (name === null || name === undefined) continue;
    const claim = claimed.parameters[name];
    const error = claim ? parameterError(type, claim) : 'is not claimed';
    if (error) errors.push(`$${name} ${error}`);
  }
  if (!claimed.columns) return errors;
  const wrong = memberErrors(is.columns, claimed.columns, false);
  const explained = (error: string) => less.test(error) && (error.split(' ')[0] ?? '') in because;
  const idle = Object.keys(because).filter((name) => !wrong.some((error) => explained(error) && error.startsWith(`${name} `)));
  return [
    ...errors,
    ...wrong.filter((error) => !explained(error)),
    ...idle.map((name) => `${name} matches PostgreSQL and needs no reason`),
  ];
}

/** Errors for which a reason is allowed: a column with a claim that is narrower than its type. */
const less = /^\w+ (?:may be null|is claimed to be .* and may be )/;
