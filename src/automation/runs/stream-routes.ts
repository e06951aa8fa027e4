import { Type } from 'typebox';
import { longAnswer } from '../../platform/http/streamed-responses.ts';
import { recordPrivilegedAccess } from '../../platform/http/privileged-access.ts';
import { principalOf, reading } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { onResponseClose } from '../../platform/http/on-response-close.ts';
import { Problem, problems } from '../../platform/problems.ts';
import type { ReadScope } from '../../platform/scope.ts';
import { runRead } from './events.ts';
import { prefix, runUsers, tags } from './request-context.ts';
import { followedRun } from './runs.ts';
import { eventsAfter, type Followers, followRun } from './stream/index.ts';
import { idParams } from '../../platform/schema-parts.ts';

/** The route of the event stream of a run. */
export function streamRoutes(app: App, followers: Followers): void {
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
        headers: Type.Object({
          'last-event-id': Type.Optional(
            Type.String({ description: 'The number of the last received event; the stream continues after it' }),
          ),
        }),
      },
    },
    async (request, reply) => {
      const scope = reading(request);
      const { id, via } = await followedRun(scope, request.params.id);
      const { actor, expiresAt } = principalOf(request);
      // The limit is checked before the run is read or the access recorded: a rejected caller has read nothing.
      const leave = followers.enter(actor.id);
      if (!leave) throw tooMany();
      const gone = new AbortController();
      onResponseClose(reply, () => {
        leave();
        gone.abort();
      });
      await recordPrivilegedAccess(request, runRead, { id, via });
      const events = followRun({
        run: id,
        after: numberOf(request.headers['last-event-id']),
        goOn: request.headers.accept?.includes('text/event-stream') === true,
        look: async () => (Date.now() >= expiresAt * 1_000 ? 'ended' : orEnded(stateOf(scope, id))),
        events: async (after) => {
          const rows = await scope.db.all(eventsAfter, { team: scope.team, run: id, after, limit: eventsAtATime });
          return { rows, more: rows.length === eventsAtATime };
        },
        followers,
        gone: gone.signal,
      });
      return reply
        .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
        .send(longAnswer(request, events));
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

/** An invalid number counts as 0, the start of the stream. */
const numberOf = (given: unknown): number => (typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : 0);

const tooMany = () =>
  problems.rate_limited('You already have ten streams of run events, which is the maximum. Close one of them first.', {
    headers: { 'retry-after': '10' },
  });
