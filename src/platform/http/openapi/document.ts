import swagger from '@fastify/swagger';
import type { App } from '../server.ts';
import { explained } from './members.ts';
import { describeRoute, finishOperation } from './operation.ts';
import { problemCodes, securitySchemes, sharedComponents } from './parts.ts';
import { type Description, serveReference } from './reference.ts';
import { refusalComponents } from './error-responses.ts';
import { type Json, nameSchemas } from './schemas.ts';
import { sendDescription } from './send-description.ts';
import { gatherTexts, type DescriptionTexts } from './texts.ts';
import { type AnnouncedEvent, describeDeliveries } from './webhook-events.ts';

/** What the description says of the service as a whole. */
export type Described = {
  title: string;
  version: string;
  description: string;
  baseUrl: string;
  /** The groups of operations, in the order in which one meets them. */
  tags: readonly { name: string; description: string }[];
  /** What is sent to webhook endpoints. */
  events: () => readonly AnnouncedEvent[];
  /** What the domains say of their operations; asked for when the description is. */
  texts: () => Promise<DescriptionTexts>;
};

declare module 'fastify' {
  interface FastifyInstance {
    /** The description of the API, with what the domains say of their operations. */
    described(): Promise<object>;
  }
}

type Paths = Record<string, Record<string, Json>>;

/** Paths in the order of their groups, whichever part registered first. */
function sortByTag(paths: Paths, tags: Described['tags']): [string, Paths[string]][] {
  const names = tags.map(({ name }) => name);
  const placeOf = (item: Paths[string]) => names.indexOf(String((Object.values(item)[0]?.tags as string[] | undefined)?.[0]));
  return Object.entries(paths).toSorted(([, one], [, other]) => placeOf(one) - placeOf(other));
}

/** The description as it is published: what routes say of themselves, put in the words that readers and generators know. */
function finish(openapi: Json, { baseUrl, tags, events }: Described, texts: DescriptionTexts): Json {
  const webhookEvents = events();
  const finished = sortByTag((openapi.paths ?? {}) as Paths, tags).map(([path, item]) => [
    // A wildcard has no name of its own, which a description asks for.
    path.replace('{*}', '{path}'),
    Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, finishOperation(method, path, operation, texts)])),
  ]);
  const paths: Paths = Object.fromEntries(finished);
  const refusals = refusalComponents(
    Object.values(paths).flatMap((item) => Object.values(item)),
    baseUrl,
  );
  const whole = {
    ...openapi,
    servers: [{ url: baseUrl }],
    tags,
    paths,
    webhooks: describeDeliveries(webhookEvents),
    components: { ...(openapi.components as Json), ...sharedComponents(), ...refusals },
  };
  const named = nameSchemas(whole, { ProblemCode: problemCodes(), EventTypeName: webhookEvents.map(({ type }) => type) });
  return explained(named, texts.members);
}

/** Registers the description. Call before any route is registered; routes appear in it by themselves. */
export function describeApi(app: App, described: Described): void {
  const { title, version, description } = described;
  let texts = gatherTexts([]);
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
      components: { securitySchemes },
    },
    transform: describeRoute,
    transformObject: (given) => finish('openapiObject' in given ? { ...given.openapiObject } : {}, described, texts) as object,
  });
  app.decorate('described', async () => {
    texts = await described.texts();
    return app.swagger();
  });
}

/** `/openapi.json`, and the reference pages at `/docs` that are made of it. */
export function serveDescription(app: App): void {
  let described: Promise<{ whole: Description; text: string }> | undefined;
  const describe = () => (described ??= app.described().then((whole) => ({ whole: whole as Description, text: JSON.stringify(whole) })));
  app.get('/openapi.json', { config: { access: { kind: 'public' } }, schema: { hide: true } }, async (request, reply) => {
    const { text } = await describe();
    return sendDescription(request, reply, text);
  });
  serveReference(app, async () => (await describe()).whole);
}
