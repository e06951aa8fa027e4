import { hashOfJson } from '../../../platform/canonical-json.ts';
import { most, separator } from './limits.ts';
import { isObject } from '../../../platform/json.ts';

/** The description of a tool from its server. Its claims, such as annotations, have no effect. */
export type Definition = {
  name: string;
  title?: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations?: Record<string, unknown>;
};

/** A definition as JSON with its hash, or the reason why a tool is rejected. */
export type Read = { name: string; definition: string; hash: string } | { name: string; reason: string };

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '');

/**
 * Characters that are invisible to people but not to a model: format and bidirectional characters, fillers, private use characters
 * and default-ignorable ones. Single variation selectors for text or emoji style are allowed.
 */
const hidden = /[\p{Cf}\p{Co}]|[\p{Default_Ignorable_Code_Point}--[\ufe0e\ufe0f]]|[\ufe0e\ufe0f]{2}/v;
function hasHidden(json: string): boolean {
  // JSON escapes control characters other than line breaks, and lone surrogates, as `\u…`.
  return hidden.test(json) || json.replaceAll('\\\\', '').includes('\\u');
}

/** Returns the reason why a tool cannot be used; undefined if it can. */
function whyNot(slug: string, { name, title, description, inputSchema, outputSchema, annotations }: Definition): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(name) || slug.length + separator.length + name.length > most.nameCharacters)
    return 'its name with the server prefix has more than 64 characters, or characters other than letters, digits, hyphens and underscores';
  if (Buffer.byteLength(description) > most.descriptionBytes || (title ?? '').length > most.titleCharacters)
    return 'its description has more than 2 KiB, or its title more than 200 characters';
  if (inputSchema.type !== 'object') return 'its input schema does not have the type `object`';
  if (bytes(inputSchema) > most.schemaBytes || bytes(outputSchema) > most.schemaBytes || bytes(annotations) > most.schemaBytes)
    return 'its schema has more than 16 KiB';
  return undefined;
}

/** Validates the definition of one tool from a server. */
export function readDefinition(slug: string, given: unknown): Read {
  const tool = isObject(given) ? given : {};
  const { name, title, description = '', inputSchema, outputSchema, annotations } = tool;
  const shown = (typeof name === 'string' ? name : '').replaceAll(/[^\w./-]/g, '?').slice(0, 100);
  if (typeof name !== 'string' || typeof description !== 'string' || !isObject(inputSchema))
    return { name: shown, reason: 'its description does not follow the protocol' };
  const definition: Definition = {
    name,
    description,
    inputSchema,
    ...(typeof title === 'string' ? { title } : {}),
    ...(isObject(outputSchema) ? { outputSchema } : {}),
    ...(isObject(annotations) ? { annotations } : {}),
  };
  const reason = whyNot(slug, definition);
  if (reason !== undefined) return { name: shown, reason };
  const json = JSON.stringify(definition);
  if (hasHidden(json)) return { name: shown, reason: 'it contains invisible characters' };
  return { name, definition: json, hash: hashOfJson(definition) };
}

/**
 * Validates the tool list of a server: the usable tools, and the rejected ones with the reason. Of two tools with the same name, only the first is
 * usable.
 */
export function readDefinitions(slug: string, given: readonly unknown[]) {
  const tools = new Map<string, Extract<Read, { hash: string }>>();
  const rejectedTools: { name: string; reason: string }[] = [];
  for (const one of given) {
    const read = readDefinition(slug, one);
    if ('reason' in read) rejectedTools.push(read);
    else if (tools.has(read.name)) rejectedTools.push({ name: read.name, reason: 'another tool has the same name' });
    else if (tools.size < most.tools) tools.set(read.name, read);
    else rejectedTools.push({ name: read.name, reason: 'the server has more than 100 tools' });
  }
  return { tools: [...tools.values()], rejectedTools: rejectedTools.slice(0, 20) };
}
