import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, countItems, page, type Versioned, versioned } from '../../api.ts';
import { pageRows } from '../../parts/list.tsx';
import type { RequestSearch, RequestTab } from './routes.ts';

const read = (id: string) => versioned(api.GET('/api/v1/signatures/{id}', { params: { path: { id } } }));

/** The filters of the API for each tab. */
const filters = {
  waiting: { status: ['preparing', 'pending', 'sealing'], stalled: false },
  stalled: { stalled: true },
  done: { status: ['completed'] },
  ended: { status: ['declined', 'expired', 'voided'] },
} satisfies Record<RequestTab, { status?: Request['status'][]; stalled?: boolean }>;

/** Reads a page of the list, the newest change first. */
export const readRequests = ({ tab = 'waiting', q, mine }: RequestSearch, cursor: string | undefined) => {
  const query = { sort: '-updatedAt' as const, limit: pageRows, cursor, q, ...(mine ? { requestedBy: 'me' } : {}), ...filters[tab] };
  return page(api.GET('/api/v1/signatures/', { params: { query, header: countItems } }));
};

/** A signature request in a list. */
export type ListedRequest = Awaited<ReturnType<typeof readRequests>>['items'][number];
/** A signature request with its fields and the hashes of its evidence. */
export type Request = Awaited<ReturnType<typeof read>>['data'];
export type Signer = Request['signers'][number];

const keyOf = (id: string) => ['signature', id] as const;
/** `GET /api/v1/changes` does not report the end of the preparation. */
const preparationPollMs = 1_000;
export const useRequest = (id: string) =>
  useQuery({
    queryKey: keyOf(id),
    queryFn: () => read(id),
    refetchInterval: ({ state }) => (state.data?.data.status === 'preparing' ? preparationPollMs : false),
  });

/** Shows the version of a request that a change returned, and renews the lists. */
export function useRequestUpdate(): (changed: Versioned<Request>) => Promise<void> {
  const client = useQueryClient();
  return async (changed) => {
    client.setQueryData(keyOf(changed.data.id), changed);
    await client.invalidateQueries({ queryKey: ['signature', 'list'] });
  };
}

type AnyRequest = Pick<ListedRequest, 'status' | 'suspended' | 'signers'>;

/** The signers whose turn it is. */
export const currentSigners = ({ signers }: Pick<AnyRequest, 'signers'>): Signer[] =>
  signers.filter(({ status, role }) => role !== 'copy' && (status === 'pending' || status === 'viewed'));

const minReminderGapMs = 86_400_000;
/** When the service accepts the next reminder, if that is later: a day after the last email to a signer whose turn it is. */
export function nextReminderOf(request: Pick<AnyRequest, 'signers'>): string | undefined {
  const last = Math.min(...currentSigners(request).map(({ lastEmailAt }) => Date.parse(lastEmailAt ?? new Date(0).toISOString())));
  const from = last + minReminderGapMs;
  return Number.isFinite(from) && from > Date.now() ? new Date(from).toISOString() : undefined;
}

export const isLive = ({ status }: Pick<AnyRequest, 'status'>): boolean =>
  status === 'preparing' || status === 'pending' || status === 'sealing';

/** The address of a signer rejects mail. */
export const isUnreachable = ({ mail, undeliverable }: Signer): boolean => mail === 'failed' || undeliverable !== undefined;

/** The time of the last email to a signer of a request. */
export function lastEmailOf({ signers }: Pick<AnyRequest, 'signers'>): string | undefined {
  return signers
    .flatMap(({ lastEmailAt }) => lastEmailAt ?? [])
    .toSorted()
    .at(-1);
}

/** Why a request goes on only after a decision. */
export type Obstacle = 'failed' | 'right_lost' | 'signer_left' | 'signer_excluded' | 'unreachable';
export function obstacleOf(request: AnyRequest): Obstacle | undefined {
  if (request.status === 'failed') return 'failed';
  if (request.suspended !== undefined && isLive(request)) return request.suspended;
  return request.status === 'pending' && currentSigners(request).some(isUnreachable) ? 'unreachable' : undefined;
}
