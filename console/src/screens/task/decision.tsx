import { Button, Textarea } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useState } from 'react';
import { api, ok, type Versioned } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Name } from '../../parts/name.tsx';
import { Time } from '../../parts/time.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { useClaims } from '../../session/use-session.ts';
import { singleKeys } from '../../shell/keys.ts';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { useDecide } from './decide.ts';
import { isNegative, keyOf, outcomesOf, useOutcomes } from '../../parts/outcomes.ts';
import type { Task } from './queries.ts';
import styles from './task.module.css';
import { taskTexts } from './texts.ts';

type DecisionProps = { version: Versioned<Task>; decided?: (() => void) | undefined };

/** The outcomes of a task as buttons, or how it ended. */
export function Decision({ version, decided }: DecisionProps): JSX.Element {
  const words = useTexts(taskTexts);
  const { sub } = useClaims();
  const { data: task } = version;
  const { status, type, assignedTo, assignedGroupId } = task;
  if (status !== 'open') return <Ended task={task} />;
  const isOwn = assignedTo === sub || (assignedTo === undefined && (assignedGroupId !== undefined || type === 'task'));
  if (!isOwn) return <p className={styles.notice}>{words.others}</p>;
  if (outcomesOf(task).length === 0) return <FormLink task={task} />;
  return <Deciding version={version} decided={decided} />;
}

function Deciding({ version, decided }: DecisionProps): JSX.Element {
  const words = useTexts(taskTexts);
  const { verb } = useOutcomes();
  const decide = useDecide();
  const { error, isBusy, run } = useAction();
  const [comment, setComment] = useState('');
  const [refusing, refuse] = useState<string>();
  const { data: task, etag } = version;
  const outcomes = outcomesOf(task);
  const send = (outcome: string, reason?: string) =>
    run(async () => {
      await decide({ task, etag, outcome, comment: reason ?? comment });
      refuse(undefined);
      decided?.();
    });
  const choose = (outcome: string) => (isNegative(outcome) ? refuse(outcome) : void send(outcome));
  singleKeys.useKeys(
    Object.fromEntries(
      outcomes.flatMap((outcome) => {
        const key = keyOf(outcome, outcomes);
        return key === undefined ? [] : [[key, () => choose(outcome)]];
      }),
    ),
  );
  return (
    <section className={`${styles.decision} ${styles.deciding}`} aria-label={words.decide}>
      {task.type === 'signature' && <p>{words.signText}</p>}
      {task.assignedTo === undefined && task.assignedGroupId !== undefined && <p className="soft">{words.claimHint}</p>}
      <Textarea
        label={words.comment}
        resize="vertical"
        rows={1}
        maxLength={4_000}
        value={comment}
        onChange={({ currentTarget }) => setComment(currentTarget.value)}
      />
      {error !== undefined && refusing === undefined && <ProblemNotice error={error} />}
      <div className={styles.outcomes}>
        {outcomes.map((outcome, at) => (
          <Button
            key={outcome}
            variant={at === 0 ? 'filled' : 'default'}
            {...(isNegative(outcome) ? { color: 'red', variant: 'outline' } : {})}
            aria-keyshortcuts={keyOf(outcome, outcomes)}
            disabled={isBusy}
            onClick={() => choose(outcome)}
          >
            {verb(outcome)}
          </Button>
        ))}
      </div>
      {refusing !== undefined && (
        <Refusal
          outcome={refusing}
          comment={comment}
          isBusy={isBusy}
          error={error}
          close={() => refuse(undefined)}
          send={(reason) => void send(refusing, reason)}
        />
      )}
    </section>
  );
}

type RefusalProps = {
  outcome: string;
  comment: string;
  isBusy: boolean;
  error: unknown;
  close: () => void;
  send: (reason: string) => void;
};

/** Asks for the reason before an outcome that stops work of others. */
export function Refusal({ outcome, comment, isBusy, error, close, send }: RefusalProps): JSX.Element {
  const words = useTexts(taskTexts);
  const common = useTexts(commonTexts);
  const { verb } = useOutcomes();
  const [reason, setReason] = useState(comment);
  return (
    <Dialog title={words.sure(verb(outcome))} isOpen close={close}>
      <form
        className={styles.decision}
        onSubmit={(event) => {
          event.preventDefault();
          send(reason);
        }}
      >
        <p>{outcome === 'cancel' ? words.cancelText : words.sureText}</p>
        <Textarea
          data-autofocus
          label={words.reason}
          resize="vertical"
          rows={3}
          maxLength={4_000}
          value={reason}
          onChange={({ currentTarget: { value } }) => setReason(value)}
        />
        {error !== undefined && <ProblemNotice error={error} />}
        <div className={styles.outcomes}>
          <Button type="submit" color="red" loading={isBusy}>
            {verb(outcome)}
          </Button>
          <Button variant="default" onClick={close}>
            {common.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The way to the form that completes a task. */
function FormLink({ task: { id } }: { task: Task }): JSX.Element {
  const words = useTexts(taskTexts);
  const { error, isBusy, run } = useAction();
  const open = () =>
    run(async () => {
      const { url } = await ok(api.POST('/api/v1/interfaces/task-links', { body: { taskId: id } }));
      location.assign(url);
    });
  return (
    <section className={styles.decision} aria-label={words.decide}>
      <p>{words.formText}</p>
      {error !== undefined && <ProblemNotice error={error} />}
      <div className={styles.outcomes}>
        <Button loading={isBusy} onClick={() => void open()}>
          {words.form}
        </Button>
      </div>
    </section>
  );
}

function Ended({ task: { status, outcome, completedBy, completedAt, comment } }: { task: Task }): JSX.Element {
  const words = useTexts(taskTexts);
  const { result } = useOutcomes();
  return (
    <section className={styles.ended}>
      <p>
        <strong>{status === 'cancelled' || outcome === undefined ? words.ended[status as 'cancelled'] : result(outcome)}</strong>{' '}
        {completedBy !== undefined && (
          <>
            {words.endedBy} <Name id={completedBy} />
          </>
        )}{' '}
        {completedAt !== undefined && <Time at={completedAt} />}
      </p>
      {comment !== undefined && <blockquote className={styles.quote}>{comment}</blockquote>}
      <Link to="/">{words.inbox}</Link>
    </section>
  );
}
