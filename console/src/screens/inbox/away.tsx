import { Button, Checkbox, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, ok, versioned } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { fieldsOf } from '../../parts/fields.ts';
import { Name } from '../../parts/name.tsx';
import { PersonField } from '../../parts/person-field.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ApiProblem } from '../../problems/api-problem.ts';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { taskTexts } from '../task/texts.ts';
import styles from './inbox.module.css';
import { inboxTexts } from './texts.ts';

const mine = { path: { userId: 'me' } };
const queryKey = ['delegation', 'me'];

/** The delegation of the person; null without one. */
const useDelegation = () =>
  useQuery({
    queryKey,
    queryFn: () =>
      versioned(api.GET('/api/v1/tasks/delegations/{userId}', { params: mine })).catch((error: unknown) => {
        if (error instanceof ApiProblem && error.status === 404) return null;
        throw error;
      }),
  });

/** Says who gets the tasks of the person during an absence. */
export function AwayDialog({ close }: { close: () => void }): JSX.Element {
  const { away: words } = useTexts(inboxTexts);
  return (
    <Dialog title={words.title} isOpen close={close}>
      <AwayForm close={close} />
    </Dialog>
  );
}

function AwayForm({ close }: { close: () => void }): JSX.Element {
  const { away: words } = useTexts(inboxTexts);
  const { needPerson } = useTexts(taskTexts);
  const format = useFormat();
  const client = useQueryClient();
  const { data: current } = useDelegation();
  const { error, isBusy, run } = useAction();
  const [person, setPerson] = useState<string>();
  const [missing, setMissing] = useState<{ person?: string; until?: string }>({});
  const header = current ? { 'If-Match': current.etag } : {};
  const done = async (text: string) => {
    await client.invalidateQueries({ queryKey });
    toast(text);
    close();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { until, openTasks } = fieldsOf(event, 'until', 'openTasks');
    const errors = { ...(person === undefined ? { person: needPerson } : {}), ...(until === '' ? { until: words.needDate } : {}) };
    setMissing(errors);
    if (person === undefined || until === '') return;
    void run(async () => {
      // The end of the day where the person is.
      const body = { toUserId: person, until: new Date(`${until}T23:59:59`).toISOString(), openTasks: openTasks !== '' };
      await ok(api.PUT('/api/v1/tasks/delegations/{userId}', { params: { ...mine, header }, body }));
      await done(words.saved);
    });
  };
  const end = () =>
    run(async () => {
      await ok(api.DELETE('/api/v1/tasks/delegations/{userId}', { params: { ...mine, header } }));
      await done(words.ended);
    });
  return (
    <form className={styles.item} onSubmit={submit} noValidate>
      <p>{words.text}</p>
      {current && (
        <div className={styles.current}>
          <p>
            {words.now(format.date(current.data.until))} <Name id={current.data.toUserId} />
          </p>
          <Button variant="default" size="xs" loading={isBusy} onClick={() => void end()}>
            {words.end}
          </Button>
        </div>
      )}
      <PersonField value={person} change={setPerson} error={missing.person} />
      <TextInput type="date" name="until" label={words.until} error={missing.until} />
      <Checkbox name="openTasks" value="yes" label={words.openTasks} />
      {error !== undefined && <ProblemNotice error={error} />}
      <div className={styles.choices}>
        <Button type="submit" loading={isBusy}>
          {words.set}
        </Button>
      </div>
    </form>
  );
}
