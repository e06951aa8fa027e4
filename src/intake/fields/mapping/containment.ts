import type { JsonSchema } from '../json-schema.ts';
import { accepts, acceptsType, defaultFits, further } from './accepts.ts';
import { edgesOf, textOf } from './edges.ts';
import {
  allOf,
  defaultOf,
  type Fit,
  finiteValues,
  foreignKeyword,
  listOf,
  maxDepth,
  membersOf,
  misfit,
  number,
  proven,
  resolvePlace,
  unproven,
} from './place.ts';

/** Combines the results of alternatives, of which each submission has one. */
function eachOf(fits: readonly Fit[]): Fit {
  const worst = allOf(fits);
  return worst.is === 'misfit' ? { ...worst, never: fits.every((fit) => fit.is === 'misfit' && fit.never) } : worst;
}

/**
 * Decides whether all values of a source are valid at a place in the schema `root`. It runs no patterns, because schemas
 * are untrusted.
 */
export function contains(source: JsonSchema, schema: unknown, root: JsonSchema, depth = 0): Fit {
  if (depth > maxDepth) return unproven('the schema has too many levels');
  if (Array.isArray(source.anyOf)) return eachOf((source.anyOf as JsonSchema[]).map((one) => contains(one, schema, root, depth + 1)));
  const values = finiteValues(source);
  if (values) return containsAll(values, schema, root, source['x-reason']);
  const place = resolvePlace(schema, root);
  if (place === undefined) return unproven('the schema has a reference that cannot be followed');
  if (typeof place === 'boolean') return place ? proven : misfit('no value is allowed', undefined, true);
  const foreign = foreignKeyword(place, root);
  return allOf([
    fitsType(source, place),
    fitsChoice(source, place),
    fitsRules(source, place, root, depth),
    ...(place['x-answer-range'] === undefined || place['x-answer-range'] === source['x-answer-range']
      ? []
      : [unproven('the place has limits of its own')]),
    ...(foreign === undefined ? [] : [unproven(`\`${foreign}\` is not compared`)]),
  ]);
}

function containsAll(values: readonly unknown[], schema: unknown, root: JsonSchema, reason: unknown = 'is not a valid value'): Fit {
  const results = values.map((value) => ({ value, is: accepts(value, schema, root) }));
  const wrong = results.find(({ is }) => is === false);
  if (wrong)
    return misfit(
      String(reason),
      wrong.value,
      results.every(({ is }) => is === false),
    );
  return results.every(({ is }) => is === true) ? proven : unproven('the schema has rules that are tested with values only');
}

function fitsType(source: JsonSchema, { type }: JsonSchema): Fit {
  const types = listOf(type);
  const own = source.type;
  if (typeof own !== 'string') return types.length === 0 ? proven : unproven('the type of the answer is not known');
  if (types.length === 0 || types.includes(own) || (own === 'integer' && types.includes('number'))) return proven;
  const wanted = types.map(String).join(' or ');
  return misfit(
    `is of type ${own}, not ${wanted}`,
    edgesOf(source).find((one) => !acceptsType(one, { type })),
    !(own === 'number' && types.includes('integer')),
  );
}

function fitsChoice(source: JsonSchema, place: JsonSchema): Fit {
  const choices = finiteValues({ ...('const' in place ? { const: place.const } : {}), ...('enum' in place ? { enum: place.enum } : {}) });
  if (!choices) return proven;
  return misfit(
    'is not one of the allowed values',
    edgesOf(source).find((one) => !choices.includes(one)),
    choices.every((choice) => accepts(choice, source, source) === false),
  );
}

function fitsRules(source: JsonSchema, place: JsonSchema, root: JsonSchema, depth: number): Fit {
  if (source.type === 'string') return fitsText(source, place);
  if (source.type === 'number' || source.type === 'integer') return fitsNumber(source, place);
  if (source.type === 'array') return fitsList(source, place, root, depth);
  if (source.type === 'object') return fitsObject(source, place, root, depth);
  return unproven('the type of the answer is not known');
}

