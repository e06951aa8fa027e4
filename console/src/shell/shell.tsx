import { Menu, UnstyledButton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import type { JSX } from 'react';
import { flushSync } from 'react-dom';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { followChanges } from '../live.ts';
import { Icon } from '../parts/icons.tsx';
import { sumOf, useInboxCounts } from '../parts/inbox-counts.ts';
import { orToast } from '../parts/action.ts';
import { session } from '../session/session.ts';
import { useClaims, useSession } from '../session/use-session.ts';
import { StepUp } from '../session/step-up.tsx';
import { commonTexts } from '../texts/common.ts';
import { TimeZone } from '../texts/format.ts';
import { useTexts } from '../texts/texts.ts';
import { singleKeys } from './keys.ts';
import { mainPages, pagesFor, type ShellPage } from './pages.ts';
import { Palette } from './palette.tsx';
import { useProfile } from './person.ts';
import styles from './shell.module.css';
import { TeamMenu } from './team-menu.tsx';

const KeyboardHelp = lazy(async () => ({ default: (await import('./keyboard-help.tsx')).KeyboardHelp }));

/** The frame of all screens of a signed-in person: navigation, search, live changes and the dialogs that any screen can need. */
export function Shell(): JSX.Element | null {
  const state = useSession();
  // The router leads to the sign-in. Screens need claims, so they end first.
  return state.status === 'signed in' ? <Frame key={state.claims.team} /> : null;
}

function Frame(): JSX.Element {
  const words = useTexts(commonTexts);
  const claims = useClaims();
  const client = useQueryClient();
  const { data: profile } = useProfile();
  const [dialog, setDialog] = useState<'palette' | 'keyboard'>();
  const isOnline = useOnline();
  useEffect(() => followChanges(client, claims.team), [client, claims.team]);
  useShortcuts(setDialog);
  const close = () => setDialog(undefined);
  return (
    <TimeZone.Provider value={profile?.timezone ?? 'UTC'}>
      <a className={styles.skip} href="#content">
        {words.skip}
      </a>
      <div className={styles.frame}>
        <nav className={styles.rail} aria-label={words.navigation}>
          <TeamMenu />
          <UnstyledButton className={styles.item} onClick={() => setDialog('palette')} aria-keyshortcuts="Meta+K Control+K">
            <Icon name="search" />
            <span>{words.searchShort}</span>
            <kbd className={styles.hint}>⌘K</kbd>
          </UnstyledButton>
          <ul className={styles.group}>
            {pagesFor(claims, mainPages).map((page) => (
              <li key={page.path} data-more={page.isUnderMore}>
                <PageLink page={page} />
              </li>
            ))}
          </ul>
          <ul className={styles.last}>
            {pagesFor(claims)
              .filter((page) => !mainPages.includes(page))
              .map((page) => (
                <li key={page.path}>
                  <PageLink page={page} />
                </li>
              ))}
          </ul>
          <MoreMenu openPalette={() => setDialog('palette')} />
        </nav>
        <main className={styles.main} id="content" tabIndex={-1}>
          {!isOnline && (
            <p className={styles.offline} role="status">
              {words.offline}
            </p>
          )}
          <Outlet />
        </main>
      </div>
      <Palette isOpen={dialog === 'palette'} close={close} />
      {dialog === 'keyboard' && (
        <Suspense>
          <KeyboardHelp isOpen close={close} />
        </Suspense>
      )}
      <StepUp />
    </TimeZone.Provider>
  );
}

function PageLink({ page }: { page: ShellPage }): JSX.Element {
  const words = useTexts(commonTexts);
  const label = words[page.name];
  return (
    <Link
      to={page.path}
      className={styles.item}
      activeOptions={{ exact: page.path === '/' }}
      activeProps={{ 'aria-current': 'page' }}
      title={label}
    >
      <Icon name={page.icon} />
      <span>{label}</span>
      {page.name === 'inbox' && <InboxCount />}
    </Link>
  );
}

/** The number of open items of the inbox. */
function InboxCount(): JSX.Element | null {
  const { waiting, overdueCount } = useTexts(commonTexts);
  const { data } = useInboxCounts();
  const [open, overdue] = [sumOf(data, 'open'), sumOf(data, 'overdue')];
  if (open === 0) return null;
  return (
    <strong className={styles.badge} data-overdue={overdue > 0 || undefined}>
      <span aria-hidden="true">{open > maxShownCount ? `${maxShownCount}+` : open}</span>
      <span className="apart">
        {waiting(open)} {overdue > 0 && overdueCount(overdue)}
      </span>
    </strong>
  );
}

const maxShownCount = 99;

/** The pages that have no place in the bar of a phone. */
function MoreMenu({ openPalette }: { openPalette: () => void }): JSX.Element {
  const words = useTexts(commonTexts);
  const claims = useClaims();
  const others = pagesFor(claims).filter((page) => page.isUnderMore || !mainPages.includes(page));
  return (
    <Menu position="top-end" withinPortal>
      <Menu.Target>
        <UnstyledButton className={`${styles.item} ${styles.more}`}>
          <Icon name="dots" />
          <span>{words.more}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="search" />} onClick={openPalette}>
          {words.searchShort}
        </Menu.Item>
        {others.map((page) => (
          <Menu.Item key={page.path} component={Link} to={page.path} leftSection={<Icon name={page.icon} />}>
            {words[page.name]}
          </Menu.Item>
        ))}
        <Menu.Item leftSection={<Icon name="leave" />} onClick={() => void leave()}>
          {words.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Signs out in all tabs. */
export const leave = (): Promise<void> => orToast(() => session.signOut());

function useOnline(): boolean {
  const [isOnline, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const update = () => setOnline(navigator.onLine);
    addEventListener('online', update);
    addEventListener('offline', update);
    return () => {
      removeEventListener('online', update);
      removeEventListener('offline', update);
    };
  }, []);
  return isOnline;
}

/** Time after `g` in which the letter of a page opens it. */
const sequenceMs = 1_500;

function useShortcuts(open: (dialog: 'palette' | 'keyboard') => void): void {
  const navigate = useNavigate();
  const claims = useClaims();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const goSince = useRef(Number.NEGATIVE_INFINITY);
  const go = Object.fromEntries(
    pagesFor(claims).map((page) => [
      page.key,
      () => {
        const isSequence = performance.now() - goSince.current < sequenceMs;
        goSince.current = Number.NEGATIVE_INFINITY;
        if (isSequence) void navigate({ to: page.path });
        return isSequence;
      },
    ]),
  );
  // The letter of a page can also be one of an outcome, which `g` before it must not choose.
  singleKeys.useKeys({ ...go, g: () => (goSince.current = performance.now()), '?': () => open('keyboard') }, true);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      // The palette has the focus before the next key, so that no letter is lost.
      flushSync(() => open('palette'));
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [open]);
  useFocusAfterNavigation(path);
}

/** Moves the focus to the heading of a new page, so that screen readers say it and Tab continues there. */
function useFocusAfterNavigation(path: string): void {
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    const main = document.querySelector<HTMLElement>('#content');
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true });
  }, [path]);
}
