import type { JsonSchema } from '../json-schema.ts';
import { finiteValues, listOf, membersOf, number } from './place.ts';

const samples: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  uuid: '01999999-0000-7000-8000-000000000002',
  'date-time': '2026-01-31T09:30:00.000Z',
  'x-time': '09:30',
  'x-datetime': '2026-01-31T09:30',
  'x-email': 'a@example.org',
  'x-phone': '+49301234567',
  'x-url': 'https://example.org',
  'x-amount': '12.50',
};

const longestSample = 20_000;

/** Returns a text of the length that fits the format of the schema. */
export function textOf({ format }: JsonSchema, length: number): string {
  return samples[String(format)] ?? 'x'.repeat(Math.min(length, longestSample));
}

/** Returns values at the limits of a source. For a short list of choices it returns all values. */
export function edgesOf(source: JsonSchema): unknown[] {
  if (Array.isArray(source.anyOf)) return (source.anyOf as JsonSchema[]).flatMap(edgesOf).slice(0, maxEdges);
  const values = finiteValues(source);
  if (values) return values.slice(0, maxEdges);
  if (source.type === 'string') {
    const shortest = number(source.minLength, 1);
    return [...new Set([textOf(source, shortest), textOf(source, number(source.maxLength, 1_000))])];
  }
  if (source.type === 'number') return numberEdges(source, 0.5);
  if (source.type === 'integer') return numberEdges(source, 0);
  if (source.type === 'array') {
    const each = edgesOf(source.items as JsonSchema);
    const fewest = Math.max(1, number(source.minItems, 1));
    return [each.slice(0, fewest), each.slice(0, number(source.maxItems, each.length))];
  }
  return source.type === 'object' ? objectEdges(source) : [];
}

export const maxEdges = 100;

function numberEdges({ minimum, maximum }: JsonSchema, fraction: number): number[] {
  const low = number(minimum, Math.min(0, number(maximum, 0)));
  const high = number(maximum, Math.max(1_000_000_000, low));
  const between = low + fraction;
  return [...new Set([low, ...(fraction > 0 && between <= high ? [between] : []), high])];
}

function objectEdges({ properties, required }: JsonSchema): unknown[] {
  const always = new Set(listOf(required));
  const all = Array.from(membersOf(properties), ([name, schema]) => [name, edgesOf(schema as JsonSchema)] as const);
  const least = all.filter(([name]) => always.has(name));
  return [
    Object.fromEntries(all.map(([name, edges]) => [name, edges[0]])),
    Object.fromEntries((least.length === 0 ? all : least).map(([name, edges]) => [name, edges.at(-1)])),
  ];
}