function fitsText(source: JsonSchema, place: JsonSchema): Fit {
  const [shortest, longest] = [number(source.minLength, 0), number(source.maxLength, Number.POSITIVE_INFINITY)];
  const [least, most] = [number(place.minLength, 0), number(place.maxLength, Number.POSITIVE_INFINITY)];
  const fits: Fit[] = [];
  if (shortest < least) fits.push(misfit(`can be shorter than ${least} characters`, textOf(source, shortest), longest < least));
  if (longest > most)
    fits.push(misfit(`can be longer than ${most} characters`, textOf(source, Math.min(longest, most + 1)), shortest > most));
  if (place.pattern !== undefined && !listOf(source['x-patterns'] ?? source.pattern).includes(place.pattern))
    fits.push(unproven('the place has a pattern'));
  if (place.format !== undefined && place.format !== source.format)
    fits.push(unproven(`the place has the format ${JSON.stringify(place.format).replace('"x-', '"')}`));
  if (place['x-answer-line'] === true && source['x-answer-line'] !== true) fits.push(unproven('the place takes one line of text'));
  return allOf(fits);
}

function fitsNumber(source: JsonSchema, place: JsonSchema): Fit {
  const low = number(source.minimum, Number.NEGATIVE_INFINITY);
  const high = number(source.maximum, Number.POSITIVE_INFINITY);
  const fits: Fit[] = [];
  const below = (bound: number, isExclusive: boolean) => {
    if (low < bound || (isExclusive && low === bound))
      fits.push(
        misfit(`can be less than ${bound}`, Number.isFinite(low) ? low : bound - 1, high < bound || (isExclusive && high === bound)),
      );
  };
  const above = (bound: number, isExclusive: boolean) => {
    if (high > bound || (isExclusive && high === bound))
      fits.push(
        misfit(`can be more than ${bound}`, Number.isFinite(high) ? high : bound + 1, low > bound || (isExclusive && low === bound)),
      );
  };
  if (typeof place.minimum === 'number') below(place.minimum, false);
  if (typeof place.exclusiveMinimum === 'number') below(place.exclusiveMinimum, true);
  if (typeof place.maximum === 'number') above(place.maximum, false);
  if (typeof place.exclusiveMaximum === 'number') above(place.exclusiveMaximum, true);
  if (place.multipleOf !== undefined && !(place.multipleOf === 1 && source.type === 'integer'))
    fits.push(unproven('the place takes multiples only'));
  return allOf(fits);
}

function fitsList(source: JsonSchema, place: JsonSchema, root: JsonSchema, depth: number): Fit {
  const [fewest, longest] = [number(source.minItems, 0), number(source.maxItems, Number.POSITIVE_INFINITY)];
  const [least, most] = [number(place.minItems, 0), number(place.maxItems, Number.POSITIVE_INFINITY)];
  const fits: Fit[] = [];
  if (fewest < least) fits.push(misfit(`can have fewer than ${least} values`, undefined, longest < least));
  if (longest > most) fits.push(misfit(`can have more than ${most} values`, undefined, fewest > most));
  if (place.uniqueItems === true && source.uniqueItems !== true) fits.push(unproven('the place takes different values only'));
  if (place.items !== undefined) {
    const each = contains(source.items as JsonSchema, place.items, root, depth + 1);
    fits.push(each.is === 'misfit' ? { ...each, never: each.never && fewest > 0 } : each);
  }
  return allOf(fits);
}

function fitsObject(source: JsonSchema, place: JsonSchema, root: JsonSchema, depth: number): Fit {
  const own = membersOf(source.properties);
  const taken = membersOf(place.properties);
  const always = new Set(listOf(source.required));
  const fits: Fit[] = [];
  for (const name of listOf(place.required).map(String)) {
    if (always.has(name) || defaultOf(taken.get(name), root) !== undefined) continue;
    fits.push(misfit(own.has(name) ? `can lack \`${name}\`` : `has no \`${name}\``, undefined, !own.has(name)));
  }
  for (const [name, schema] of own) {
    const fit = taken.has(name) ? contains(schema as JsonSchema, taken.get(name), root, depth + 1) : further(name, place);
    fits.push(fit.is === 'misfit' ? { ...fit, never: fit.never && always.has(name) } : fit);
  }
  for (const [name, schema] of taken) if (!always.has(name)) fits.push(defaultFits(schema, root));
  return allOf(fits);
}
