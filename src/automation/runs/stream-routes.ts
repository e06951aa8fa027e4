import { acceptsEvents, lastEventHeader, lastEventOf, sendEvents, StreamCount } from '../../platform/http/event-streams.ts';
import { recordPrivilegedAccess } from '../../platform/http/privileged-access.ts';
import { principalOf, reading } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { onResponseClose } from '../../platform/http/on-response-close.ts';
import { Problem } from '../../platform/problems.ts';
import type { ReadScope } from '../../platform/scope.ts';
import { runRead } from './events.ts';
import { prefix, runUsers, tags } from './request-context.ts';
import { followedRun } from './runs.ts';
import { eventsAfter, type Followers, followRun } from './stream/index.ts';
import { idParams } from '../../platform/schema-parts.ts';

/** The route of the event stream of a run. */
export function streamRoutes(app: App, followers: Followers): void {
  const streams = new StreamCount();
  app.addHook('preClose', (done) => {
    followers.close();
    done();
  });

  app.get(
    `${prefix}/runs/:id/events`,
    {
      config: runUsers,
      schema: {
        operationId: 'streamAgentRun',
        summary: 'Stream the events of a run',
        tags,
        produces: ['text/event-stream'],
        params: idParams,
        headers: lastEventHeader,
      },
    },
    async (request, reply) => {
      const scope = reading(request);
      const { id, via } = await followedRun(scope, request.params.id);
      const { actor, expiresAt } = principalOf(request);
      // The limit is checked before the run is read or the access recorded: a rejected caller has read nothing.
      const leave = streams.enter(actor.id);
      const gone = new AbortController();
      onResponseClose(reply, () => {
        leave();
        gone.abort();
      });
      await recordPrivilegedAccess(request, runRead, { id, via });
      const events = followRun({
        run: id,
        after: lastEventOf(request) ?? 0,
        goOn: acceptsEvents(request),
        look: async () => (Date.now() >= expiresAt * 1_000 ? 'ended' : orEnded(stateOf(scope, id))),
        events: async (after) => {
          const rows = await scope.db.all(eventsAfter, { team: scope.team, run: id, after, limit: eventsAtATime });
          return { rows, more: rows.length === eventsAtATime };
        },
        followers,
        gone: gone.signal,
      });
      return sendEvents(request, reply, events);
    },
  );
}

const eventsAtATime = 50;

const stateOf = async (scope: ReadScope, run: string) => ((await followedRun(scope, run)).over ? 'over' : 'open');

/** Ends the stream if the caller has lost access to the run. */
async function orEnded<T>(state: Promise<T>): Promise<T | 'ended'> {
  try {
    return await state;
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return 'ended';
    throw error;
  }
}
