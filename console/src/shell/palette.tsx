import { Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { JSX, KeyboardEvent } from 'react';
import { useId, useState } from 'react';
import { api, ok } from '../api.ts';
import { focusSoon } from '../parts/dialog.tsx';
import { Icon, type IconName } from '../parts/icons.tsx';
import { useProblemText } from '../problems/problem-text.ts';
import { useClaims } from '../session/use-session.ts';
import { commonTexts } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import styles from './palette.module.css';
import { pagesFor } from './pages.ts';

type PaletteHit = { id: string; icon: IconName; title: string; to: string; detail?: string };

const maxHits = 8;
/** Time after the last key before the console searches. */
const pauseMs = 200;

/** Opens a page or a document by its name. */
export function Palette({ isOpen, close }: { isOpen: boolean; close: () => void }): JSX.Element {
  const words = useTexts(commonTexts);
  return (
    <Modal.Root opened={isOpen} onClose={close} size="lg" yOffset="12vh" transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content aria-label={words.palette}>
        <Search close={close} />
      </Modal.Content>
    </Modal.Root>
  );
}

function Search({ close }: { close: () => void }): JSX.Element {
  const words = useTexts(commonTexts);
  const navigate = useNavigate();
  const id = useId();
  const [text, setText] = useState('');
  const [selected, select] = useState(0);
  const { hits, isSearching, error } = useHits(text);
  const problem = useProblemText(error);
  const at = Math.min(selected, hits.length - 1);
  const open = (hit: PaletteHit | undefined) => {
    if (!hit) return;
    close();
    void navigate({ to: hit.to });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      select((at + step + hits.length) % Math.max(hits.length, 1));
    } else if (event.key === 'Enter') open(hits[at]);
  };
  return (
    <div className={styles.palette}>
      <label className={styles.field}>
        <Icon name="search" />
        <span className="apart">{words.search}</span>
        <input
          ref={focusSoon}
          data-autofocus
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-hits`}
          aria-activedescendant={hits[at] && `${id}-${at}`}
          autoComplete="off"
          maxLength={200}
          placeholder={words.search}
          value={text}
          onKeyDown={onKeyDown}
          onChange={({ currentTarget: { value } }) => {
            setText(value);
            select(0);
          }}
        />
      </label>
      <div className={styles.hits} role="listbox" id={`${id}-hits`} aria-label={words.palette}>
        {hits.map((hit, place) => (
          // The input has the focus; a key selects an option, and a click opens it.
          <div
            key={hit.id}
            id={`${id}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === at}
            className={styles.hit}
            onMouseMove={() => select(place)}
            onClick={() => open(hit)}
            onKeyDown={undefined}
          >
            <Icon name={hit.icon} />
            <span>{hit.title}</span>
            {hit.detail !== undefined && <span className="soft">{hit.detail}</span>}
          </div>
        ))}
      </div>
      <p className={styles.state} role="status">
        {isSearching ? words.searching : error ? problem : hits.length === 0 && words.noHits}
      </p>
    </div>
  );
}

/** The pages whose name contains the text, and the documents that the search finds. */
function useHits(text: string): { hits: PaletteHit[]; isSearching: boolean; error: Error | null } {
  const words = useTexts(commonTexts);
  const claims = useClaims();
  const [wanted] = useDebouncedValue(text.trim(), pauseMs);
  const isLong = wanted.length > 1 && claims.scopes.has('documents:read');
  const search = useQuery({
    queryKey: ['document', 'search', wanted],
    queryFn: ({ signal }) => ok(api.GET('/api/v1/smartdoc/documents/search', { params: { query: { q: wanted, limit: maxHits } }, signal })),
    enabled: isLong,
  });
  const lower = text.trim().toLocaleLowerCase();
  const pages = pagesFor(claims)
    .map((page) => ({ id: page.path, icon: page.icon, title: words[page.name], to: page.path }))
    .filter(({ title }) => title.toLocaleLowerCase().includes(lower));
  const documents = (isLong ? (search.data ?? []) : []).map(({ document }) => ({
    id: document.id,
    icon: 'document' as const,
    title: document.title,
    to: `/documents/${document.id}`,
  }));
  return { hits: [...pages, ...documents], isSearching: isLong && search.isFetching, error: isLong ? search.error : null };
}
