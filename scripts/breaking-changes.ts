/**
 * Finds changes of the API description that break existing clients. A request may require less, but not more.
 * A response may contain more, but not less.
 */

// Members of a description differ between versions.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = Record<string, any>;
type Value = Json[string];

/** A breaking change: its place, which the changelog must name, and a description. */
export type Break = { place: string; what: string };

type Sides = { was: Json; is: Json };
/** A schema in both descriptions. `sent` is true for requests and false for responses and events. */
type Compared = { place: string; was: Json | undefined; is: Json | undefined; sent: boolean; seen: ReadonlySet<string> };

const methods = ['get', 'put', 'post', 'patch', 'delete'];

/** Resolves a `$ref`. Returns any other value unchanged. */
function resolved(document: Json, value: Json | undefined): Json | undefined {
  if (typeof value?.$ref !== 'string') return value;
  const found = value.$ref
    .slice(2)
    .split('/')
    .reduce((at: Value, name: string) => at?.[name], document);
  return resolved(document, found);
}

const kind = (schema: Json): string => JSON.stringify([schema.type ?? null, schema.format ?? null, schema.const ?? null]);
const list = (value: unknown): Value[] => (Array.isArray(value) ? value : []);

/** Returns the values of `from` that are not in `among`. */
const missing = (from: unknown, among: unknown): Value[] => list(from).filter((value) => !list(among).includes(value));

/** Bounds of requests. Each function returns whether the new bound is narrower. */
const bounds: [string, (was: number, is: number) => boolean][] = [
  ...['maxLength', 'maximum', 'maxItems', 'maxProperties'].map((name): [string, (was: number, is: number) => boolean] => [
    name,
    (was, is) => is < was,
  ]),
  ...['minLength', 'minimum', 'minItems', 'minProperties'].map((name): [string, (was: number, is: number) => boolean] => [
    name,
    (was, is) => is > was,
  ]),
];

function compareSchemas(sides: Sides, { place: at, was: before, is: after, sent, seen }: Compared): Break[] {
  // A named schema is its own place, so its change is reported once for all operations.
  const place = /^#\/components\/schemas\/(.+)$/.exec(before?.$ref ?? '')?.[1] ?? at;
  const [was, is] = [resolved(sides.was, before), resolved(sides.is, after)];
  // Stops the recursion of a schema that refers to itself.
  const pair = `${before?.$ref} ${after?.$ref}`;
  if (!was || (before?.$ref !== undefined && seen.has(pair))) return [];
  if (!is) return [{ place, what: 'no longer has a schema' }];
  const below = new Set([...seen, pair]);
  if (was.anyOf || is.anyOf) return compareAlternatives(sides, { place, was, is, sent, seen: below });
  if (kind(was) !== kind(is)) return [{ place, what: `is ${kind(is)} instead of ${kind(was)}` }];
  const found: Break[] = [];
  if (sent) {
    if (is.enum) for (const value of missing(was.enum, is.enum)) found.push({ place, what: `no longer accepts ${value}` });
    if (!was.enum && is.enum) found.push({ place, what: 'accepts only listed values' });
    for (const [name, narrower] of bounds)
      if (is[name] !== undefined && (was[name] === undefined || narrower(was[name], is[name])))
        found.push({ place, what: `has a narrower ${name}` });
    if (is.pattern !== undefined && is.pattern !== was.pattern) found.push({ place, what: 'has another pattern' });
    for (const name of missing(is.required, was.required)) found.push({ place: `${place}.${name}`, what: 'is required' });
  } else {
    for (const name of missing(was.required, is.required))
      if (is.properties?.[name]) found.push({ place: `${place}.${name}`, what: 'may be absent' });
  }
  for (const [name, member] of Object.entries<Json>(was.properties ?? {})) {
    const inside = `${place}.${name}`;
    const now = is.properties?.[name];
    if (!now) found.push({ place: inside, what: sent ? 'is no longer accepted' : 'no longer exists' });
    else found.push(...compareSchemas(sides, { place: inside, was: member, is: now, sent, seen: below }));
  }
  if (was.items) found.push(...compareSchemas(sides, { place: `${place}[]`, was: was.items, is: is.items, sent, seen: below }));
  return found;
}

/** Compares `anyOf`. A request may not lose an alternative, and a response may not get a new one. */
function compareAlternatives(sides: Sides, { place, was, is, sent, seen }: Compared & { was: Json; is: Json }): Break[] {
  const [before, after] = [was.anyOf ?? [was], is.anyOf ?? [is]];
  const fits = (one: Json, others: Json[]) =>
    others.some(
      (other) =>
        compareSchemas(sides, sent ? { place, was: one, is: other, sent, seen } : { place, was: other, is: one, sent, seen }).length === 0,
    );
  const lost = sent ? before.filter((one: Json) => !fits(one, after)) : after.filter((one: Json) => !fits(one, before));
  return lost.length === 0 ? [] : [{ place, what: sent ? 'no longer accepts one of its alternatives' : 'has another alternative' }];
}

function compareParameters(sides: Sides, id: string, was: Json, is: Json): Break[] {
  const named = (document: Json, operation: Json) =>
    new Map(
      list(operation.parameters)
        .map((one) => resolved(document, one) ?? {})
        .map((one) => [`${one.in} ${one.name}`, one]),
    );
  const [before, after] = [named(sides.was, was), named(sides.is, is)];
  const gone = [...before].flatMap(([name, one]): Break[] => {
    const now = after.get(name);
    const place = `${id} ?${one.name}`;
    if (!now) return [{ place, what: 'is no longer accepted' }];
    const required: Break[] = now.required && !one.required ? [{ place, what: 'is required' }] : [];
    return [...required, ...compareSchemas(sides, { place, was: one.schema, is: now.schema, sent: true, seen: new Set() })];
  });
  const addedRequirements = [...after].filter(([name, one]) => one.required && !before.has(name));
  return [...gone, ...addedRequirements.map(([, one]) => ({ place: `${id} ?${one.name}`, what: 'is required' }))];
}

