import { acceptsEvents, lastEventHeader, lastEventOf, sendEvents, StreamCount } from '../../platform/http/event-streams.ts';
import { onResponseClose } from '../../platform/http/on-response-close.ts';
import { principalOf, reading } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { type ChangeFeed, followChanges } from './changes/index.ts';
import { namesOf } from './names.ts';
import * as schemas from './schemas.ts';

const tags = ['Overview'];
const config = { access: { kind: 'user', byScopes: true } } as const;

/** The routes about resources of all types. */
export function resourceRoutes(app: App, feed: ChangeFeed): void {
  app.post(
    '/api/v1/names',
    {
      config: { ...config, storesResponse: false },
      schema: {
        operationId: 'lookUpNames',
        summary: 'Look up types and names',
        tags,
        body: schemas.namesBody,
        response: { 200: schemas.names },
      },
    },
    (request) => namesOf(reading(request), principalOf(request).scopes, request.body.ids),
  );

  const streams = new StreamCount();
  app.addHook('preClose', (done) => {
    feed.close();
    done();
  });

  app.get(
    '/api/v1/changes',
    {
      config,
      schema: {
        operationId: 'streamChanges',
        summary: 'Stream changes',
        tags,
        produces: ['text/event-stream'],
        headers: lastEventHeader,
      },
    },
    async (request, reply) => {
      const { actor, expiresAt, scopes } = principalOf(request);
      const scope = reading(request);
      const leave = streams.enter(actor.id);
      const gone = new AbortController();
      onResponseClose(reply, () => {
        leave();
        gone.abort();
      });
      const hasEnded = () => feed.isClosed || Date.now() >= expiresAt * 1_000;
      const goOn = acceptsEvents(request);
      return sendEvents(
        request,
        reply,
        followChanges({ feed, after: lastEventOf(request), scope, scopes, goOn, hasEnded, gone: gone.signal }),
      );
    },
  );
}
