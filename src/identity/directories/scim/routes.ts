import type { FastifyReply, FastifyRequest } from 'fastify';
import { allowedMethods, type KnownRoute, pathPattern } from '../../../platform/http/known-routes.ts';
import { principalOf, reading, writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import { Problem, problems } from '../../../platform/problems.ts';
import type { Directories } from '../context.ts';
import { isObject, readUser, type UserChange } from './attributes.ts';
import { errorUrn, listResponse, resourceTypes, schemas, serviceProviderConfig } from './discovery.ts';
import { noResource } from './errors.ts';
import * as groupQueries from './group-queries.ts';
import { changeGroup, createGroup, deleteGroup } from './groups.ts';
import { maxMembers, readGroup, readGroupPatch, readUserPatch } from './patch.ts';
import { RequestLog } from './request-log.ts';
import { limitDirectories } from './request-rate.ts';
import { cursorAfter, ifMatchOf, isKnown, pageOf, type Page, projectionOf } from './request-values.ts';
import { groupResource, projected, type Projection, type Resource, tagOf, userResource } from './resources.ts';
import * as userQueries from './user-queries.ts';
import { type Changed, changeUser, createUser, deleteUser, refusal, userKey } from './users.ts';

const prefix = '/scim/v2';
const bodyLimit = 1024 * 1024;
const config = { access: { kind: 'scim' }, errorShape: 'scim', countsOwnWrites: true } as const;
// The protocol describes itself by its schemas, so the API description leaves it out.
const schema = { hide: true, produces: ['application/scim+json'] } as const;

/** The response of an operation. Without a body it is 204. */
type ScimResponse = { status?: number; body?: Resource; version?: number; location?: string };
type RequestHandler = (request: FastifyRequest) => Promise<ScimResponse>;

/** Adds the SCIM 2.0 service (RFC 7643, RFC 7644). The token of a request names the team and the directory. */
export function scimRoutes(app: App, dirs: Directories): void {
  const log = new RequestLog(dirs);
  const limit = limitDirectories();
  const options = {
    config,
    schema,
    bodyLimit,
    preHandler: async (request: FastifyRequest) => limit(principalOf(request).actor.id),
    onSend: async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
      await log.write(request, reply);
      return payload;
    },
  };
  const handled = (work: RequestHandler) => async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      return send(request, reply, await work(request));
    } catch (error) {
      if (error instanceof Problem) log.note(request, { scimType: error.members.scimType as string | undefined, detail: error.detail });
      throw error;
    }
  };
  const known: Omit<KnownRoute, 'sendsFile'>[] = [];
  const add: Add = (method, path, work) => {
    known.push({ method, path: pathPattern(`${prefix}${path}`) });
    app.route({ method, url: `${prefix}${path}`, ...options, handler: handled(work) });
  };

  discoveryRoutes(add, dirs);
  const noteChange = (request: FastifyRequest, change: UserChange) => log.note(request, { attributes: [...change.keys()] });
  userRoutes(add, dirs, noteChange);
  groupRoutes(add, dirs, (request) => log.note(request, { attributes: isObject(request.body) ? namesIn(request.body) : [] }));
  const unsupported: RequestHandler = async () => ({
    status: 501,
    body: {
      schemas: [errorUrn],
      status: '501',
      detail: 'This service has no bulk requests, no `.search` and no `Me`. Use `Users` and `Groups`.',
    },
  });
  for (const path of ['/Bulk', '/.search', '/Users/.search', '/Groups/.search']) add('POST', path, unsupported);
  for (const method of methods) add(method, '/Me', unsupported);
  // The routes above, because the wildcard of the next ones would match each URL.
  const named = [...known];
  for (const method of methods)
    add(method, '/*', async ({ url }) => {
      const allowed = allowedMethods(named, url);
      if (allowed.length === 0) throw problems.not_found('There is no SCIM resource with this URL. See /scim/v2/ResourceTypes.');
      throw problems.method_not_allowed(`This URL accepts ${allowed.join(', ')}.`, { headers: { allow: allowed.join(', ') } });
    });
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Add = (method: (typeof methods)[number], path: string, work: RequestHandler) => void;

