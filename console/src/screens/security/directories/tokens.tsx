import { Button, NumberInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, ok } from '../../../api.ts';
import { useAction } from '../../../parts/action.ts';
import { ConfirmButton } from '../../../parts/confirm.tsx';
import { CopyField } from '../../../parts/copy-field.tsx';
import { fieldsOf } from '../../../parts/fields.ts';
import { Name } from '../../../parts/name.tsx';
import { RowOf, Rows, Section } from '../../../parts/section.tsx';
import { Failed, Loading } from '../../../parts/states.tsx';
import { Time } from '../../../parts/time.tsx';
import { toast } from '../../../parts/toasts.tsx';
import { ProblemNotice } from '../../../problems/problem-notice.tsx';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import styles from '../security.module.css';
import { directoryTexts } from './texts.ts';

/** A year, and the most valid tokens of a directory. */
const [maxDays, maxTokens] = [365, 2];

/** The tokens of a directory. A new one is shown once. */
export function Tokens({ id }: { id: string }): JSX.Element {
  const { tokens: words } = useTexts(directoryTexts);
  const format = useFormat();
  const client = useQueryClient();
  const queryKey = ['directory', id, 'tokens'];
  const query = useQuery({
    queryKey,
    queryFn: () => ok(api.GET('/api/v1/team/directories/{id}/tokens', { params: { path: { id } } })),
  });
  const [token, setToken] = useState<string>();
  const { run, isBusy, error } = useAction();
  const create = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const expiresInDays = Number(fieldsOf(event, 'days').days);
    void run(async () => {
      const made = await ok(api.POST('/api/v1/team/directories/{id}/tokens', { params: { path: { id } }, body: { expiresInDays } }));
      setToken(made.token);
      await client.invalidateQueries({ queryKey });
    });
  };
  const remove = async (tokenId: string) => {
    await ok(api.DELETE('/api/v1/team/directories/{id}/tokens/{tokenId}', { params: { path: { id, tokenId } } }));
    toast(words.removed);
    await client.invalidateQueries({ queryKey });
  };
  return (
    <Section title={words.title} text={words.text}>
      {query.isPending && <Loading rows={2} />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data?.length === 0 && token === undefined && <p>{words.none}</p>}
      {token !== undefined && (
        <div className={styles.once}>
          <CopyField label={words.created} text={words.once} value={token} />
          <div>
            <Button onClick={() => setToken(undefined)}>{words.stored}</Button>
          </div>
        </div>
      )}
      {query.data !== undefined && query.data.length > 0 && (
        <Rows label={words.title}>
          {query.data.map(({ id: tokenId, createdAt, createdBy, expiresAt, lastUsedAt }) => (
            <RowOf
              key={tokenId}
              title={`${words.row} ${format.exact(createdAt)}`}
              detail={
                <>
                  {words.by} <Name id={createdBy} /> · {words.ends} <Time at={expiresAt} /> ·{' '}
                  {lastUsedAt === undefined ? (
                    words.unused
                  ) : (
                    <>
                      {words.used} <Time at={lastUsedAt} />
                    </>
                  )}
                </>
              }
              actions={
                <ConfirmButton
                  size="xs"
                  label={words.remove}
                  name={`${words.remove}: ${format.exact(createdAt)}`}
                  title={words.removeTitle}
                  action={() => remove(tokenId)}
                >
                  <p>{words.removeText}</p>
                </ConfirmButton>
              }
            />
          ))}
        </Rows>
      )}
      {error !== undefined && <ProblemNotice error={error} />}
      {query.data !== undefined && query.data.length < maxTokens && token === undefined && (
        <form className={styles.line} onSubmit={create}>
          <NumberInput
            name="days"
            label={words.days}
            defaultValue={maxDays}
            min={1}
            max={maxDays}
            clampBehavior="strict"
            allowDecimal={false}
            hideControls
            required
          />
          <Button type="submit" variant="default" loading={isBusy}>
            {words.create}
          </Button>
        </form>
      )}
    </Section>
  );
}
