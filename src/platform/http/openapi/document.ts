import swagger from '@fastify/swagger';
import type { App } from '../server.ts';
import { explained } from './members.ts';
import { describeRoute, finishOperation } from './operation.ts';
import { problemCodes, securitySchemes, sharedComponents } from './parts.ts';
import { type Description, serveReference } from './reference.ts';
import { serveDocumentation } from '../documentation/routes.ts';
import { refusalComponents } from './error-responses.ts';
import { type Json, nameSchemas } from './schemas.ts';
import type { StaticFile } from '../compression.ts';
import { descriptionFile, sendDescription } from './send-description.ts';
import { collectDescriptionTexts, type DescriptionTexts } from './texts.ts';
import { type AnnouncedEvent, describeDeliveries } from './webhook-events.ts';

/** The metadata of the API description. */
export type Described = {
  title: string;
  version: string;
  description: string;
  baseUrl: string;
  /** The groups of operations, in the order of typical use. */
  tags: readonly { name: string; description: string }[];
  /** The events that are sent to webhook endpoints. */
  events: () => readonly AnnouncedEvent[];
  /** Loads the descriptions of the operations from the domains. */
  texts: () => Promise<DescriptionTexts>;
};

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the API description with the texts of the domains. */
    described(): Promise<object>;
  }
}

type Paths = Record<string, Record<string, Json>>;

/** Sorts paths by their groups, independent of the registration order. */
function sortByTag(paths: Paths, tags: Described['tags']): [string, Paths[string]][] {
  const names = tags.map(({ name }) => name);
  const placeOf = (item: Paths[string]) => names.indexOf(String((Object.values(item)[0]?.tags as string[] | undefined)?.[0]));
  return Object.entries(paths).toSorted(([, one], [, other]) => placeOf(one) - placeOf(other));
}

/** Completes the API description: adds what follows from the metadata of the routes, in standard OpenAPI terms. */
function finish(openapi: Json, { baseUrl, tags, events }: Described, texts: DescriptionTexts): Json {
  const webhookEvents = events();
  const finished = sortByTag((openapi.paths ?? {}) as Paths, tags).map(([path, item]) => [
    // A wildcard has no name, but OpenAPI requires one.
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

/** Registers the API description. Call it before routes are registered; they are added automatically. */
export function describeApi(app: App, described: Described): void {
  const { title, version, description } = described;
  let texts = collectDescriptionTexts([]);
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

/** Serves `/openapi.json`, the reference pages at `/docs/api`, and the documentation at `/docs`. */
export function serveDescription(app: App): void {
  let described: Promise<{ whole: Description; file: StaticFile }> | undefined;
  const describe = () => (described ??= app.described().then((whole) => ({ whole: whole as Description, file: descriptionFile(whole) })));
  app.get('/openapi.json', { config: { access: { kind: 'public' } }, schema: { hide: true } }, async (request, reply) => {
    const { file } = await describe();
    return sendDescription(request, reply, file);
  });
  serveDocumentation(app);
  serveReference(app, async () => (await describe()).whole);
}
