import { Button, NativeSelect } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, ok } from '../../../api.ts';
import { useAction } from '../../../parts/action.ts';
import { fieldsOf } from '../../../parts/fields.ts';
import type { Principal } from '../../../parts/principal-select.tsx';
import { Section } from '../../../parts/section.tsx';
import { ProblemNotice } from '../../../problems/problem-notice.tsx';
import { commonTexts } from '../../../texts/common.ts';
import { useTexts } from '../../../texts/texts.ts';
import { SettingsPage } from '../../settings/settings-page.tsx';
import styles from '../security.module.css';
import { DirectoryFields, type DirectorySettings, settingsOf } from './directory-form.tsx';
import { directoryTexts } from './texts.ts';

const kinds = ['entra', 'okta', 'other'] as const;

/** The form that connects a directory. */
export function NewDirectory(): JSX.Element {
  const words = useTexts(directoryTexts);
  const { cancel } = useTexts(commonTexts);
  const client = useQueryClient();
  const navigate = useNavigate();
  const [successor, setSuccessor] = useState<DirectorySettings['successor']>('owner');
  const [successorId, setSuccessorId] = useState<Principal | null>(null);
  const { run, isBusy, error } = useAction();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const kind = kinds.find((one) => one === fieldsOf(event, 'kind').kind) ?? 'other';
    const settings = settingsOf(event, successorId);
    void run(async () => {
      const { id } = await ok(api.POST('/api/v1/team/directories', { body: { kind, ...settings } }));
      await client.invalidateQueries({ queryKey: ['directory'] });
      await navigate({ to: '/settings/directories/$id', params: { id } });
    });
  };
  return (
    <SettingsPage>
      <Section title={words.connect}>
        <form className={styles.form} onSubmit={submit}>
          <NativeSelect name="kind" label={words.kind} data={kinds.map((value) => ({ value, label: words.kinds[value] }))} />
          <DirectoryFields successor={successor} setSuccessor={setSuccessor} successorId={successorId} setSuccessorId={setSuccessorId} />
          {error !== undefined && <ProblemNotice error={error} />}
          <div className={styles.buttons}>
            <Button type="submit" loading={isBusy}>
              {words.create}
            </Button>
            <Button variant="subtle" renderRoot={(props) => <Link {...props} to="/settings/directories" />}>
              {cancel}
            </Button>
          </div>
        </form>
      </Section>
    </SettingsPage>
  );
}
