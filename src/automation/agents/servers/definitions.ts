import { hashOfJson } from '../../../platform/canonical-json.ts';
import { most, separator } from './limits.ts';
import { isObject } from '../../../platform/json.ts';

/** A tool as its server describes it. It is somebody's claim: what it says of itself decides nothing. */
export type Definition = {
  name: string;
  title?: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations?: Record<string, unknown>;
};

/** A definition, as JSON, with the hash that it is known by; or the reason why a tool is rejected. */
export type Read = { name: string; definition: string; hash: string } | { name: string; reason: string };

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '');

/**
 * Characters that people do not see and a model reads: formats, bidirectional ones, fillers, what chooses how a character looks save for one that
 * makes a picture or a text of it, controls, and halves of a pair.
 */
const hidden = /[\p{Cf}\p{Co}]|[\p{Default_Ignorable_Code_Point}--[\ufe0e\ufe0f]]|[\ufe0e\ufe0f]{2}/v;
function hasHidden(json: string): boolean {
  // JSON writes controls other than line ends, and halves, as \u….
  return hidden.test(json) || json.replaceAll('\\\\', '').includes('\\u');
}

/** Why a tool cannot be used, as a sentence about it. */
function whyNot(slug: string, { name, title, description, inputSchema, outputSchema, annotations }: Definition): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(name) || slug.length + separator.length + name.length > most.nameCharacters)
    return 'its name, with that of the server before it, is not of 64 letters, digits, hyphens and low lines at most';
  if (Buffer.byteLength(description) > most.descriptionBytes || (title ?? '').length > most.titleCharacters)
    return 'its description has more than 2 KiB, or its title more than 200 characters';
  if (inputSchema.type !== 'object') return 'its input is not an object';
  if (bytes(inputSchema) > most.schemaBytes || bytes(outputSchema) > most.schemaBytes || bytes(annotations) > most.schemaBytes)
    return 'its schema has more than 16 KiB';
  return undefined;
}

/** Reads what a server says of one tool. */
export function readDefinition(slug: string, given: unknown): Read {
  const tool = isObject(given) ? given : {};
  const { name, title, description = '', inputSchema, outputSchema, annotations } = tool;
  const shown = (typeof name === 'string' ? name : '').replaceAll(/[^\w./-]/g, '?').slice(0, 100);
  if (typeof name !== 'string' || typeof description !== 'string' || !isObject(inputSchema))
    return { name: shown, reason: 'it is not described as the protocol has it' };
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
  if (hasHidden(json)) return { name: shown, reason: 'it has characters that people do not see' };
  return { name, definition: json, hash: hashOfJson(definition) };
}

/** Reads the list of a server: the tools that can be used, and those that are left out with why. Of two with one name the first counts. */
export function readDefinitions(slug: string, given: readonly unknown[]) {
  const tools = new Map<string, Extract<Read, { hash: string }>>();
  const rejectedTools: { name: string; reason: string }[] = [];
  for (const one of given) {
    const read = readDefinition(slug, one);
    if ('reason' in read) rejectedTools.push(read);
    else if (tools.has(read.name)) rejectedTools.push({ name: read.name, reason: 'another tool has its name' });
    else if (tools.size < most.tools) tools.set(read.name, read);
    else rejectedTools.push({ name: read.name, reason: 'there are more than 100 tools' });
  }
  return { tools: [...tools.values()], rejectedTools: rejectedTools.slice(0, 20) };
}
