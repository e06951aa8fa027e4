import { Badge, Button, Checkbox } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { useState } from 'react';
import { api, page } from '../../../api.ts';
import { RowOf, Rows, Section } from '../../../parts/section.tsx';
import { Failed, Loading } from '../../../parts/states.tsx';
import { Time } from '../../../parts/time.tsx';
import { useTexts } from '../../../texts/texts.ts';
import { directoryTexts } from './texts.ts';

const pageRows = 20;
const firstError = 400;

/** The last requests of a directory, the newest first. */
export const useLog = (id: string) =>
  useInfiniteQuery({
    queryKey: ['directory', id, 'log'],
    queryFn: ({ pageParam }) =>
      page(api.GET('/api/v1/team/directories/{id}/log', { params: { path: { id }, query: { limit: pageRows, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });

/** The requests of the directory, with their problems. */
export function RequestLog({ id }: { id: string }): JSX.Element {
  const { log: words } = useTexts(directoryTexts);
  const [isNarrow, setNarrow] = useState(false);
  const query = useLog(id);
  const all = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const shown = isNarrow ? all.filter(({ status }) => status >= firstError) : all;
  return (
    <Section title={words.title} text={words.text}>
      {query.isPending && <Loading rows={3} />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && all.length === 0 && <p>{words.none}</p>}
      {all.length > 0 && (
        <Checkbox label={words.problems} checked={isNarrow} onChange={({ currentTarget: { checked } }) => setNarrow(checked)} />
      )}
      {all.length > 0 && shown.length === 0 && <p>{words.noProblems}</p>}
      {shown.length > 0 && (
        <Rows label={words.title}>
          {shown.map(({ id: entry, at, method, path, status, detail, attributes }) => (
            <RowOf
              key={entry}
              title={
                <>
                  <Badge variant="light" color={status < firstError ? 'green' : 'red'} radius="sm" tt="none" fw={500}>
                    {status < firstError ? words.ok : words.failed}
                  </Badge>
                  {method} {path.replace(/^\/scim\/v2/, '')}
                </>
              }
              detail={
                <>
                  <Time at={at} /> · {status}
                  {detail !== undefined && ` · ${detail}`}
                  {attributes.length > 0 && ` · ${attributes.join(', ')}`}
                </>
              }
            />
          ))}
        </Rows>
      )}
      {query.hasNextPage && (
        <div>
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {words.more}
          </Button>
        </div>
      )}
    </Section>
  );
}
