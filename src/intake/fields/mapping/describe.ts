import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../engine/field.ts';
import type { Condition } from '../engine/index.ts';
import type { JsonSchema } from '../json-schema.ts';
import type { MappingInput, MappingInputs } from './inputs.ts';
import { finiteValues, membersOf } from './place.ts';
import { type Conversion, converted, namesInSource, partsOfText, type ValueSource } from './source.ts';

/** The known results of conditions at the place of a source. */
export type KnownResults = { holding: readonly Condition[]; failing: readonly Condition[] };

/** Returns the fields that have an answer if the condition has the result. */
function answeredBy(condition: Condition, result: boolean): ReadonlySet<string> {
  if ('not' in condition) return answeredBy(condition.not, !result);
  const parts = 'all' in condition ? condition.all : 'any' in condition ? condition.any : undefined;
  if (parts) {
    const sets = parts.map((part) => answeredBy(part, result));
    if ('all' in condition === result) return new Set(sets.flatMap((set) => [...set]));
    return new Set([...(sets[0] ?? [])].filter((name) => sets.every((set) => set.has(name))));
  }
  if (!('field' in condition)) return new Set();
  // A missing answer equals no value.
  const isAnswered = 'empty' in condition ? condition.empty !== result : 'ne' in condition ? !result : result;
  return new Set(isAnswered ? [condition.field] : []);
}

const conjuncts = (condition: Condition): Condition[] => ('all' in condition ? condition.all.flatMap(conjuncts) : [condition]);

/** Returns the names that can lack a value under the facts. */
function missingUnder(needs: readonly string[], { holding, failing }: KnownResults, { fieldOf }: MappingInputs): string[] {
  const answered = new Set([
    ...holding.flatMap((one) => [...answeredBy(one, true)]),
    ...failing.flatMap((one) => [...answeredBy(one, false)]),
  ]);
  const facts = holding.flatMap(conjuncts);
  const isVisible = (condition: Condition) => conjuncts(condition).every((one) => facts.some((fact) => isDeepStrictEqual(fact, one)));
  return needs.filter((name) => {
    const field = fieldOf(name);
    const isRequired = field?.required === true && field.visibleIf !== undefined && isVisible(field.visibleIf);
    return !answered.has(name) && !isRequired;
  });
}

/** `parts`: the parts of an answer that is used as a whole. */
export type DescribedSource = { schema: JsonSchema; needs: readonly string[]; unsure: readonly string[]; parts?: readonly string[] };

/** Returns the schema of all values of a source, and the names that it needs. The caller has checked the names. */
export function describeSource(source: ValueSource, inputs: MappingInputs, facts: KnownResults): DescribedSource {
  if ('value' in source) return { schema: { const: source.value }, needs: [], unsure: [] };
  if ('first' in source) return describeFirst(source, inputs, facts);
  const used = namesInSource(source).flatMap((name) => inputs.find(name) ?? []);
  const needs = missingUnder(
    used.flatMap((input) => input.needs),
    facts,
    inputs,
  );
  const unsure = used.flatMap((input) => input.unsure ?? []);
  const [input = { schema: {}, needs: [] }] = used;
  if ('label' in source) return { schema: input.label ?? {}, needs, unsure };
  if ('text' in source) return { schema: textSchemaOf(source.text, inputs), needs, unsure };
  const parts = [...membersOf(input.schema.properties).keys()].map((part) => `${source.from}/${part}`);
  return { schema: convertedSchema(input, source.as), needs, unsure, parts };
}

function describeFirst(
  source: Extract<ValueSource, { first: unknown }>,
  inputs: MappingInputs,
  { holding, failing }: KnownResults,
): DescribedSource {
  const earlier: Condition[] = [...failing];
  const branches: DescribedSource[] = [];
  for (const { when, then } of source.first) {
    branches.push(describeSource(then, inputs, { holding: [...holding, when], failing: [...earlier] }));
    earlier.push(when);
  }
  if (source.else) branches.push(describeSource(source.else, inputs, { holding, failing: earlier }));
  const isAlways = source.else !== undefined && branches.every(({ needs }) => needs.length === 0);
  return {
    schema: { anyOf: branches.map(({ schema }) => schema) },
    // Equal sources have values for the same submissions.
    needs: isAlways ? [] : [JSON.stringify(source)],
    unsure: branches.flatMap(({ unsure }) => unsure),
  };
}

function textSchemaOf(text: string, inputs: MappingInputs): JsonSchema {
  const parts = partsOfText(text).map((part, place) =>
    place % 2 === 0 ? { const: part } : plainSchema(inputs.find(part.trim())?.schema ?? {}),
  );
  const lengths = parts.map(lengthsOf);
  const isLine = parts.every((part) => part['x-answer-line'] === true || finiteValues(part)?.every((one) => !/\p{Cc}/u.test(String(one))));
  return {
    type: 'string',
    minLength: lengths.reduce((sum, [least]) => sum + least, 0),
    maxLength: lengths.reduce((sum, [, most]) => sum + most, 0),
    ...(isLine ? { 'x-answer-line': true } : {}),
  };
}

function lengthsOf(schema: JsonSchema): [number, number] {
  const values = finiteValues(schema);
  if (!values) return [Number(schema.minLength), Number(schema.maxLength)];
  const lengths = values.map((one) => Array.from(String(one)).length);
  return [Math.min(...lengths), Math.max(...lengths)];
}

/** The longest text of a number. */
const numberLength = 25;

/** Returns the schema of a value as text: see `plainText`. */
function plainSchema(schema: JsonSchema): JsonSchema {
  const values = finiteValues(schema);
  if (values?.every((one) => typeof one !== 'object')) return { enum: values.map(String) };
  const line = { type: 'string', 'x-answer-line': true };
  if (schema.type === 'string') return schema;
  if (schema.type === 'number' || schema.type === 'integer') return { ...line, minLength: 1, maxLength: numberLength };
  const members = membersOf(schema.properties);
  if (members.has('amount')) return { ...line, minLength: 5, maxLength: 25 };
  if (members.has('value')) return { type: 'string', minLength: 1, maxLength: 500 };
  if (members.has('name')) return { ...line, minLength: 0, maxLength: 255 };
  if (schema.type !== 'array') return { type: 'string', minLength: 0, maxLength: 64 * 1024 };
  const [least, most] = lengthsOf(plainSchema(schema.items as JsonSchema));
  const [fewest, longest] = [Number(schema.minItems ?? 1), Number(schema.maxItems ?? 1)];
  return { ...line, minLength: least * fewest + 2 * (fewest - 1), maxLength: most * longest + 2 * (longest - 1) };
}

/** The longest amount: a number cannot represent it. */
const longAmount = {
  const: '999999999999999.9999',
  'x-reason': 'is a text if a number cannot represent the amount; set `min` and `max` of the field',
};

/** Returns the schema of converted values. A text without a number stays a text. */
function convertedSchema({ schema }: MappingInput, as: Conversion | undefined): JsonSchema {
  if (as === undefined) return schema;
  if (as === 'text') return plainSchema(schema);
  const values = finiteValues(schema);
  if (values) return { enum: values.map((one) => converted(one, as)) };
  // Values of other types are not converted.
  if (typeof schema.type === 'string' && schema.type !== 'string') return schema;
  if (isRecord(schema['x-number'])) return schema['x-number'];
  if (schema.format === 'x-amount') return { anyOf: [{ type: 'number' }, longAmount] };
  // A pattern can allow numbers only.
  return schema['x-patterns'] === undefined ? { anyOf: [{ type: 'number' }, schema] } : {};
}
