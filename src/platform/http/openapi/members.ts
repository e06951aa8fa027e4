import type { Json } from './schemas.ts';

/**
 * Adds descriptions to members and parameters that have none: by schema
 * (`Task.stepId`), by operation for a parameter (`listTasks.status`), or by name.
 */
export function explained(document: Json, known: ReadonlyMap<string, string>): Json {
  const { components } = document as { components: { schemas: Record<string, Json> } };
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [name, withMembers(schema, name, known)]);
  return {
    ...document,
    paths: withParameters(document.paths as Record<string, Record<string, Json>>, known),
    components: { ...components, schemas: Object.fromEntries(schemas) },
  };
}

/** Returns a schema with descriptions of its members at any depth. `place` is the name of the enclosing schema or member. */
function withMembers(schema: Json, place: string, known: ReadonlyMap<string, string>): Json {
  const { properties, items, anyOf } = schema;
  const explain = ([name, member]: [string, Json]): [string, Json] => {
    const inner = withMembers(member, name, known);
    const description = inner.description ?? known.get(`${place}.${name}`) ?? known.get(name);
    return [
      name,
      description === undefined || (inner.$ref !== undefined && !known.has(`${place}.${name}`)) ? inner : { ...inner, description },
    ];
  };
  return {
    ...schema,
    ...(properties ? { properties: Object.fromEntries(Object.entries(properties).map(explain)) } : {}),
    ...(isSchema(items) ? { items: withMembers(items, place, known) } : {}),
    ...(anyOf ? { anyOf: anyOf.map((one) => withMembers(one, place, known)) } : {}),
  };
}

const isSchema = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

function withParameters(paths: Record<string, Record<string, Json>>, known: ReadonlyMap<string, string>): Json {
  const explain = (path: string, { operationId }: Json, one: Json): Json => {
    if (one.description !== undefined || one.name === undefined) return one;
    const { description, ...schema } = one.schema ?? {};
    const said = description ?? known.get(`${operationId}.${one.name}`) ?? known.get(`?${one.name}`) ?? identifierIn(path, one);
    return said === undefined ? one : { ...one, schema, description: said };
  };
  const operation = (path: string, described: Json): Json => ({
    ...described,
    ...(described.parameters ? { parameters: described.parameters.map((one) => explain(path, described, one)) } : {}),
  });
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(Object.entries(item).map(([method, described]) => [method, operation(path, described)])),
    ]),
  );
}

/** Returns the description of a path identifier from the preceding path segment, in the singular: `/tasks/{id}`. */
function identifierIn(path: string, { in: where, name }: Json): string | undefined {
  if (where !== 'path' || !/id$/i.test(name ?? '')) return undefined;
  const before = path.split(`/{${name}}`)[0]?.split('/').at(-1) ?? '';
  const thing = before.replaceAll('-', ' ').replace(/ies$/, 'y').replace(/s$/, '');
  return `The identifier of the ${thing}`;
}
