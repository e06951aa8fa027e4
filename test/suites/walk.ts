import { randomUUIDv7 } from 'node:crypto';
import type { Operation } from '../openapi.ts';

/** Returns the path of an operation with a value for each parameter. */
export function fillPath(path: string, value: (name: string) => string): string {
  return path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(value(name)));
}

/** Returns a minimal body that matches a schema, for tests that need any valid body. */
export function plausible(schema: any, depth = 0): any {
  if (!schema || depth > 6) return {};
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.examples?.length) return schema.examples[0];
  const first = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (first) return plausible(first, depth + 1);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? Object.keys(schema.properties ?? {}).slice(0, 1)).map((name: string) => [
          name,
          plausible(schema.properties?.[name], depth + 1),
        ]),
      );
    case 'array':
      return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => plausible(schema.items, depth + 1));
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return schema.format === 'date-time' ? '2026-11-21T10:00:00.000Z' : schema.format === 'uuid' ? randomUUIDv7() : 'example';
  }
}

export const named = (operation: Operation) => `${operation.method} ${operation.path}`;
