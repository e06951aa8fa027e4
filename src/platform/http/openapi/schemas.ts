/** A part of the API description: the members that this code reads, and other members. */
export type Json = {
  type?: unknown;
  title?: unknown;
  description?: string | undefined;
  name?: string;
  operationId?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Json[];
  properties?: Record<string, Json>;
  schema?: Json;
  content?: Record<string, Json>;
  headers?: Record<string, Json>;
  parameters?: Json[];
  requestBody?: Json;
  responses?: Record<string, Json>;
  [member: string]: unknown;
};

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Moves each schema with a title to `components.schemas` under that title, and replaces it by a reference. Two different
 * schemas cannot have the same title. `enums` contains values that are known only at this point.
 */
export function nameSchemas(root: Json, enums: Record<string, readonly string[]>): Json {
  const named: Record<string, Json> = {};
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isObject(value)) return value;
    // Examples and constants are data, so they are not visited.
    const plain = tidy(
      Object.fromEntries(
        Object.entries(value).map(([name, member]) => [
          name,
          ['example', 'examples', 'const', 'enum'].includes(name) ? member : visit(member),
        ]),
      ),
    );
    const { title } = value;
    if (typeof title !== 'string' || !isSchema(value)) return plain;
    const { title: _named, ...rest } = plain;
    const schema = enums[title] ? { ...rest, enum: [...enums[title]] } : rest;
    const known = named[title];
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`two different schemas have the title ${title}`);
    named[title] = schema;
    return { $ref: `#/components/schemas/${title}` };
  };
  const visited = visit(root) as Json;
  const schemas = Object.fromEntries(Object.entries(named).toSorted(([one], [other]) => one.localeCompare(other)));
  return { ...visited, components: { ...(visited.components as Json), schemas } };
}

/** Returns whether an object is a schema. Other objects, such as `info`, can have a title too. */
const isSchema = (value: Json): boolean => 'type' in value || 'anyOf' in value || 'enum' in value;

/** Simplifies a schema for code generators: an `anyOf` of constants becomes an `enum`, and an `enum` of texts gets its type. */
function tidy(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (Array.isArray(anyOf) && anyOf.length > 0 && anyOf.every((one) => isObject(one) && typeof constantOf(one) === 'string'))
    return { ...rest, type: 'string', enum: anyOf.map((one) => constantOf(one)) };
  if (Array.isArray(schema.enum) && schema.type === undefined && schema.enum.every((one) => typeof one === 'string'))
    return { ...schema, type: 'string' };
  return schema;
}

const constantOf = (schema: Json): unknown =>
  schema.const ?? (Array.isArray(schema.enum) && schema.enum.length === 1 ? schema.enum[0] : undefined);

/** Returns the schema of an optional body without its null alternative. */
export function withoutNull(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const others = anyOf.filter((one: Json) => one.type !== 'null');
  return others.length === 1 ? { ...rest, ...others[0] } : { ...rest, anyOf: others };
}

const file: Json = { type: 'string', format: 'binary' };

/** Returns the schema of a multipart body, in which the part `file` is a file. */
export function asForm(schema: Json | undefined): Json {
  if (!schema) return { type: 'object', required: ['file'], properties: { file: { ...file, description: 'The file, with its name' } } };
  return { ...schema, properties: { ...schema.properties, file: { ...file, description: schema.properties?.file?.description } } };
}

/** Returns the schema of the same body as JSON, without the file. */
export function asJson(schema: Json): Json {
  const { file: _file, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}

/** Returns the schema of a response that is not JSON: a file, or text. */
export const contentOfType = (type: string): Json => (/^text\/|ndjson/.test(type) ? { type: 'string' } : file);
