import { Button, Textarea } from '@mantine/core';
import type { FormEvent, JSX, ReactNode } from 'react';
import { ProblemNotice } from '../problems/problem-notice.tsx';
import { useTexts } from '../texts/texts.ts';
import { useAction } from './action.ts';
import { commentTexts } from './comment-texts.ts';
import styles from './comments.module.css';
import { fieldsOf } from './fields.ts';
import { Name } from './name.tsx';
import { Time } from './time.tsx';

type ShownComment = { id: string; createdBy: string; createdAt: string; text: string };
type CommentsProps<Item extends ShownComment> = {
  comments: readonly Item[];
  /** Sends a comment, and renews the list. Absent: the person cannot comment. */
  add?: ((text: string) => Promise<unknown>) | undefined;
  /** The part of the resource with the comment, if it is not about the whole. */
  about?: (comment: Item) => ReactNode;
};

/** The comments on a resource, and a field for the next one. */
export function Comments<Item extends ShownComment>({ comments, add, about }: CommentsProps<Item>): JSX.Element {
  const words = useTexts(commentTexts);
  return (
    <div className={styles.comments}>
      {comments.length === 0 ? (
        <p className="soft">{words.none}</p>
      ) : (
        <ol className={styles.list}>
          {comments.map((comment) => (
            <li key={comment.id}>
              <p className="soft">
                <Name id={comment.createdBy} /> <Time at={comment.createdAt} /> {about?.(comment)}
              </p>
              <p className={styles.text}>{comment.text}</p>
            </li>
          ))}
        </ol>
      )}
      {add && <NewComment add={add} />}
    </div>
  );
}

function NewComment({ add }: { add: (text: string) => Promise<unknown> }): JSX.Element {
  const words = useTexts(commentTexts);
  const { error, isBusy, run } = useAction();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const { text } = fieldsOf(event, 'text');
    if (text === '') return form.querySelector('textarea')?.focus();
    void run(async () => {
      await add(text);
      form.reset();
    });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <Textarea name="text" aria-label={words.newComment} placeholder={words.newComment} resize="vertical" rows={1} maxLength={4_000} />
      {error !== undefined && <ProblemNotice error={error} />}
      <div>
        <Button type="submit" variant="default" size="xs" loading={isBusy}>
          {words.add}
        </Button>
      </div>
    </form>
  );
}
