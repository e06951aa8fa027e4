/** A part of the description, as it is written: the members that are looked into, and whatever else there is. */
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
 * Gives each schema with a title its place in `components.schemas`, under that title, and has all others refer to it. A title
 * is a name: two schemas that differ do not share one. `enums` fills in the values of those that are known only now.
 */
export function nameSchemas(root: Json, enums: Record<string, readonly string[]>): Json {
  const named: Record<string, Json> = {};
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isObject(value)) return value;
    // Examples and constants are data, whatever their members are called.
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
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`two schemas are called ${title} and differ`);
    named[title] = schema;
    return { $ref: `#/components/schemas/${title}` };
  };
  const visited = visit(root) as Json;
  const schemas = Object.fromEntries(Object.entries(named).toSorted(([one], [other]) => one.localeCompare(other)));
  return { ...visited, components: { ...(visited.components as Json), schemas } };
}

/** What may have a name: an object of `info` has a title as well. */
const isSchema = (value: Json): boolean => 'type' in value || 'anyOf' in value || 'enum' in value;

/** A schema in the words that generators know best: an `anyOf` of constants is an `enum`, and an `enum` of texts has its type. */
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

/** The schema of a body that may be left out: itself, without the null that stands for that. */
export function withoutNull(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const others = anyOf.filter((one: Json) => one.type !== 'null');
  return others.length === 1 ? { ...rest, ...others[0] } : { ...rest, anyOf: others };
}

const file: Json = { type: 'string', format: 'binary' };

/** A body as its form is sent: the part `file` is a file. */
export function asForm(schema: Json | undefined): Json {
  if (!schema) return { type: 'object', required: ['file'], properties: { file: { ...file, description: 'The file, with its name' } } };
  return { ...schema, properties: { ...schema.properties, file: { ...file, description: schema.properties?.file?.description } } };
}

/** The same body as JSON, which carries no files. */
export function asJson(schema: Json): Json {
  const { file: _file, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}

/** What an answer of a media type other than JSON is: a file, or text. */
export const contentOfType = (type: string): Json => (/^text\/|ndjson/.test(type) ? { type: 'string' } : file);
