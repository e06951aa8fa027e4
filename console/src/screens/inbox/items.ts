import { api, type ListPage, ok, page } from '../../api.ts';
import type { InboxKind } from '../../parts/inbox-counts.ts';
import { pageRows } from '../../parts/list.tsx';
import type { Task } from '../task/queries.ts';
import type { InboxSearch } from './search.ts';

const readTasks = async (ids: string[]) => ok(api.GET('/api/v1/tasks/', { params: { query: { ids, limit: pageRows } } }));
const readBookings = async () => ok(api.GET('/api/v1/bookings', { params: { query: { status: ['pending'], limit: 100 } } }));
type Booking = Awaited<ReturnType<typeof readBookings>>[number];
type InboxItem = Awaited<ReturnType<typeof readInbox>>['items'][number];

/** An item that waits for the person, with its details. `waitsFor`: the person waits for another member, or for signers. */
export type Item = InboxItem & {
  task?: Task;
  booking?: Booking;
  waitsFor?: { member: string | undefined } | { signers: readonly string[] };
};

async function readInbox({ kind, q }: InboxSearch, cursor: string | undefined) {
  const query = { q, cursor, limit: pageRows, ...(kind === undefined ? {} : { kind: [kind as InboxKind] }) };
  const { data, ...answer } = await api.GET('/api/v1/inbox', { params: { query } });
  return page(Promise.resolve({ ...answer, ...(data === undefined ? {} : { data: data.items }) }));
}

/** Adds the details of tasks and bookings. The inbox has only what all kinds have. */
async function withDetails(items: readonly InboxItem[]): Promise<Item[]> {
  const ids = items.flatMap(({ kind, id }) => (kind === 'task' || kind === 'approval' ? [id] : []));
  const [tasks, bookings] = await Promise.all([
    ids.length === 0 ? [] : readTasks(ids),
    items.some(({ kind }) => kind === 'booking') ? readBookings() : [],
  ]);
  const details = new Map<string, Pick<Item, 'task' | 'booking'>>([
    ...tasks.map((task) => [task.id, { task }] as const),
    ...bookings.map((booking) => [booking.id, { booking }] as const),
  ]);
  return items.map((item) => ({ ...item, ...details.get(item.id) }));
}

/** Rows of each kind of work of others, below the items of the person. */
const maxWaiting = 20;
type InboxOwner = { sub: string; scopes: ReadonlySet<string> };

/** Reads the open tasks and signature requests that the person gave to others, by date. */
async function readWaiting({ q }: InboxSearch, { sub, scopes }: InboxOwner): Promise<Item[]> {
  const query = { q, limit: maxWaiting };
  const [tasks, requests] = await Promise.all([
    ok(api.GET('/api/v1/tasks/', { params: { query: { ...query, createdBy: 'me', status: ['open'], sort: 'dueDate' } } })),
    scopes.has('signatures:read')
      ? ok(api.GET('/api/v1/signatures/', { params: { query: { ...query, requestedBy: 'me', status: ['pending'], sort: 'createdAt' } } }))
      : [],
  ]);
  const given = tasks
    .filter(({ assignedTo }) => assignedTo !== sub)
    .map((task): Item => {
      const { id, title, createdAt, dueDate: dueAt, assignedTo, assignedGroupId } = task;
      return { kind: 'task', id, title, createdAt, dueAt, task, waitsFor: { member: assignedTo ?? assignedGroupId } };
    });
  const toSign = requests.map(({ id, title, createdAt, expiresAt: dueAt, signers }): Item => {
    const next = signers.filter(({ role, status }) => role !== 'copy' && (status === 'pending' || status === 'viewed'));
    return { kind: 'signature', id, title, createdAt, dueAt, waitsFor: { signers: next.map(({ name }) => name) } };
  });
  return [...given, ...toSign].toSorted((a, b) => (a.dueAt ?? '~').localeCompare(b.dueAt ?? '~'));
}

/** Reads a page of the inbox. The work of others follows on the last page. */
export async function readItems(search: InboxSearch, cursor: string | undefined, caller: InboxOwner): Promise<ListPage<Item>> {
  const { kind } = search;
  if (kind === 'waiting') return { items: await readWaiting(search, caller), next: undefined, count: undefined, countIsMinimum: false };
  const found = await readInbox(search, cursor);
  const items = await withDetails(found.items);
  if (found.next !== undefined || kind !== undefined) return { ...found, items };
  // A request of the person can also wait for their own signature.
  const own = new Set(items.map(({ id }) => id));
  const waiting = (await readWaiting(search, caller)).filter(({ id }) => !own.has(id));
  return { ...found, items: [...items, ...waiting] };
}
