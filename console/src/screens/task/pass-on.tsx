import { Button, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, ok } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Failures, type ItemResult } from '../../parts/several.tsx';
import { fieldsOf } from '../../parts/fields.ts';
import { PersonField } from '../../parts/person-field.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { useResult } from './decide.ts';
import styles from './task.module.css';
import { taskTexts } from './texts.ts';

type PassOnProps = { tasks: readonly { id: string; title: string }[]; isOpen: boolean; close: () => void };

/** Assigns tasks to another person. */
export function PassOn({ tasks, isOpen, close }: PassOnProps): JSX.Element {
  const words = useTexts(taskTexts);
  const title = tasks.length === 1 ? words.passOnTitle : words.several.titlePassOn(tasks.length);
  return (
    <Dialog title={title} isOpen={isOpen} close={close}>
      <PassOnForm tasks={tasks} close={close} />
    </Dialog>
  );
}

function PassOnForm({ tasks, close }: Omit<PassOnProps, 'isOpen'>): JSX.Element {
  const words = useTexts(taskTexts);
  const common = useTexts(commonTexts);
  const client = useQueryClient();
  const say = useResult();
  const { error, isBusy, run } = useAction();
  const [person, setPerson] = useState<string>();
  const [isMissing, setMissing] = useState(false);
  const [results, setResults] = useState<readonly ItemResult[]>([]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { reason } = fieldsOf(event, 'reason');
    setMissing(person === undefined);
    if (person === undefined) return;
    void run(async () => {
      const items = tasks.map(({ id }) => ({ id, userId: person, ...(reason === '' ? {} : { reason }) }));
      const answer = await ok(api.POST('/api/v1/tasks/reassign', { body: { items } }));
      setResults(answer.results);
      await say(client, words.passedOn);
      if (answer.results.every(({ status }) => status < 300)) close();
    });
  };
  return (
    <form className={styles.decision} onSubmit={submit} noValidate>
      <PersonField value={person} change={setPerson} error={isMissing ? words.needPerson : undefined} />
      <Textarea name="reason" label={words.reason} resize="vertical" rows={2} maxLength={2_000} />
      {error !== undefined && <ProblemNotice error={error} />}
      <Failures results={results} items={tasks} />
      <div className={styles.outcomes}>
        <Button type="submit" loading={isBusy}>
          {words.passOnVerb}
        </Button>
        <Button variant="default" onClick={close}>
          {common.cancel}
        </Button>
      </div>
    </form>
  );
}
