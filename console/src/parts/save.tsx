import { Button } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { useState } from 'react';
import type { Versioned } from '../api.ts';
import { ApiProblem } from '../problems/api-problem.ts';
import { ProblemNotice } from '../problems/problem-notice.tsx';
import { commonTexts } from '../texts/common.ts';
import { useFormat } from '../texts/format.ts';
import { useTexts } from '../texts/texts.ts';
import { useName } from './name.tsx';
import { toast } from './toasts.tsx';
import styles from './save.module.css';

type Saving<Values, Data> = {
  /** The version that the person edits. */
  etag: string;
  /** Sends the values with `If-Match: etag`. */
  send: (values: Values, etag: string) => Promise<Versioned<Data>>;
  /** Reads the newest version, after a 412 response. */
  reload: () => Promise<Versioned<Data>>;
  /** Called with the new version after a save, or after the person takes the other version. */
  done: (version: Versioned<Data>) => void;
};

/** The state of a form that saves one version of a resource. */
export type Save<Values, Data> = {
  save: (values: Values) => Promise<void>;
  isSaving: boolean;
  error: unknown;
  /** The values that were not saved, and the version of someone else. */
  conflict: { mine: Values; theirs: Versioned<Data> } | undefined;
  keepMine: () => Promise<void>;
  takeTheirs: () => void;
};

/** Saves a form with `If-Match`. After a 412 response the person compares and decides. */
export function useSave<Values, Data>({ etag, send, reload, done }: Saving<Values, Data>): Save<Values, Data> {
  const words = useTexts(commonTexts);
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>();
  const [conflict, setConflict] = useState<Save<Values, Data>['conflict']>();
  const attempt = async (values: Values, version: string) => {
    setSaving(true);
    setError(undefined);
    try {
      done(await send(values, version));
      setConflict(undefined);
      toast(words.saved);
    } catch (failure) {
      if (failure instanceof ApiProblem && failure.status === 412) setConflict({ mine: values, theirs: await reload() });
      else setError(failure);
    } finally {
      setSaving(false);
    }
  };
  return {
    save: (values) => attempt(values, etag),
    isSaving,
    error,
    conflict,
    keepMine: async () => conflict && attempt(conflict.mine, conflict.theirs.etag),
    takeTheirs: () => {
      if (conflict) done(conflict.theirs);
      setConflict(undefined);
    },
  };
}

/** One member in which two versions differ. */
export type Difference = { label: string; mine: ReactNode; theirs: ReactNode };

/** Shows the changes of someone else, and lets the person decide. */
export function Conflict<Values, Data>({
  save,
  changedAt,
  changedBy,
  differences,
}: {
  save: Save<Values, Data>;
  /** When the other version was saved. */
  changedAt?: string | undefined;
  /** The identifier of who saved it, if the resource has it. */
  changedBy?: string | undefined;
  differences: readonly Difference[];
}): JSX.Element {
  const words = useTexts(commonTexts);
  const format = useFormat();
  const { data: person } = useName(changedBy);
  return (
    <section className={styles.conflict} role="alert" aria-label={words.conflict.title}>
      <h2>{words.conflict.title}</h2>
      <p>{words.conflict.text(person?.name ?? words.conflict.someone, changedAt === undefined ? '' : format.relative(changedAt))}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.conflict.field}</th>
            <th scope="col">{words.conflict.mine}</th>
            <th scope="col">{words.conflict.theirs}</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ label, mine, theirs }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{mine}</td>
              <td>{theirs}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={styles.choices}>
        <Button loading={save.isSaving} onClick={() => void save.keepMine()}>
          {words.conflict.keepMine}
        </Button>
        <Button variant="default" onClick={save.takeTheirs}>
          {words.conflict.takeTheirs}
        </Button>
      </div>
    </section>
  );
}

/** The error of a failed save. */
export function SaveError<Values, Data>({ save }: { save: Save<Values, Data> }): JSX.Element | null {
  return save.error === undefined ? null : <ProblemNotice error={save.error} />;
}
