import { Button } from '@mantine/core';
import type { Directory } from '@chancery/client';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { api, page } from '../../../api.ts';
import { List } from '../../../parts/list.tsx';
import { Section } from '../../../parts/section.tsx';
import { Empty } from '../../../parts/states.tsx';
import { useTexts } from '../../../texts/texts.ts';
import { SettingsPage } from '../../settings/settings-page.tsx';
import { directoryTexts } from './texts.ts';

/** The directories that provide the members of the team. */
export function DirectoriesPage(): JSX.Element {
  const words = useTexts(directoryTexts);
  return (
    <SettingsPage>
      <Section
        title={words.title}
        text={words.text}
        actions={
          <Button variant="default" renderRoot={(props) => <Link {...props} to="/settings/directories/new" />}>
            {words.connect}
          </Button>
        }
      >
        <List<Directory>
          label={words.title}
          queryKey={['directory', 'list']}
          // A team has at most five directories, without pages.
          read={() => page(api.GET('/api/v1/team/directories'))}
          to={({ id }) => `/settings/directories/${id}`}
          title={({ name }) => name}
          columns={[
            { header: words.name, cell: ({ name }) => name },
            { header: words.kind, cell: ({ kind }) => words.kinds[kind], wide: true },
            { header: words.users, cell: ({ usersCount, groupsCount }) => words.usersOf(usersCount, groupsCount), wide: true },
            { header: words.state, cell: ({ isActive, pendingCount }) => stateOf(words, isActive, pendingCount) },
          ]}
          empty={<Empty title={words.none}>{words.noneText}</Empty>}
        />
      </Section>
    </SettingsPage>
  );
}

const stateOf = (words: { on: string; off: string; pending: (count: number) => string }, isActive: boolean, pending: number): string => {
  if (!isActive) return words.off;
  return pending > 0 ? words.pending(pending) : words.on;
};
