import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { serviceAddress } from './address.ts';
import { ApiProblem } from './problems/api-problem.ts';
import { send } from './session/send.ts';
import { session } from './session/session.ts';

/** A change of a resource, from `GET /api/v1/changes`. `reset`: everything can have changed. */
export type ResourceChange = { kind: 'change'; type: string; id: string } | { kind: 'reset' };

/** Types of resources that also change the inbox. */
const inInbox = new Set(['task', 'workflow', 'signature', 'agent', 'registry', 'booking']);
/** Keys of queries that a change of a member renews. A member who joins also ends an invitation. */
const ofMembers = new Set<unknown>(['member', 'invitation']);
const retryMs = 5_000;
/** Changes of this time are one renewal. */
const batchMs = 300;

/**
 * Renews the queries of changed resources. The key of a query begins with the type of its resource. An identifier in the second place limits it to that
 * resource.
 */
export function renewBy(client: QueryClient, changes: readonly ResourceChange[]): void {
  if (changes.some(({ kind }) => kind === 'reset')) return void client.invalidateQueries();
  const changed = changes.flatMap((one) => (one.kind === 'change' ? [one] : []));
  void client.invalidateQueries({
    predicate: ({ queryKey: [type, id] }) =>
      changed.some(
        (one) =>
          ((type === one.type || (one.type === 'user' && ofMembers.has(type))) &&
            (id === one.id || typeof id !== 'string' || id === 'list')) ||
          (type === 'inbox' && inInbox.has(one.type)),
      ),
  });
}

/** Renews the lists when a resource is missing or hidden, for example by a new barrier. The changes do not report resources that a reader may no longer see. */
export function renewListsAfter(client: QueryClient, [, id, ...part]: QueryKey, error: Error): void {
  const isMissing = error instanceof ApiProblem && (error.status === 403 || error.status === 404);
  if (isMissing && id !== 'list' && part.length === 0)
    void client.invalidateQueries({ predicate: ({ queryKey: [, place] }) => place === 'list' });
}

/** Reads one event stream until it ends. Returns the position after its last event. */
async function readStream(
  lastEventId: string | undefined,
  signal: AbortSignal,
  hear: (change: ResourceChange) => void,
): Promise<string | undefined> {
  const headers = { accept: 'text/event-stream', ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) };
  const response = await send(new Request(`${serviceAddress}/api/v1/changes`, { headers, signal }));
  if (!response.ok || !response.body) throw new Error(`The changes are not available: status ${response.status}.`);
  let position = lastEventId;
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => (/^(\w+): ?(.*)$/.exec(line)?.slice(1, 3) as [string, string]) ?? ['', '']));
      position = fields.get('id') ?? position;
      const kind = fields.get('event');
      if (kind === 'reset') hear({ kind });
      else if (kind === 'change') hear({ kind, ...(JSON.parse(fields.get('data') ?? '{}') as { type: string; id: string }) });
    }
  }
  return position;
}

/**
 * Follows the changes of the team, and renews the affected queries. One tab of a team holds the connection, and tells the others. Returns a function
 * that ends this.
 */
export function followChanges(client: QueryClient, team: string): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const channel = new BroadcastChannel(`chancery-changes-${team}`);
  let batched: ResourceChange[] = [];
  const hear = (change: ResourceChange) => {
    if (batched.length === 0) setTimeout(() => renewBy(client, batched.splice(0)), batchMs);
    batched.push(change);
  };
  channel.addEventListener('message', ({ data }: MessageEvent<ResourceChange>) => hear(data));
  const follow = async () => {
    let position: string | undefined;
    while (!signal.aborted && session.state.status === 'signed in') {
      try {
        position = await readStream(position, signal, (change) => {
          hear(change);
          channel.postMessage(change);
        });
      } catch {
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  };
  navigator.locks.request(`chancery-changes-${team}`, { signal }, follow).catch(() => undefined);
  return () => {
    ending.abort();
    channel.close();
    batched = [];
  };
}
