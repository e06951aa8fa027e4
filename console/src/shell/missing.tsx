import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { Screen } from '../parts/screen.tsx';
import { commonTexts } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';

/** The screen of an unknown address. */
export function Missing(): JSX.Element {
  const { missing: words } = useTexts(commonTexts);
  return (
    <Screen title={words.title}>
      <p>{words.text}</p>
      <p>
        <Link to="/">{words.back}</Link>
      </p>
    </Screen>
  );
}
