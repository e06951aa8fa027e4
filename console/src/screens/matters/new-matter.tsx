import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import { api, ok } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Screen } from '../../parts/screen.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { useTexts } from '../../texts/texts.ts';
import { MatterForm, type MatterValues } from './matter-form.tsx';
import { matterTexts } from './texts.ts';

/** The form of a new matter. */
export function NewMatter(): JSX.Element {
  const words = useTexts(matterTexts);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { run, isBusy, error } = useAction();
  const create = ({ name, number, practice, clientId, responsibleId, isPending }: MatterValues) =>
    run(async () => {
      const body = {
        name,
        clientId,
        ...(number === '' ? {} : { number }),
        ...(practice === '' ? {} : { practice }),
        ...(responsibleId === undefined ? {} : { responsibleId }),
        ...(isPending ? { status: 'pending' as const } : {}),
      };
      const { id } = await ok(api.POST('/api/v1/matters/', { body }));
      await client.invalidateQueries({ queryKey: ['matter'] });
      await navigate({ to: '/matters/$id', params: { id } });
    });
  return (
    <Screen title={words.newMatter}>
      <MatterForm
        verb={words.createMatter}
        isBusy={isBusy}
        submit={(values) => void create(values)}
        cancel={() => void navigate({ to: '/matters' })}
      >
        {error !== undefined && <ProblemNotice error={error} />}
      </MatterForm>
    </Screen>
  );
}
