/**
 * What of a change to the API description breaks a client that was written against the description before. The direction
 * decides: what a client sends may be asked for less, never for more; what it is answered may say more, never less.
 */

// A description is read by its members, of which each version may have others.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = Record<string, any>;
type Value = Json[string];

/** A change that breaks clients: the place, by which the changelog names it, and what happened there. */
export type Break = { place: string; what: string };

type Sides = { was: Json; is: Json };
/** A schema of a request or of an answer, in both descriptions. */
type Compared = { place: string; was: Json | undefined; is: Json | undefined; sent: boolean; seen: ReadonlySet<string> };

const methods = ['get', 'put', 'post', 'patch', 'delete'];

/** What a `$ref` refers to, and anything else as it is. */
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

/** Values that one side lists and the other does not. */
const missing = (from: unknown, among: unknown): Value[] => list(from).filter((value) => !list(among).includes(value));

/** Bounds of what may be sent: each with the way in which it gets narrower. */
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
  // A schema with a name is the place itself: it breaks once, however many operations show it.
  const place = /^#\/components\/schemas\/(.+)$/.exec(before?.$ref ?? '')?.[1] ?? at;
  const [was, is] = [resolved(sides.was, before), resolved(sides.is, after)];
  // A schema that refers to itself is compared once on each way to it.
  const pair = `${before?.$ref} ${after?.$ref}`;
  if (!was || (before?.$ref !== undefined && seen.has(pair))) return [];
  if (!is) return [{ place, what: 'has no schema any more' }];
  const below = new Set([...seen, pair]);
  if (was.anyOf || is.anyOf) return compareAlternatives(sides, { place, was, is, sent, seen: below });
  if (kind(was) !== kind(is)) return [{ place, what: `is ${kind(is)} instead of ${kind(was)}` }];
  const found: Break[] = [];
  if (sent) {
    if (is.enum) for (const value of missing(was.enum, is.enum)) found.push({ place, what: `does not take ${value} any more` });
    if (!was.enum && is.enum) found.push({ place, what: 'takes listed values alone' });
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
    if (!now) found.push({ place: inside, what: sent ? 'is not taken any more' : 'is not there any more' });
    else found.push(...compareSchemas(sides, { place: inside, was: member, is: now, sent, seen: below }));
  }
  if (was.items) found.push(...compareSchemas(sides, { place: `${place}[]`, was: was.items, is: is.items, sent, seen: below }));
  return found;
}

/** Of alternatives none may go from what is sent; of one that is answered, what it is may not change. */
function compareAlternatives(sides: Sides, { place, was, is, sent, seen }: Compared & { was: Json; is: Json }): Break[] {
  const [before, after] = [was.anyOf ?? [was], is.anyOf ?? [is]];
  const fits = (one: Json, others: Json[]) =>
    others.some(
      (other) =>
        compareSchemas(sides, sent ? { place, was: one, is: other, sent, seen } : { place, was: other, is: one, sent, seen }).length === 0,
    );
  const lost = sent ? before.filter((one: Json) => !fits(one, after)) : after.filter((one: Json) => !fits(one, before));
  return lost.length === 0 ? [] : [{ place, what: sent ? 'does not take one of its alternatives any more' : 'has another alternative' }];
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
    if (!now) return [{ place, what: 'is not taken any more' }];
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
    if (!now) return [{ place, what: `${sent ? 'does not take' : 'is not'} ${type} any more` }];
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
      return after ? compareContents(sides, place, { was: before, is: after, sent: false }) : [{ place, what: 'is not answered any more' }];
    }),
  ];
}

/** What of the events that endpoints are sent breaks those who receive them. */
function compareWebhooks(sides: Sides): Break[] {
  return Object.entries<Json>(sides.was.webhooks ?? {}).flatMap(([type, { post }]): Break[] => {
    const now = sides.is.webhooks?.[type]?.post;
    const place = `event ${type}`;
    return now
      ? compareContents(sides, place, { was: post.requestBody, is: now.requestBody, sent: false })
      : [{ place, what: 'is not sent any more' }];
  });
}

/** Everything by which the description `is` breaks a client that was written against `was`. */
export function breakingChanges(was: Json, is: Json): Break[] {
  const sides = { was, is };
  const operations = Object.entries<Json>(was.paths ?? {}).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method])
      .flatMap((method): Break[] => {
        const now = is.paths?.[path]?.[method];
        return now
          ? compareOperations(sides, item[method], now)
          : [{ place: String(item[method].operationId), what: `${method.toUpperCase()} ${path} is gone` }];
      }),
  );
  const found = [...operations, ...compareWebhooks(sides)];
  return [...new Map(found.map((one) => [`${one.place} ${one.what}`, one])).values()];
}

/** The breaks that the changelog does not name: each by its place, in backticks, in the part about the version to come. */
export function unnamed(breaks: readonly Break[], changelog: string): Break[] {
  const [, coming = ''] = changelog.split(/^## /m);
  return breaks.filter(({ place }) => !coming.includes(`\`${place}\``));
}

const prose = new Set(['description', 'summary', 'example', 'examples', 'tags', 'servers', 'info']);

/** A description as it is kept with a release: what is compared, without its prose, examples and refusals. */
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