/** Sends a resource as `application/scim+json`, with its version as a weak entity tag. */
function send(request: FastifyRequest, reply: FastifyReply, { status = 200, body, version, location }: ScimResponse): FastifyReply {
  if (version !== undefined) reply.header('etag', tagOf(version));
  if (location !== undefined) reply.header('location', location);
  if (version !== undefined && request.method === 'GET' && isKnown(request, version)) return reply.code(304).send('');
  if (body === undefined) return reply.code(204).send();
  return reply.code(status).type('application/scim+json; charset=utf-8').serializer(String).send(JSON.stringify(body));
}

const namesIn = (body: object): string[] => Object.keys(body).map((name) => name.slice(0, 100));

function discoveryRoutes(add: Add, { baseUrl }: Directories): void {
  add('GET', '/ServiceProviderConfig', async () => ({ body: serviceProviderConfig(baseUrl) }));
  const addList = (path: string, all: readonly (Resource & { id: string })[]) => {
    add('GET', path, async (request) => {
      // RFC 7644 §4: a filter on these endpoints is forbidden.
      if (request.url.includes('filter=')) throw problems.forbidden('This list accepts no filter.');
      return { body: listResponse(all, { total: all.length, startIndex: 1 }) };
    });
    add('GET', `${path}/:id`, async (request) => {
      const { id } = request.params as { id: string };
      const found = all.find((one) => one.id.toLowerCase() === id.toLowerCase());
      if (!found) throw noResource('resource');
      return { body: found };
    });
  };
  addList('/ResourceTypes', resourceTypes(baseUrl));
  addList('/Schemas', schemas(baseUrl));
}

const idOf = (request: FastifyRequest): string => (request.params as { id: string }).id;

const inDirectory = (request: FastifyRequest) => {
  const scope = reading(request);
  return { db: scope.db, of: { team: scope.team, directory: principalOf(request).actor.id } };
};

function userRoutes(add: Add, dirs: Directories, note: (request: FastifyRequest, change: UserChange) => void): void {
  const shown = (request: FastifyRequest, user: userQueries.UserRow): ScimResponse => ({
    body: projected(userResource(dirs.baseUrl, user), projectionOf(request)),
    version: user.version,
  });
  const done = ({ user, refused }: Changed): userQueries.UserRow => {
    if (refused) throw refusal(refused);
    return user;
  };

  add('GET', '/Users', async (request) => {
    const page = pageOf(request, 'user');
    const { db, of } = inDirectory(request);
    const query = { ...of, terms: page.terms };
    const [counted] = await db.query(userQueries.countUsers(query, userKey));
    const rows = page.count === 0 ? [] : await db.query(userQueries.listUsers(query, page.position, page.count + 1, userKey));
    const projection = projectionOf(request);
    return listed(page, rows, counted?.total ?? 0, (row) => projected(userResource(dirs.baseUrl, row), projection));
  });

  add('POST', '/Users', async (request) => {
    const change = readUser(request.body);
    note(request, change);
    const user = done(await writing(request, (scope) => createUser(dirs, scope, change)));
    return { ...shown(request, user), status: 201, location: `${dirs.baseUrl}/Users/${user.id}` };
  });

  add('GET', '/Users/:id', async (request) => {
    const { db, of } = inDirectory(request);
    const id = idOf(request);
    const user = isUuid(id) ? await db.first(userQueries.findUser, { ...of, id: id.toLowerCase() }) : undefined;
    if (!user) throw noResource('user');
    return shown(request, user);
  });

  const changes = (method: 'PUT' | 'PATCH', read: (body: unknown) => UserChange) =>
    add(method, '/Users/:id', async (request) => {
      const change = read(request.body);
      note(request, change);
      const whole = method === 'PUT';
      const changed = await writing(request, (scope) => changeUser(dirs, scope, idOf(request), { change, whole }, ifMatchOf(request)));
      return shown(request, done(changed));
    });
  changes('PUT', readUser);
  changes('PATCH', readUserPatch);

  add('DELETE', '/Users/:id', async (request) => {
    const refused = await writing(request, (scope) => deleteUser(dirs, scope, idOf(request), ifMatchOf(request)));
    if (refused) throw refusal(refused);
    return {};
  });
}