function compareContents(sides: Sides, place: string, contents: { was: Json; is: Json; sent: boolean }): Break[] {
  const { was, is, sent } = contents;
  return Object.entries<Json>(was.content ?? {}).flatMap(([type, one]): Break[] => {
    const now = is.content?.[type];
    if (!now) return [{ place, what: `no longer ${sent ? 'accepts' : 'is'} ${type}` }];
    return compareSchemas(sides, { place, was: one.schema, is: now.schema, sent, seen: new Set() });
  });
}

function compareAccess(id: string, was: Json, is: Json): Break[] {
  const scopes = ({ security }: Json): unknown[] => list(security).flatMap((one) => Object.values(one).flat());
  const more = missing(scopes(is), scopes(was)).map((scope) => ({ place: id, what: `needs the scope ${scope}` }));
  const closed: [boolean, string][] = [
    [list(was.security).length === 0 && list(is.security).length > 0, 'needs a token'],
    [!was['x-person-only'] && is['x-person-only'] === true, 'is closed to API clients'],
    [
      is['x-roles'] !== undefined && (was['x-roles'] === undefined || missing(was['x-roles'], is['x-roles']).length > 0),
      'is for fewer roles',
    ],
  ];
  return [...more, ...closed.filter(([breaks]) => breaks).map(([, what]) => ({ place: id, what }))];
}

function compareOperations(sides: Sides, was: Json, is: Json): Break[] {
  const id = String(was.operationId);
  const [bodyWas, bodyIs] = [resolved(sides.was, was.requestBody), resolved(sides.is, is.requestBody)];
  const renamed: Break[] = is.operationId === id ? [] : [{ place: id, what: `is called ${is.operationId}` }];
  const addedRequirements: Break[] = bodyIs?.required && !bodyWas?.required ? [{ place: `${id} body`, what: 'is required' }] : [];
  const answers = Object.entries<Json>(was.responses ?? {}).filter(([status]) => /^[23]/.test(status));
  return [
    ...renamed,
    ...compareAccess(id, was, is),
    ...compareParameters(sides, id, was, is),
    ...addedRequirements,
    ...(bodyWas ? compareContents(sides, `${id} body`, { was: bodyWas, is: bodyIs ?? {}, sent: true }) : []),
    ...answers.flatMap(([status, answer]): Break[] => {
      const [before, after] = [resolved(sides.was, answer) ?? {}, resolved(sides.is, is.responses?.[status])];
      const place = `${id} ${status}`;
      return after ? compareContents(sides, place, { was: before, is: after, sent: false }) : [{ place, what: 'is no longer returned' }];
    }),
  ];
}

/** Compares the events that webhook endpoints receive. */
function compareWebhooks(sides: Sides): Break[] {
  return Object.entries<Json>(sides.was.webhooks ?? {}).flatMap(([type, { post }]): Break[] => {
    const now = sides.is.webhooks?.[type]?.post;
    const place = `event ${type}`;
    return now
      ? compareContents(sides, place, { was: post.requestBody, is: now.requestBody, sent: false })
      : [{ place, what: 'is no longer sent' }];
  });
}

/** Returns all changes from `was` to `is` that break existing clients. */
export function breakingChanges(was: Json, is: Json): Break[] {
  const sides = { was, is };
  const operations = Object.entries<Json>(was.paths ?? {}).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method])
      .flatMap((method): Break[] => {
        const now = is.paths?.[path]?.[method];
        return now
          ? compareOperations(sides, item[method], now)
          : [{ place: String(item[method].operationId), what: `${method.toUpperCase()} ${path} no longer exists` }];
      }),
  );
  const found = [...operations, ...compareWebhooks(sides)];
  return [...new Map(found.map((one) => [`${one.place} ${one.what}`, one])).values()];
}

/** Returns the breaking changes without an entry in the changelog. The section of the next version must contain the place in backticks. */
export function unnamed(breaks: readonly Break[], changelog: string): Break[] {
  const [, coming = ''] = changelog.split(/^## /m);
  return breaks.filter(({ place }) => !coming.includes(`\`${place}\``));
}

const prose = new Set(['description', 'summary', 'example', 'examples', 'tags', 'servers', 'info']);

/** Returns the stored form of a description: the compared members, without prose, examples and error responses. */
export function comparable(document: Json): Json {
  const visit = (value: Value, within: string): Value => {
    if (Array.isArray(value)) return value.map((one) => visit(one, within));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).filter(
      ([name]) =>
        within === 'properties' ||
        (within === 'responses' ? /^[23]/.test(name) : !prose.has(name) && !/^x-(?!person-only|roles)/.test(name)),
    );
    return Object.fromEntries(members.map(([name, member]) => [name, visit(member, within === 'properties' ? '' : name)]));
  };
  const { openapi, info, paths, webhooks, components } = document;
  const { schemas, parameters } = components ?? {};
  return {
    openapi,
    info: { title: info?.title, version: info?.version },
    paths: visit(paths, ''),
    webhooks: visit(webhooks, ''),
    components: { schemas: visit(schemas, 'schemas'), parameters: visit(parameters, 'parameters') },
  };
}
