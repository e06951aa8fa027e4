import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import { orToast } from '../../parts/action.ts';
import { usePeek } from '../../parts/peek.tsx';
import { useClaims } from '../../session/use-session.ts';
import { useTexts } from '../../texts/texts.ts';
import { useDecide } from '../task/decide.ts';
import { isNegative, keyOf, outcomesOf, useOutcomes } from '../../parts/outcomes.ts';
import styles from './inbox.module.css';
import type { Item } from './items.ts';
import { signingAddress, useRequests } from './requests.ts';
import { inboxTexts } from './texts.ts';

type OutcomeKey = 'a' | 'c' | 'r';
type RowAction = { label: string; run: () => Promise<void>; key?: OutcomeKey };
type Actions = { rowActions: (item: Item) => JSX.Element | null; keys: Readonly<Record<OutcomeKey, (item: Item) => boolean>> };

/** What can be done with a row, by a button and by a letter. What cannot be undone opens the item first. */
export function useActions(): Actions {
  const words = useTexts(inboxTexts);
  const { scopes } = useClaims();
  const { verb } = useOutcomes();
  const navigate = useNavigate();
  const decide = useDecide();
  const requests = useRequests();
  const { peek } = usePeek();
  const open = (id: string) => navigate({ to: '.', search: (search: object) => ({ ...search, peek: id }), resetScroll: false });
  /** The first action is a button. */
  const actionsOf = (item: Item): RowAction[] => {
    const { id, kind, task, waitsFor } = item;
    const of = { id, parent: item.interfaceId ?? item.registryId ?? item.endpointId ?? '' };
    if (waitsFor)
      return kind === 'signature' && scopes.has('signatures:write') ? [{ label: words.remind, run: () => requests.remind(id) }] : [];
    switch (kind) {
      case 'booking':
        return [
          { label: words.confirm, run: () => requests.confirmBooking(of), key: 'a' },
          { label: words.decline, run: () => open(id), key: 'r' },
        ];
      case 'record':
        return [
          { label: words.approve, run: () => requests.approveRecord(of), key: 'a' },
          { label: words.discard, run: () => open(id), key: 'r' },
        ];
      case 'signature':
        return [{ label: words.sign, run: () => Promise.resolve(location.assign(signingAddress(id))) }];
      case 'delivery':
        return scopes.has('webhooks:write') ? [{ label: words.retry, run: () => requests.retryDelivery(of) }] : [];
      default: {
        const outcomes = task ? outcomesOf(task) : [];
        return outcomes.flatMap((outcome) => {
          const key = keyOf(outcome, outcomes);
          if (!task || key === undefined) return [];
          const run = isNegative(outcome) ? () => open(id) : () => decide({ task, outcome });
          return [{ label: verb(outcome), run, key }];
        });
      }
    }
  };
  const byKey = (key: OutcomeKey) => (item: Item) => {
    // The side panel has a field for the comment, and decides with it.
    if (peek === item.id && item.task !== undefined) return false;
    const action = actionsOf(item).find((one) => one.key === key);
    if (action) void orToast(action.run);
    return true;
  };
  return {
    keys: { a: byKey('a'), c: byKey('c'), r: byKey('r') },
    rowActions: (item) => {
      const { task } = item;
      // A decision about a document is beside the document.
      if (task !== undefined && (task.outcomes.length !== 1 || task.documentId !== undefined)) return null;
      const [action] = actionsOf(item);
      return action === undefined ? null : (
        <Button
          size="xs"
          variant="default"
          className={styles.action}
          aria-label={`${action.label}: ${item.title}`}
          onClick={() => void orToast(action.run)}
        >
          {action.label}
        </Button>
      );
    },
  };
}
