import { type InboxKind, inboxKinds } from '../../parts/inbox-counts.ts';

/** A kind of items, or the work of others that the person waits for. */
export type Filter = InboxKind | 'waiting';
export const filters: readonly Filter[] = [...inboxKinds, 'waiting'];
export type InboxSearch = { kind?: Filter; q?: string };

/** Reads the filters from the address. */
export const inboxSearch = ({ kind, q }: Record<string, unknown>): InboxSearch => ({
  ...(filters.some((one) => one === kind) ? { kind: kind as Filter } : {}),
  ...(typeof q === 'string' && q !== '' ? { q: q.slice(0, 200) } : {}),
});
