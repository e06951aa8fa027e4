import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useState } from 'react';
import { api, page } from '../../../api.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { List, pageRows } from '../../../parts/list.tsx';
import { Name } from '../../../parts/name.tsx';
import { Section } from '../../../parts/section.tsx';
import { Empty } from '../../../parts/states.tsx';
import { Time } from '../../../parts/time.tsx';
import { useTexts } from '../../../texts/texts.ts';
import { SettingsPage } from '../../settings/settings-page.tsx';
import { ChooseFolder } from '../choose-folder.tsx';
import { barriersTexts } from './texts.ts';

/** The register of the barriers of the team. */
export function BarriersPage(): JSX.Element {
  const words = useTexts(barriersTexts);
  const navigate = useNavigate();
  const [isChoosing, setChoosing] = useState(false);
  return (
    <SettingsPage>
      <Section
        title={words.title}
        text={words.text}
        actions={
          <Button variant="default" onClick={() => setChoosing(true)}>
            {words.raise}
          </Button>
        }
      >
        <List
          label={words.title}
          queryKey={['folder', 'list', 'barriers']}
          read={(cursor) => page(api.GET('/api/v1/barriers/', { params: { query: { limit: pageRows, cursor } } }))}
          to={({ id }) => `/settings/barriers/${id}`}
          title={({ name }) => name}
          columns={[
            { header: words.place, cell: ({ name }) => name },
            { header: words.access, cell: ({ access, status }) => words.states[status] || words.accesses[access], narrow: true },
            { header: words.owner, cell: ({ userId }) => <Name id={userId} />, wide: true },
            { header: words.since, cell: ({ since }) => <Time at={since} />, narrow: true, wide: true },
          ]}
          empty={<Empty title={words.none}>{words.noneText}</Empty>}
        />
        <Dialog title={words.raise} isOpen={isChoosing} close={() => setChoosing(false)}>
          <ChooseFolder
            text={words.raiseText}
            isOffered={({ barrier }) => !barrier}
            choose={(id) => void navigate({ to: '/settings/barriers/$id', params: { id } })}
            close={() => setChoosing(false)}
          />
        </Dialog>
      </Section>
    </SettingsPage>
  );
}
