import { type QueryClient, useQuery } from '@tanstack/react-query';
import { api, ok } from '../api.ts';
import { useClaims } from '../session/use-session.ts';

/** The kinds of items of the inbox, each with the name of its number. */
const countOf = {
  task: 'tasks',
  approval: 'approvals',
  booking: 'bookings',
  record: 'records',
  signature: 'signatures',
  delivery: 'failedDeliveries',
} as const;
export type InboxKind = keyof typeof countOf;
export const inboxKinds = Object.keys(countOf) as readonly InboxKind[];

/** The number of items of each kind; undefined for kinds that the person does not have. */
export type InboxCounts = Partial<Record<InboxKind, { open: number; overdue: number; isMinimum: boolean }>>;

async function readCounts(): Promise<InboxCounts> {
  const { counts = {} } = await ok(api.GET('/api/v1/inbox', { params: { query: { limit: 1 } } }));
  return Object.fromEntries(
    inboxKinds.flatMap((kind) => {
      const count = counts[countOf[kind]];
      return count ? [[kind, { open: count.open, overdue: count.overdue ?? 0, isMinimum: count.isLowerBound ?? false }]] : [];
    }),
  );
}

export const useInboxCounts = () => {
  const { team } = useClaims();
  return useQuery({ queryKey: ['inbox', 'counts', team], queryFn: readCounts });
};

export const sumOf = (counts: InboxCounts | undefined, of: 'open' | 'overdue'): number =>
  Object.values(counts ?? {}).reduce((sum, count) => sum + count[of], 0);

/** Renews the inbox after a decision, and returns the number of remaining items. */
export async function renewAfterDecision(client: QueryClient): Promise<number> {
  void client.invalidateQueries({ queryKey: ['task'] });
  const left = sumOf(await readCounts(), 'open');
  await client.invalidateQueries({ queryKey: ['inbox'] });
  return left;
}
