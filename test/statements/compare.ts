/** Where what the code claims of a statement is not what PostgreSQL says of it. */
import type { Claim, Kind, StatementClaims } from './claimed.ts';
import type { DescribedValue, DescribedStatement } from './described.ts';

/** What the driver makes of a type (src/platform/database/pool.ts); a type that is not here is its text. */
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
/** What it sends for a type besides what it gives. */
const taken: Readonly<Record<string, readonly Kind[]>> = {
  'timestamp with time zone': ['Date'],
  json: ['object', 'array'],
  jsonb: ['object', 'array'],
};

const isJson = (type: string) => type === 'json' || type === 'jsonb';

/** Why a claim of a column is wrong; nothing where it is right. */
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

/** JSON that the statement builds is compared member by member; what is kept as JSON is what the code has put there. */
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

/** Why a claim of a parameter is wrong. */
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

/** A statement as it was made: the names of what it is run with, and why it claims less than PostgreSQL tells. */
type StatementParameters = { parameters: readonly (string | null)[]; because: Readonly<Record<string, string>> };

/** All that is wrong of one statement. */
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
    ...idle.map((name) => `${name} is as PostgreSQL tells: it needs no reason`),
  ];
}

/** What may have a reason: a column that is claimed to be less than it may be. */
const less = /^\w+ (?:may be null|is claimed to be .* and may be )/;
