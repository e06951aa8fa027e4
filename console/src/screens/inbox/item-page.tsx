import { useNavigate, useParams } from '@tanstack/react-router';
import type { JSX } from 'react';
import { Screen } from '../../parts/screen.tsx';
import { useTexts } from '../../texts/texts.ts';
import { ItemView, type ItemKind } from './item-view.tsx';
import { inboxTexts } from './texts.ts';

/** The page of a booking, record, delivery or signature that waits for the person. */
export function ItemPage(): JSX.Element {
  const { one } = useTexts(inboxTexts);
  const navigate = useNavigate();
  const { kind = '', parent = '', id = '' } = useParams({ strict: false });
  const of: ItemKind = kind === 'booking' || kind === 'record' || kind === 'delivery' ? kind : 'signature';
  return (
    <Screen title={one[of]}>
      <ItemView key={id} kind={of} parent={parent} id={id} done={() => void navigate({ to: '/' })} />
    </Screen>
  );
}
