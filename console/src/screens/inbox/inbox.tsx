import { Button } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import type { JSX } from 'react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { inboxKinds, sumOf, useInboxCounts } from '../../parts/inbox-counts.ts';
import { List } from '../../parts/list.tsx';
import { Peek, usePeek } from '../../parts/peek.tsx';
import { Screen } from '../../parts/screen.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { SeveralBar } from '../../parts/several.tsx';
import { Empty, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { useClaims } from '../../session/use-session.ts';
import { commonTexts } from '../../texts/common.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { useTaskTitle } from '../task/call-view.tsx';
import { taskTexts } from '../task/texts.ts';
import { useActions } from './actions.tsx';
import styles from './inbox.module.css';
import { type Item, readItems } from './items.ts';
import { Meta } from './meta.tsx';
import type { Filter, InboxSearch } from './search.ts';
import { inboxTexts } from './texts.ts';

// The list appears before the parts of an item and the dialogs are loaded.
const ItemView = lazy(async () => ({ default: (await import('./item-view.tsx')).ItemView }));
const TaskPeek = lazy(async () => ({ default: (await import('../task/task.tsx')).TaskPeek }));
const AwayDialog = lazy(async () => ({ default: (await import('./away.tsx')).AwayDialog }));
const PassOn = lazy(async () => ({ default: (await import('../task/pass-on.tsx')).PassOn }));
const DecideSeveral = lazy(async () => ({ default: (await import('../task/decide-several.tsx')).DecideSeveral }));

/** The work of the person, the most urgent first, and then the work of others for the person. */
export function Inbox(): JSX.Element {
  const { inbox: title } = useTexts(commonTexts);
  const words = useTexts(inboxTexts);
  const claims = useClaims();
  const search: InboxSearch = useSearch({ strict: false });
  const [picked, pick] = useState<readonly Item[]>([]);
  const [items, setItems] = useState<ReadonlyMap<string, Item>>(new Map());
  const groupOf = useGroups();
  const { rowActions, keys } = useActions();
  useTitleCount(title);
  const read = async (cursor: string | undefined) => {
    const found = await readItems(search, cursor, claims);
    setItems((before) => new Map([...before, ...found.items.map((item) => [item.id, item] as const)]));
    return found;
  };
  const isFiltered = search.kind !== undefined || search.q !== undefined;
  return (
    <Screen title={title} actions={<Away />}>
      <Filters search={search} />
      <List<Item>
        label={title}
        queryKey={['inbox', 'list', search.kind, search.q]}
        read={read}
        to={pathOf}
        title={(item) => item.title}
        peeks
        group={groupOf}
        picked={{ items: picked, isFor: canPick, change: pick }}
        keys={keys}
        columns={[
          { header: words.what, cell: (item) => <What item={item} /> },
          { header: words.dueAt, cell: (item) => <Due item={item} />, narrow: true, wide: true },
        ]}
        actions={rowActions}
        empty={
          isFiltered ? (
            <Empty title={words.notFound} action={<Link to="/">{words.clear}</Link>}>
              {words.notFoundText}
            </Empty>
          ) : (
            <Empty title={words.none}>{words.noneText}</Empty>
          )
        }
      />
      <Several picked={picked} change={pick} />
      <InboxPeek items={items} />
    </Screen>
  );
}

const isTask = ({ kind }: Item) => kind === 'task' || kind === 'approval';
const canPick = ({ task, waitsFor }: Item) => task !== undefined && waitsFor === undefined;

/** The page of an item. A kind without a screen of its own has a page of the inbox. */
function pathOf(item: Item): string {
  if (isTask(item)) return `/tasks/${item.id}`;
  if (item.kind === 'signature' && item.waitsFor) return `/signatures/${item.id}`;
  return `/inbox/${item.kind}/${parentOf(item)}/${item.id}`;
}

/** The form, registry or webhook endpoint of an item. */
const parentOf = ({ interfaceId, registryId, endpointId }: Item) => interfaceId ?? registryId ?? endpointId ?? 'own';

/** Returns the heading above an item: overdue, due until the end of the day, or later. */
function useGroups(): (item: Item) => string {
  const { groups } = useTexts(inboxTexts);
  const format = useFormat();
  return ({ waitsFor, overdue, dueAt }) => {
    if (waitsFor) return groups.waiting;
    if (overdue) return groups.overdue;
    return dueAt !== undefined && format.date(dueAt) === format.date(new Date()) ? groups.today : groups.later;
  };
}

function What({ item }: { item: Item }): JSX.Element {
  const titleOf = useTaskTitle();
  return (
    <span className={styles.what}>
      <span>{item.task ? titleOf(item.task) : item.title}</span>
      <span className={styles.meta}>
        <Meta item={item} />
        <span className={styles.narrowDue}>
          <Due item={item} />
        </span>
      </span>
    </span>
  );
}

function Due({ item: { dueAt, overdue } }: { item: Item }): JSX.Element | null {
  if (dueAt === undefined) return null;
  return (
    <span className={overdue ? styles.overdue : undefined}>
      <Time at={dueAt} />
    </span>
  );
}

/** Shows the number of open items in the title of the browser tab. */
function useTitleCount(title: string): void {
  const { data } = useInboxCounts();
  const open = sumOf(data, 'open');
  useEffect(() => {
    document.title = `${open > 0 ? `(${open}) ` : ''}${title} · Chancery`;
  }, [open, title]);
}

/** The filters of the list, which are a part of the address. */
function Filters({ search: { kind, q } }: { search: InboxSearch }): JSX.Element {
  const words = useTexts(inboxTexts);
  const { data: counts } = useInboxCounts();
  const shown: readonly Filter[] = [...inboxKinds.filter((one) => (counts?.[one]?.open ?? 0) > 0 || one === kind), 'waiting'];
  const labelOf = (one: Filter) => {
    const count = one === 'waiting' ? undefined : counts?.[one];
    return count === undefined ? words.kinds[one] : `${words.kinds[one]} ${count.open}${count.isMinimum ? '+' : ''}`;
  };
  const chip = (one: Filter | undefined, label: string) => (
    <Link
      key={one ?? 'all'}
      to="/"
      search={{ ...(one === undefined ? {} : { kind: one }), ...(q === undefined ? {} : { q }) }}
      className={styles.chip}
      data-current={kind === one || undefined}
      activeOptions={{ exact: true, includeSearch: true }}
      replace
    >
      {label}
    </Link>
  );
  return (
    <search className={styles.filters}>
      <nav className={styles.chips} aria-label={words.filter}>
        {chip(undefined, words.all)}
        {shown.map((one) => chip(one, labelOf(one)))}
      </nav>
      <SearchField label={words.search} />
    </search>
  );
}

/** Opens the form for an absence. */
function Away(): JSX.Element {
  const { away: words } = useTexts(inboxTexts);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" size="sm" onClick={() => setOpen(true)}>
        {words.open}
      </Button>
      <Suspense>{isOpen && <AwayDialog close={() => setOpen(false)} />}</Suspense>
    </>
  );
}

