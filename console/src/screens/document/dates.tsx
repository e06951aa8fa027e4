import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { DocumentDates } from '@chancery/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, JSX } from 'react';
import { api, versioned, type Versioned } from '../../api.ts';
import { fieldsOf } from '../../parts/fields.ts';
import { Conflict, SaveError, useSave } from '../../parts/save.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { useClaims } from '../../session/use-session.ts';
import { commonTexts } from '../../texts/common.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import styles from './document.module.css';
import { pageTexts } from './texts.ts';

const path = '/api/v1/smartdoc/documents/{id}/dates';
const read = (id: string) => versioned(api.GET(path, { params: { path: { id } } }));

/** The term of a contract and its notice. */
export function DatesTab({ id }: { id: string }): JSX.Element {
  const query = useQuery({ queryKey: ['document', id, 'dates'], queryFn: () => read(id) });
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  return <DatesForm key={query.data.etag} id={id} version={query.data} />;
}

const members = ['effectiveAt', 'expiresAt', 'noticePeriod', 'renewal', 'renewalPeriod', 'remindBefore'] as const;
type DateValues = Record<(typeof members)[number], string>;
const renewals = ['none', 'tacit', 'by_agreement'] as const;

function DatesForm({ id, version: { data, etag } }: { id: string; version: Versioned<DocumentDates> }): JSX.Element {
  const words = useTexts(pageTexts);
  const common = useTexts(commonTexts);
  const client = useQueryClient();
  const format = useFormat();
  const mayWrite = useClaims().scopes.has('documents:write');
  const key = ['document', id, 'dates'];
  const save = useSave<DateValues, DocumentDates>({
    etag,
    send: (values, ifMatch) =>
      versioned(
        api.PUT(path, {
          params: { path: { id }, header: { 'If-Match': ifMatch } },
          body: {
            effectiveAt: values.effectiveAt || null,
            expiresAt: values.expiresAt || null,
            noticePeriod: values.noticePeriod || null,
            renewal: renewals.find((one) => one === values.renewal) ?? 'none',
            renewalPeriod: values.renewalPeriod || null,
            remindBefore: values.remindBefore || null,
          },
        }),
      ),
    reload: () => read(id),
    done: (next) => client.setQueryData(key, next),
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void save.save(fieldsOf(event, ...members));
  };
  const differences = save.conflict
    ? members.map((name) => ({ label: words.dates[name], mine: save.conflict?.mine[name], theirs: save.conflict?.theirs.data[name] }))
    : [];
  const periods = [{ value: '', label: words.noPeriod }, ...Object.entries(words.periods).map(([value, label]) => ({ value, label }))];
  return (
    <form className={styles.form} onSubmit={onSubmit}>
      {data.noticeAt !== undefined && <p>{words.noticeBy(format.date(data.noticeAt))}</p>}
      {data.endsAt !== undefined && <p>{words.endsOn(format.date(data.endsAt))}</p>}
      <SaveError save={save} />
      {save.conflict && (
        <Conflict
          save={save}
          changedAt={save.conflict.theirs.data.updatedAt}
          changedBy={save.conflict.theirs.data.setBy}
          differences={differences}
        />
      )}
      <fieldset disabled={!mayWrite} className={styles.form}>
        <TextInput type="date" name="effectiveAt" label={words.dates.effectiveAt} defaultValue={data.effectiveAt} />
        <TextInput type="date" name="expiresAt" label={words.dates.expiresAt} defaultValue={data.expiresAt} />
        <NativeSelect
          name="noticePeriod"
          label={words.dates.noticePeriod}
          data={withOwn(periods, data.noticePeriod)}
          defaultValue={data.noticePeriod ?? ''}
        />
        <NativeSelect
          name="renewal"
          label={words.dates.renewal}
          data={renewals.map((value) => ({ value, label: words.renewals[value] }))}
          defaultValue={data.renewal}
        />
        <NativeSelect
          name="renewalPeriod"
          label={words.dates.renewalPeriod}
          data={withOwn(periods, data.renewalPeriod)}
          defaultValue={data.renewalPeriod ?? ''}
        />
        <NativeSelect
          name="remindBefore"
          label={words.dates.remindBefore}
          data={withOwn(periods, data.remindBefore)}
          defaultValue={data.remindBefore}
        />
        {mayWrite && (
          <div className={styles.buttons}>
            <Button type="submit" loading={save.isSaving}>
              {common.save}
            </Button>
          </div>
        )}
      </fieldset>
    </form>
  );
}

/** The options, with the current value if it is another one. */
const withOwn = (options: readonly { value: string; label: string }[], own: string | undefined) =>
  own === undefined || options.some(({ value }) => value === own) ? [...options] : [...options, { value: own, label: own }];
