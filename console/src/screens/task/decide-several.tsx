import { Button, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { useState } from 'react';
import { api, ok } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Failures, type ItemResult } from '../../parts/several.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { useResult } from './decide.ts';
import { isNegative, useOutcomes } from '../../parts/outcomes.ts';
import type { Task } from './queries.ts';
import styles from './task.module.css';
import { taskTexts } from './texts.ts';

type DecideSeveralProps = { tasks: readonly Task[]; isOpen: boolean; close: () => void; decided: (ids: readonly string[]) => void };

/** Decides several tasks with one outcome that all of them have. */
export function DecideSeveral({ tasks, isOpen, close, decided }: DecideSeveralProps): JSX.Element {
  const { several } = useTexts(taskTexts);
  return (
    <Dialog title={several.title(tasks.length)} isOpen={isOpen} close={close}>
      <DecideForm tasks={tasks} close={close} decided={decided} />
    </Dialog>
  );
}

function DecideForm({ tasks, close, decided }: Omit<DecideSeveralProps, 'isOpen'>): JSX.Element {
  const words = useTexts(taskTexts);
  const common = useTexts(commonTexts);
  const client = useQueryClient();
  const say = useResult();
  const { verb, result } = useOutcomes();
  const { error, isBusy, run } = useAction();
  const [comment, setComment] = useState('');
  const [results, setResults] = useState<readonly ItemResult[]>([]);
  const [first, ...others] = tasks;
  const outcomes = first?.outcomes.filter((outcome) => others.every((task) => task.outcomes.includes(outcome))) ?? [];
  const send = (outcome: string) =>
    run(async () => {
      const remark = comment.trim() === '' ? {} : { comment: comment.trim() };
      const items = tasks.map(({ id, documentVersion }) => ({
        id,
        outcome,
        ...remark,
        ...(documentVersion === undefined ? {} : { documentVersion }),
      }));
      const answer = await ok(api.POST('/api/v1/tasks/complete', { body: { items } }));
      setResults(answer.results);
      const done = answer.results.filter(({ status }) => status < 300).map(({ id }) => id);
      if (done.length > 0) await say(client, result(outcome));
      if (done.length === answer.results.length) close();
      decided(done);
    });
  return (
    <div className={styles.decision}>
      <ul className={styles.list}>
        {tasks.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      {tasks.some(({ documentVersion }) => documentVersion !== undefined) && <p className="soft">{words.several.unread}</p>}
      {outcomes.length === 0 ? (
        <p className={styles.notice}>{words.several.none}</p>
      ) : (
        <Textarea
          label={words.comment}
          resize="vertical"
          rows={2}
          maxLength={4_000}
          value={comment}
          onChange={({ currentTarget }) => setComment(currentTarget.value)}
        />
      )}
      {error !== undefined && <ProblemNotice error={error} />}
      <Failures results={results} items={tasks} />
      <div className={styles.outcomes}>
        {outcomes.map((outcome, at) => (
          <Button
            key={outcome}
            variant={at === 0 ? 'filled' : 'default'}
            {...(isNegative(outcome) ? { color: 'red', variant: 'outline' } : {})}
            disabled={isBusy}
            onClick={() => void send(outcome)}
          >
            {verb(outcome)}
          </Button>
        ))}
        <Button variant="subtle" onClick={close}>
          {common.cancel}
        </Button>
      </div>
    </div>
  );
}