/** What to do with several tasks at once. */
function Several({ picked, change }: { picked: readonly Item[]; change: (items: readonly Item[]) => void }): JSX.Element | null {
  const { several, passOn } = useTexts(taskTexts);
  const { role } = useClaims();
  const [dialog, setDialog] = useState<'decide' | 'pass on'>();
  const close = () => setDialog(undefined);
  const tasks = picked.flatMap(({ task }) => task ?? []);
  if (tasks.length === 0 && dialog === undefined) return null;
  const canPassOn = role !== 'viewer' && tasks.every(({ roundId }) => roundId === undefined);
  return (
    <SeveralBar count={tasks.length} clear={() => change([])}>
      <Button size="xs" onClick={() => setDialog('decide')}>
        {several.complete}
      </Button>
      {canPassOn && (
        <Button size="xs" variant="default" onClick={() => setDialog('pass on')}>
          {passOn}
        </Button>
      )}
      <Suspense>
        {dialog === 'decide' && (
          <DecideSeveral tasks={tasks} isOpen close={close} decided={(ids) => change(picked.filter(({ id }) => !ids.includes(id)))} />
        )}
        {dialog === 'pass on' && (
          <PassOn
            tasks={tasks}
            isOpen
            close={() => {
              close();
              change([]);
            }}
          />
        )}
      </Suspense>
    </SeveralBar>
  );
}

/** The chosen item beside the list. */
function InboxPeek({ items }: { items: ReadonlyMap<string, Item> }): JSX.Element {
  const { preview } = useTexts(inboxTexts);
  const { peek, close } = usePeek();
  const item = peek === undefined ? undefined : items.get(peek);
  return (
    <Peek label={preview}>
      {peek !== undefined && (
        <Suspense fallback={<Loading />}>
          {item === undefined || isTask(item) ? (
            <TaskPeek key={peek} id={peek} decided={close} />
          ) : (
            <ItemView key={peek} kind={item.waitsFor ? 'waiting' : item.kind} parent={parentOf(item)} id={peek} done={close} />
          )}
        </Suspense>
      )}
    </Peek>
  );
}
