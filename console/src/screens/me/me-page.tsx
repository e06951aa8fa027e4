import type { JSX, ReactNode } from 'react';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { Screen } from '../../parts/screen.tsx';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { meTexts } from './texts.ts';

/** One of the pages about the account of the person. */
export function MePage({ children }: { children: ReactNode }): JSX.Element {
  const { me: title } = useTexts(commonTexts);
  const words = useTexts(meTexts);
  const pages = [
    { to: '/me', name: words.profile },
    { to: '/me/security', name: words.security },
    { to: '/me/apps', name: words.apps },
  ];
  return (
    <Screen title={title}>
      <PageTabs label={title} pages={pages} />
      {children}
    </Screen>
  );
}
