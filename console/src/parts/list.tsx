import { Button, Checkbox } from '@mantine/core';
import { type InfiniteData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { JSX, KeyboardEvent, MouseEvent, ReactNode, RefObject } from 'react';
import { Fragment, useEffect, useRef, useState } from 'react';
import type { ListPage } from '../api.ts';
import { commonTexts } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { singleKeys } from '../shell/keys.ts';
import { announce } from './announcer.tsx';
import styles from './list.module.css';
import { Failed, Loading } from './states.tsx';

/** Rows of one page. Two pages are shown at most, so that a list has at most 100 rows. */
export const pageRows = 50;
const maxPages = 2;

export type ListColumn<Item> = {
  header: string;
  cell: (item: Item) => ReactNode;
  /** Hidden on narrow screens. */
  wide?: boolean;
  /** Numbers and times stay in one line. */
  narrow?: boolean;
};

type PageStart = { index: number; cursor: string | undefined };

export type ListProps<Item extends { id: string }> = {
  /** The name of the list, for screen readers. */
  label: string;
  /** The key of the query. It begins with the type of the resource, so that changes of the type renew the list. */
  queryKey: QueryKey;
  /** Reads one page of {@link pageRows} items from a cursor. */
  read: (cursor: string | undefined) => Promise<ListPage<Item>>;
  /** The first column is the name of the row, and its link. */
  columns: readonly ListColumn<Item>[];
  /** The path of the page of an item. */
  to: (item: Item) => string;
  /** The text of an item for screen readers. */
  title: (item: Item) => string;
  /** Whether a click opens the side panel (`?peek=id`), and Enter the page. Otherwise both open the page. */
  peeks?: boolean;
  /** Groups rows that follow each other below a heading. */
  group?: (item: Item) => string;
  /** Rows that are picked, to change several at once. */
  picked?: { items: readonly Item[]; change: (items: readonly Item[]) => void; isFor?: (item: Item) => boolean };
  /** Letters that act on the row with the focus. `false`: the side panel handles the letter. */
  keys?: Readonly<Record<string, (item: Item) => boolean>>;
  /** The actions of a row, such as a menu. */
  actions?: (item: Item) => ReactNode;
  /** The content of an empty list. */
  empty: ReactNode;
};

/** A list of resources: cursor pages, at most 100 rows, and the same keys and clicks in every list. */
export function List<Item extends { id: string }>(props: ListProps<Item>): JSX.Element {
  const { label, columns, group, picked, actions, empty } = props;
  const words = useTexts(commonTexts);
  const query = usePages(props);
  const found = query.data?.pages.flatMap((one) => one.items) ?? [];
  const { table, current, onKeyDown, onOpen } = useRows(props, found);
  const isFocused = useRowFocus(found, table);
  const { items, newer, showAll } = useSteadyItems(found, isFocused, JSON.stringify([props.queryKey, query.data?.pageParams]));
  if (query.isPending) return <Loading />;
  if (query.isError && !query.data) return <Failed error={query.error} retry={() => void query.refetch()} />;
  if (found.length === 0) return <>{empty}</>;
  const { count, countIsMinimum } = query.data?.pages[0] ?? {};
  const width = columns.length + (picked ? 1 : 0) + (actions ? 1 : 0);
  return (
    <div className={styles.list}>
      {count !== undefined && <p className={styles.count}>{countIsMinimum ? words.countMore(count) : words.count(count)}</p>}
      {newer > 0 && (
        <p className={styles.newer}>
          {words.newItems(newer)}
          <Button variant="subtle" size="compact-sm" onClick={showAll}>
            {words.show}
          </Button>
        </p>
      )}
      {query.hasPreviousPage && (
        <Button variant="subtle" loading={query.isFetchingPreviousPage} onClick={() => void query.fetchPreviousPage()}>
          {words.loadEarlier}
        </Button>
      )}
      {/* Rows are links; the keys j and k move between them. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <table className={styles.table} ref={table} onKeyDown={onKeyDown} data-old={query.isPlaceholderData || undefined}>
        <caption className="apart">{label}</caption>
        <thead>
          <tr>
            {picked && (
              <th scope="col" className={styles.pick}>
                <span className="apart">{words.pick('')}</span>
              </th>
            )}
            {columns.map(({ header, wide, narrow }) => (
              <th key={header} scope="col" data-wide={wide} data-narrow={narrow}>
                {header}
              </th>
            ))}
            {actions && (
              <th scope="col">
                <span className="apart">{words.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {items.map((item, at) => {
            const heading = group?.(item);
            const before = items[at - 1];
            const isNewGroup = heading !== undefined && (before === undefined || group?.(before) !== heading);
            return (
              <Fragment key={item.id}>
                {isNewGroup && (
                  <tr className={styles.group}>
                    <th colSpan={width} scope="rowgroup">
                      {heading}
                    </th>
                  </tr>
                )}
                <Row {...props} item={item} isCurrent={current === item.id} onOpen={(event) => onOpen(event, item)} />
              </Fragment>
            );
          })}
        </tbody>
      </table>
      {query.hasNextPage && (
        <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {words.loadMore}
        </Button>
      )}
    </div>
  );
}

type RowProps<Item extends { id: string }> = ListProps<Item> & { item: Item; isCurrent: boolean; onOpen: (event: MouseEvent) => void };

function Row<Item extends { id: string }>({ columns, item, to, title, picked, actions, isCurrent, onOpen }: RowProps<Item>): JSX.Element {
  const words = useTexts(commonTexts);
  return (
    <tr data-row={item.id} data-current={isCurrent || undefined}>
      {picked && (
        <td className={styles.pick}>
          {(picked.isFor?.(item) ?? true) && (
            <Checkbox
              size="xs"
              aria-label={words.pick(title(item))}
              checked={picked.items.some(({ id }) => id === item.id)}
              onChange={() => picked.change(toggled(picked.items, item))}
            />
          )}
        </td>
      )}
      {columns.map(({ header, cell, wide, narrow }, column) =>
        column === 0 ? (
          <th key={header} scope="row">
            <Link to={to(item)} className={styles.link} onClick={onOpen}>
              {cell(item)}
            </Link>
          </th>
        ) : (
          <td key={header} data-wide={wide} data-narrow={narrow}>
            {cell(item)}
          </td>
        ),
      )}
      {actions && <td className={styles.actions}>{actions(item)}</td>}
    </tr>
  );
}

function toggled<Item extends { id: string }>(items: readonly Item[], item: Item): readonly Item[] {
  const others = items.filter(({ id }) => id !== item.id);
  return others.length < items.length ? others : [...items, item];
}

/** Reads the pages of a list. Cursors lead forward only, so the cursors of earlier pages are kept. */
function usePages<Item extends { id: string }>({ queryKey, read }: ListProps<Item>) {
  const cursors = useRef<(string | undefined)[]>([undefined]);
  return useInfiniteQuery<ListPage<Item>, Error, InfiniteData<ListPage<Item>, PageStart>, QueryKey, PageStart>({
    queryKey,
    initialPageParam: { index: 0, cursor: undefined },
    maxPages,
    queryFn: async ({ pageParam: { index, cursor } }) => {
      const found = await read(cursor);
      cursors.current[index + 1] = found.next;
      return found;
    },
    getNextPageParam: ({ next }, _pages, { index }) => (next === undefined ? undefined : { index: index + 1, cursor: next }),
    getPreviousPageParam: (_page, _pages, { index }) =>
      index === 0 ? undefined : { index: index - 1, cursor: cursors.current[index - 1] },
  });
}

/**
 * Returns the items in a steady order while a person works in the list, so that the row with the focus does not move. New items are counted, and
 * shown on request. `source` changes if the person selects other items or more of them.
 */
function useSteadyItems<Item extends { id: string }>(found: Item[], isFocused: boolean, source: string) {
  const words = useTexts(commonTexts);
  const { peek } = useSearch({ strict: false }) as { peek?: string };
  const [shown, setShown] = useState<{ source: string; ids: readonly string[] }>({ source, ids: [] });
  const isSteady = (isFocused || peek !== undefined) && shown.source === source;
  const known = new Map(found.map((item) => [item.id, item]));
  const kept = isSteady ? shown.ids.flatMap((id) => known.get(id) ?? []) : [];
  // A list without its rows has nothing to keep steady.
  const items = kept.length === 0 ? found : kept;
  const newer = found.length - items.length;
  const ids = items.map(({ id }) => id);
  if (source !== shown.source || ids.join() !== shown.ids.join()) setShown({ source, ids });
  useEffect(() => {
    if (newer > 0) announce(words.newItems(newer));
  }, [newer, words]);
  return { items, newer, showAll: () => setShown({ source, ids: found.map(({ id }) => id) }) };
}

/** Returns whether a row has the focus. If such a row is gone, for example after a decision, the next one gets the focus. */
function useRowFocus(found: readonly { id: string }[], table: RefObject<HTMLTableElement | null>): boolean {
  const [isFocused, setFocused] = useState(false);
  const last = useRef<{ id: string; at: number }>(undefined);
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      const row = target instanceof Element && table.current?.contains(target) ? target.closest<HTMLElement>('tr[data-row]') : null;
      const rows = [...(table.current?.querySelectorAll('tr[data-row]') ?? [])];
      last.current = row?.dataset.row === undefined ? undefined : { id: row.dataset.row, at: rows.indexOf(row) };
      setFocused(row !== null);
    };
    const onPointerDown = ({ target }: PointerEvent) => target instanceof Node && !table.current?.contains(target) && setFocused(false);
    document.addEventListener('focusin', onFocus);
    document.addEventListener('pointerdown', onPointerDown);
    return () => {
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('pointerdown', onPointerDown);
    };
  }, [table]);
  useEffect(() => {
    const { id, at } = last.current ?? { id: '', at: 0 };
    if (id === '' || document.activeElement !== document.body || found.some((item) => item.id === id)) return;
    const links = table.current?.querySelectorAll<HTMLElement>('tr[data-row] th a');
    links?.[Math.min(at, links.length - 1)]?.focus();
  }, [found, table]);
  return isFocused;
}

/** Below this width, a side panel would cover the list. */
const isWide = () => matchMedia('(min-width: 70rem)').matches;

/** The keys and clicks of rows. */
function useRows<Item extends { id: string }>({ peeks = false, picked, keys: own = {} }: ListProps<Item>, items: readonly Item[]) {
  const table = useRef<HTMLTableElement>(null);
  const navigate = useNavigate();
  const { peek: current } = useSearch({ strict: false }) as { peek?: string };
  const show = (id: string) =>
    void navigate({ to: '.', search: (search: object) => ({ ...search, peek: id }), replace: current !== undefined, resetScroll: false });
  const move = (step: 1 | -1) => {
    const links = [...(table.current?.querySelectorAll<HTMLElement>('tr[data-row] th a') ?? [])];
    const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
    const next = links[at === -1 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1)];
    next?.focus();
    const id = next?.closest('tr')?.dataset.row;
    if (peeks && current !== undefined && id !== undefined) show(id);
  };
  const onItem = (run: (item: Item) => unknown) => (id: string) => {
    const item = items.find((one) => one.id === id);
    return item !== undefined && run(item) !== false;
  };
  const pick = (item: Item) => {
    if (picked?.isFor?.(item) ?? true) picked?.change(toggled(picked.items, item));
  };
  const keys: Record<string, (id: string) => unknown> = {
    ...(peeks ? { ' ': show } : {}),
    ...(picked ? { x: onItem(pick) } : {}),
    ...Object.fromEntries(Object.entries(own).map(([key, run]) => [key, onItem(run)])),
  };
  singleKeys.useKeys({ j: () => move(1), k: () => move(-1) });
  return {
    table,
    current,
    onKeyDown: (event: KeyboardEvent) => {
      const id = (event.target as HTMLElement).closest('a') && (event.target as HTMLElement).closest('tr')?.dataset.row;
      const run = keys[event.key];
      if (typeof id !== 'string' || run === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key !== ' ' && !singleKeys.areOn()) return;
      if (run(id) !== false) event.preventDefault();
    },
    onOpen: (event: MouseEvent, item: Item) => {
      // A key press on a link is a click without a detail: it opens the page.
      const isPlain = event.detail > 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
      if (!peeks || !isPlain || !isWide()) return;
      event.preventDefault();
      show(item.id);
    },
  };
}