/** Builds the response of a list. `rows` has one more row if another page follows. */
function listed<Row extends { id: string }>(
  page: Page,
  rows: readonly Row[],
  total: number,
  present: (row: Row) => Resource,
): ScimResponse {
  const shown = rows.slice(0, page.count);
  const last = shown.at(-1);
  const nextCursor = page.startIndex === undefined && rows.length > page.count && last ? cursorAfter(last.id) : undefined;
  return { body: listResponse(shown.map(present), { total, startIndex: page.startIndex, nextCursor }) };
}

const showsMembers = ({ only, except }: Projection): boolean =>
  only === undefined ? !except.has('members') : [...only].some((name) => name === 'members' || name.startsWith('members.'));

function groupRoutes(add: Add, dirs: Directories, note: (request: FastifyRequest) => void): void {
  async function shown(request: FastifyRequest, group: groupQueries.GroupRow): Promise<ScimResponse> {
    const { db, of } = inDirectory(request);
    const projection = projectionOf(request);
    const members = showsMembers(projection) ? await db.all(groupQueries.membersOf, { team: of.team, groups: [group.id] }) : undefined;
    return { body: projected(groupResource(dirs.baseUrl, group, members), projection), version: group.version };
  }

  add('GET', '/Groups', async (request) => {
    const page = pageOf(request, 'group');
    const { db, of } = inDirectory(request);
    const query = { ...of, terms: page.terms };
    const projection = projectionOf(request);
    const [counted] = await db.query(groupQueries.countMatching(query));
    const rows = page.count === 0 ? [] : await db.query(groupQueries.listGroups(query, page.position, page.count + 1));
    const total = counted?.total ?? 0;
    if (!showsMembers(projection))
      return listed(page, rows, total, (row) => projected(groupResource(dirs.baseUrl, row, undefined), projection));
    const groups = rows.slice(0, page.count).map(({ id }) => id);
    const sizes = new Map((await db.all(groupQueries.membersOfEach, { team: of.team, groups })).map((row) => [row.group_id, row.members]));
    const count = fitting(groups, sizes);
    const members = Map.groupBy(
      await db.all(groupQueries.membersOf, { team: of.team, groups: groups.slice(0, count) }),
      (row) => row.group_id,
    );
    const present = (row: groupQueries.GroupRow) => projected(groupResource(dirs.baseUrl, row, members.get(row.id) ?? []), projection);
    return listed({ ...page, count: Math.min(page.count, count) }, rows, total, present);
  });

  add('POST', '/Groups', async (request) => {
    const input = readGroup(request.body);
    note(request);
    const group = await writing(request, (scope) => createGroup(dirs, scope, input));
    return { ...(await shown(request, group)), status: 201, location: `${dirs.baseUrl}/Groups/${group.id}` };
  });

  add('GET', '/Groups/:id', async (request) => {
    const { db, of } = inDirectory(request);
    const id = idOf(request);
    const group = isUuid(id) ? await db.first(groupQueries.findGroup, { ...of, id: id.toLowerCase() }) : undefined;
    if (!group) throw noResource('group');
    return shown(request, group);
  });

  add('PUT', '/Groups/:id', async (request) => {
    const { displayName, externalId, members } = readGroup(request.body);
    note(request);
    const change = {
      displayName,
      externalId,
      steps: [members === undefined ? ({ op: 'clear' } as const) : ({ op: 'replace', ids: members } as const)],
    };
    return shown(request, await writing(request, (scope) => changeGroup(dirs, scope, idOf(request), change, ifMatchOf(request))));
  });

  add('PATCH', '/Groups/:id', async (request) => {
    const change = readGroupPatch(request.body);
    note(request);
    const group = await writing(request, (scope) => changeGroup(dirs, scope, idOf(request), change, ifMatchOf(request)));
    // The list of members can be long, so it is sent only on demand.
    return projectionOf(request).only ? shown(request, group) : { version: group.version };
  });

  add('DELETE', '/Groups/:id', async (request) => {
    await writing(request, (scope) => deleteGroup(dirs, scope, idOf(request), ifMatchOf(request)));
    return {};
  });
}

/** The number of groups of a page whose members fit into one response; at least one. */
function fitting(groups: readonly string[], sizes: ReadonlyMap<string, number>): number {
  let members = 0;
  const place = groups.findIndex((id) => (members += sizes.get(id) ?? 0) > maxMembers);
  return place === -1 ? groups.length : Math.max(1, place);
}
