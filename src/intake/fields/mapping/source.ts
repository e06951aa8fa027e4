import { type Condition, fieldsNamed, holds, ownMember } from '../engine/index.ts';
import { isRecord } from '../engine/field.ts';
import { numberOf } from '../engine/numbers.ts';

/** The source of one value: an answer, a text with answers, a constant, the label of an answer, or the first source whose condition holds. */
export type ValueSource =
  | { from: string; as?: Conversion }
  | { text: string }
  | { value: unknown }
  | { label: string }
  | { first: readonly { when: Condition; then: ValueSource }[]; else?: ValueSource };

export const conversions = ['number', 'integer', 'text'] as const;
export type Conversion = (typeof conversions)[number];

/** The sources of the values of a target, by their path in it: `receiving.name`. */
export type Mapping = Readonly<Record<string, ValueSource>>;

export const mappingLimits = {
  /** All sources of a definition. */
  sources: 500,
  /** Levels of nested sources. */
  depth: 8,
  /** The length of a `text` in characters. */
  text: 4_000,
};

/** The values of one run. */
export type MappingValues = {
  /** Returns the value of a name, or undefined if it has none. */
  valueOf: (name: string) => unknown;
  /** Returns the value of a name as text for people, such as the label of an option. */
  labelOf: (name: string) => string | undefined;
};

const placeholder = /\{\{([^{}]*)\}\}/g;

/** Returns the names in a text with placeholders. */
export const namesInText = (text: string): string[] => Array.from(text.matchAll(placeholder), ([, name = '']) => name.trim());

/** Splits a text at its placeholders: literal texts are at even positions, names at odd ones. */
export const partsOfText = (text: string): string[] => text.split(placeholder);

/** Returns the value of a source, or undefined. Inserted answers are data: placeholders in them stay text. */
export function valueOfSource(source: ValueSource, values: MappingValues): unknown {
  if ('value' in source) return source.value;
  if ('from' in source) return converted(values.valueOf(source.from), source.as);
  if ('label' in source) return values.labelOf(source.label);
  if ('text' in source) return filledText(source.text, values);
  const chosen = source.first.find(({ when }) => holds(when, values.valueOf))?.then ?? source.else;
  return chosen && valueOfSource(chosen, values);
}

/** Returns the text with its answers. It has no value if an answer is missing, so that no sentence has a gap. */
function filledText(text: string, { valueOf }: MappingValues): string | undefined {
  const parts = partsOfText(text).map((part, place) => (place % 2 === 0 ? part : plainText(valueOf(part.trim()))));
  return parts.includes(undefined) ? undefined : parts.join('');
}

/** Converts a value. A text that is not a number stays a text. */
export function converted(value: unknown, to: Conversion | undefined): unknown {
  if (value === undefined || to === undefined) return value;
  if (to === 'text') return plainText(value);
  const number = typeof value === 'string' ? numberOf(value) : value;
  // Other texts stay, so that the target rejects them. Rounding would change the answer.
  return to === 'integer' && !Number.isSafeInteger(number) ? value : number;
}

/** Returns a value as text that does not depend on a language; undefined if there is no such text. */
export function plainText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.flatMap((one: unknown) => plainText(one) ?? []).join(', ');
  if (!isRecord(value)) return undefined;
  const { amount, currency, value: text, name } = value;
  if (typeof amount === 'string' && typeof currency === 'string') return `${amount} ${currency}`;
  return [text, name].find((one) => typeof one === 'string') ?? '';
}

type Tree = Map<string, unknown>;

/** Returns the values of a mapping as an object: a path such as `receiving.name` creates nested objects. */
export function applyMapping(mapping: Mapping, values: MappingValues): Record<string, unknown> {
  const tree: Tree = new Map();
  for (const [path, source] of Object.entries(mapping)) {
    const value = valueOfSource(source, values);
    if (value === undefined) continue;
    const names = path.split('.');
    let parent = tree;
    for (const name of names.slice(0, -1)) {
      const child = parent.get(name);
      const next: Tree = child instanceof Map ? (child as Tree) : new Map();
      parent.set(name, next);
      parent = next;
    }
    parent.set(names.at(-1) ?? '', value);
  }
  return objectOf(tree);
}

const objectOf = (tree: Tree): Record<string, unknown> =>
  Object.fromEntries(Array.from(tree, ([name, child]) => [name, child instanceof Map ? objectOf(child as Tree) : child]));

/** Returns the names of answers and outcomes that a source uses, also in its conditions. */
export function namesInSource(source: ValueSource): string[] {
  if ('value' in source) return [];
  if ('from' in source) return [source.from];
  if ('label' in source) return [source.label];
  if ('text' in source) return namesInText(source.text);
  const branches = source.first.flatMap(({ when, then }) => [...fieldsNamed(when), ...namesInSource(then)]);
  return [...branches, ...(source.else ? namesInSource(source.else) : [])];
}

/** Returns a part of a value: `amount/currency` is the member `currency` of the answer `amount`. */
export function partOf(value: unknown, parts: readonly string[]): unknown {
  return parts.reduce<unknown>((one, part) => (isRecord(one) ? ownMember(one, part) : undefined), value);
}
