import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useState } from 'react';
import { api, page } from '../../../api.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { List } from '../../../parts/list.tsx';
import { Name } from '../../../parts/name.tsx';
import { Section } from '../../../parts/section.tsx';
import { Empty } from '../../../parts/states.tsx';
import { useTexts } from '../../../texts/texts.ts';
import { SettingsPage } from '../../settings/settings-page.tsx';
import { ChooseFolder } from '../choose-folder.tsx';
import { retentionTexts } from './texts.ts';
import { useRuleWords } from './use-rule-words.ts';

async function readRules() {
  // A team has at most 200 rules, without pages. Rules that wait for a confirmation come first.
  const { items, ...rest } = await page(api.GET('/api/v1/smartdoc/retention-rules/'));
  const rows = items.map((rule) => ({ ...rule, id: rule.folderId }));
  return { ...rest, items: rows.toSorted((a, b) => (b.waitingDocuments ?? 0) - (a.waitingDocuments ?? 0)) };
}

/** The retention rules of the folders of the team. */
export function RetentionPage(): JSX.Element {
  const words = useTexts(retentionTexts);
  const navigate = useNavigate();
  const [isChoosing, setChoosing] = useState(false);
  const { ruleOf, stateOf } = useRuleWords();
  return (
    <SettingsPage>
      <Section
        title={words.title}
        text={words.text}
        actions={
          <Button variant="default" onClick={() => setChoosing(true)}>
            {words.set}
          </Button>
        }
      >
        <List
          label={words.title}
          queryKey={['folder', 'list', 'retention']}
          read={readRules}
          to={({ id }) => `/settings/retention/${id}`}
          title={ruleOf}
          columns={[
            { header: words.folder, cell: ({ id }) => <Name id={id} /> },
            { header: words.rule, cell: ruleOf, wide: true },
            { header: words.state, cell: stateOf },
          ]}
          empty={<Empty title={words.none}>{words.noneText}</Empty>}
        />
        <Dialog title={words.set} isOpen={isChoosing} close={() => setChoosing(false)}>
          <ChooseFolder
            text={words.setText}
            isOffered={() => true}
            choose={(id) => void navigate({ to: '/settings/retention/$id', params: { id } })}
            close={() => setChoosing(false)}
          />
        </Dialog>
      </Section>
    </SettingsPage>
  );
}
